import type { Offers } from "../fakes/offers.ts";
import type { JsonObject } from "../json.ts";
import { type Check, COUNT_CHECK } from "../options.ts";
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
  SESSION_VERSIONS,
  type SessionVersion,
  STATELESS_VERSIONS,
  type StatelessVersion,
} from "./versions.ts";

/** What a mock tells of itself, and which revisions it speaks. All optional. */
export interface McpServerOptions {
  /** Default `{ name: "mcp-mock", version: "1.0.0" }`; further keys (`title`, `icons`, …) are sent as given. */
  serverInfo?: { name: string; version: string; [key: string]: unknown };
  /** Sent with `initialize` and `server/discover`. */
  instructions?: string;
  /**
   * What is offered, in place of the default of all (tools, resources, prompts, completions, logging). The methods of
   * a capability that is left out are answered "Method not found", as a real server without it would.
   */
  capabilities?: { [capability: string]: unknown };
  /** The revisions served: one, or several; default all. */
  protocolVersions?: ProtocolVersion | readonly ProtocolVersion[];
  /** Most items on one page of a list; default 0, all on one page. */
  pageSize?: number;
  /**
   * Where several messages at once, in one array, are taken: `"by-version"` in the one revision that has batches
   * (2025-03-26), `"always"` in every session, as the official TypeScript server does, `"never"` in none. Default
   * `"by-version"`.
   */
  batches?: (typeof BATCHES)[number];
  /** How long clients of 2026-07-28 may keep lists and resources, in milliseconds; default 0. */
  ttlMs?: number;
}

/** The options with their defaults, as the wires and eras use them. */
export interface ServerProfile {
  readonly serverInfo: JsonObject;
  readonly instructions: string | null;
  readonly capabilities: JsonObject;
  /** Newest first; empty when sessions are not served. */
  readonly sessionVersions: readonly SessionVersion[];
  /** Newest first; empty when the stateless era is not served. */
  readonly statelessVersions: readonly StatelessVersion[];
  readonly pageSize: number;
  readonly batches: (typeof BATCHES)[number];
  readonly ttlMs: number;
}

const BATCHES = ["by-version", "always", "never"] as const;

/** The options with each field set. */
export type NormalServerOptions = Required<Omit<McpServerOptions, "instructions">> & {
  readonly instructions: string | null;
};

const SERVER_DEFAULTS: NormalServerOptions = {
  serverInfo: { name: "mcp-mock", version: "1.0.0" },
  instructions: null,
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  },
  protocolVersions: PROTOCOL_VERSIONS,
  pageSize: 0,
  batches: "by-version",
  ttlMs: 0,
};

export const SERVER_CHECKS: Readonly<Record<keyof NormalServerOptions, Check>> = {
  serverInfo: {
    allowed: "an object with name and version strings",
    test: (value) => isObject(value) && typeof value.name === "string" && typeof value.version === "string",
  },
  instructions: { allowed: "a string", test: (value) => typeof value === "string" },
  capabilities: {
    allowed: "an object of capability objects",
    test: (value) => isObject(value) && Object.values(value).every(isObject),
  },
  protocolVersions: {
    allowed: `one or more of ${PROTOCOL_VERSIONS.join(", ")}`,
    test: (value) => {
      const versions: unknown[] = [value].flat();
      return versions.length > 0 && versions.every((version) => PROTOCOL_VERSIONS.some((known) => known === version));
    },
  },
  pageSize: COUNT_CHECK,
  batches: {
    allowed: `one of ${BATCHES.join(", ")}`,
    test: (value) => BATCHES.some((word) => word === value),
  },
  ttlMs: COUNT_CHECK,
};

/** An option that is given as `undefined` counts as left out. */
export function withDefaults(options: McpServerOptions): NormalServerOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...SERVER_DEFAULTS, ...Object.fromEntries(given) };
}

export function toProfile(options: NormalServerOptions): ServerProfile {
  const versions = [options.protocolVersions].flat();
  return {
    serverInfo: plain(options.serverInfo),
    instructions: options.instructions,
    capabilities: plain(options.capabilities),
    sessionVersions: SESSION_VERSIONS.filter((version) => versions.includes(version)),
    statelessVersions: STATELESS_VERSIONS.filter((version) => versions.includes(version)),
    pageSize: options.pageSize,
    batches: options.batches,
    ttlMs: options.ttlMs,
  };
}

/** What a loaded file tells of the server counts where code has not said it. */
export function withFileServer(
  profile: ServerProfile,
  { isNamed, told }: { isNamed: boolean; told: () => Offers["server"] },
): ServerProfile {
  return {
    ...profile,
    get serverInfo() {
      return (isNamed ? undefined : told()?.serverInfo) ?? profile.serverInfo;
    },
    get instructions() {
      return profile.instructions ?? told()?.instructions ?? null;
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As it will be sent. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
