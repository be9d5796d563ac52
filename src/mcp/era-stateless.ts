import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { LOGGING_LEVELS, type LoggingLevel } from "../logging-level.ts";
import { answerText, type Method, RPC, type RpcError, type RpcId, rpcError, type SentAnswer } from "./json-rpc.ts";
import type { ServerProfile } from "./profile.ts";
import type { StatelessVersion } from "./versions.ts";

/** Prefix of the keys in `_meta` that the protocol reserves (MCP 2026-07-28, Base protocol, `_meta`). */
export const META = "io.modelcontextprotocol/";

const VERSION_KEY = `${META}protocolVersion`;
const CAPABILITIES_KEY = `${META}clientCapabilities`;

/** What each request of the era says of its client. */
export interface Envelope {
  /** As claimed, served or not. */
  readonly version: string;
  readonly clientInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly logLevel: LoggingLevel | null;
}

export type EnvelopeReading =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly error: RpcError };

/** The era without sessions (2026-07-28): each request carries all that is needed to answer it. */
export interface StatelessEra {
  /** False when the server is pinned to revisions with sessions. */
  readonly served: boolean;
  readEnvelope(params: Json | undefined): EnvelopeReading;
  /** The version, or the error for one that is not served. */
  findVersion(claimed: string): StatelessVersion | RpcError;
  /** The message that answers a request of this era, as JSON text. */
  encode(request: { readonly id: RpcId; readonly method: string }, answer: SentAnswer): string;
}

/** The methods whose complete results tell how long they may be kept (MCP 2026-07-28, Caching). */
const CACHED = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

export function createStatelessEra(profile: ServerProfile): StatelessEra {
  const { statelessVersions } = profile;
  let heads = headsOf(profile);

  /** What every result begins with. Made anew only when the server's name has changed. */
  function headFor(isCached: boolean): string {
    if (heads.serverInfo !== profile.serverInfo) heads = headsOf(profile);
    return isCached ? heads.cached : heads.complete;
  }

  return {
    served: statelessVersions.length > 0,
    readEnvelope(params) {
      const meta = isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {};
      const problems = [
        ...(typeof meta[VERSION_KEY] === "string" ? [] : [`${VERSION_KEY} must be a string`]),
        ...(isJsonObject(meta[CAPABILITIES_KEY]) ? [] : [`${CAPABILITIES_KEY} must be an object`]),
      ];
      if (problems.length > 0) {
        return {
          ok: false,
          ...rpcError(RPC.invalidParams, `Invalid params: in params._meta, ${problems.join(" and ")}`),
        };
      }
      const { [`${META}clientInfo`]: clientInfo, [`${META}logLevel`]: level, [CAPABILITIES_KEY]: capabilities } = meta;
      const envelope: Envelope = {
        version: String(meta[VERSION_KEY]),
        clientInfo: isJsonObject(clientInfo) ? clientInfo : null,
        capabilities: isJsonObject(capabilities) ? capabilities : {},
        logLevel: LOGGING_LEVELS.find((known) => known === level) ?? null,
      };
      return { ok: true, envelope };
    },
    findVersion(claimed) {
      const version = statelessVersions.find((known) => known === claimed);
      if (version !== undefined) return version;
      const supported = [...statelessVersions];
      const message = `Unsupported protocol version ${JSON.stringify(claimed)}; supported: ${supported.join(", ")}`;
      return rpcError(RPC.unsupportedVersion, message, { supported, requested: claimed }).error;
    },
    encode({ id, method }, answer) {
      if ("error" in answer) return answerText(id, answer);
      const { result } = answer;
      const isComplete = result.resultType === undefined || result.resultType === "complete";
      const head = headFor(isComplete && CACHED.has(method));
      if (result.resultType === undefined && result._meta === undefined) {
        const text = answer.resultText ?? JSON.stringify(result);
        return answerText(id, { result, resultText: `{${head}${text === "{}" ? "" : ","}${text.slice(1)}` });
      }
      // What a result says itself goes before what every result gets.
      const common: JsonObject = JSON.parse(`{${head}}`);
      const meta = {
        ...(isJsonObject(common._meta) ? common._meta : {}),
        ...(isJsonObject(result._meta) ? result._meta : {}),
      };
      return answerText(id, { result: { ...common, ...result, _meta: meta } });
    },
  };
}

function headsOf({ serverInfo, ttlMs }: ServerProfile) {
  const identified = JSON.stringify({ [`${META}serverInfo`]: serverInfo });
  const complete = `"resultType":"complete","_meta":${identified}`;
  // Which fakes a client sees depends on its test id, so that no cache may share what it got.
  return { serverInfo, complete, cached: `${complete},"ttlMs":${ttlMs},"cacheScope":"private"` };
}

/** The version that a message claims, whatever it is; `undefined` when it makes no claim and so is of a session. */
export function claimOf(params: Json | undefined): Json | undefined {
  return isJsonObject(params) && isJsonObject(params._meta) ? params._meta[VERSION_KEY] : undefined;
}

/** `server/discover`, the one method that only this era has and that opens no stream. */
export function statelessMethods(profile: ServerProfile): Record<string, Method<unknown>> {
  const { statelessVersions, capabilities } = profile;
  return {
    "server/discover": () => {
      const told: JsonObject = profile.instructions === null ? {} : { instructions: profile.instructions };
      return { result: { supportedVersions: [...statelessVersions], capabilities, ...told } };
    },
  };
}
