import { isUtf8 } from "node:buffer";
import { type Exchange, jsonReply, type Reply } from "./http/exchange.ts";

/**
 * Who is asking: the three values that a request can carry, each resolved on its own
 * (header, else query, else session). `null` means that nothing was sent.
 */
export interface Identity {
  readonly testId: string | null;
  readonly context: string | null;
  /** The request's own say on tools that its blocks do not declare. */
  readonly undeclared: "allow" | "deny" | null;
}

export type IdentityReading =
  | {
      readonly ok: true;
      readonly identity: Identity;
      /** Where a value came whose percent-encoding does not decode, so that it was used as sent. */
      readonly undecoded: readonly string[];
    }
  | { readonly ok: false; readonly reply: Reply };

interface Field {
  readonly header: string;
  readonly label: string;
  readonly query: string;
}

const TEST_ID: Field = { header: "x-test-id", label: "X-Test-Id", query: "testId" };
const CONTEXT: Field = { header: "x-aimock-context", label: "X-AIMock-Context", query: "context" };
const UNDECLARED: Field = { header: "x-aimock-mcp-undeclared", label: "X-AIMock-MCP-Undeclared", query: "undeclared" };
const FIELDS = [TEST_ID, CONTEXT, UNDECLARED];

/**
 * Reads the identity that an MCP request itself carries (seed, "How a request picks blocks"). A field sent twice on
 * one path, or a bad undeclared override, is answered 400 with the seed's body.
 */
export function readIdentity(exchange: Exchange): IdentityReading {
  const parameters = exchange.query === "" ? NONE : readQuery(exchange.query);
  const duplicate = findDuplicate(exchange, parameters);
  if (duplicate !== undefined) {
    const error = `Duplicate ${duplicate.label}: ${duplicate.count} values sent, expected one`;
    return { ok: false, reply: jsonReply(400, { error, code: "MCP_DUPLICATE_IDENTITY" }) };
  }
  const undecoded: string[] = [];
  const undeclared = readUndeclared(exchange, parameters);
  if (!undeclared.ok) {
    return { ok: false, reply: jsonReply(400, { error: undeclared.error, code: "MCP_INVALID_UNDECLARED" }) };
  }
  const identity: Identity = {
    testId: readValue(exchange, parameters, TEST_ID, undecoded),
    context: readValue(exchange, parameters, CONTEXT, undecoded),
    undeclared: undeclared.value,
  };
  return { ok: true, identity, undecoded };
}

/**
 * The test id that a request names although its identity is refused: the journal files it under that name, so that it
 * is found with the test's other requests (sheet of the wire, 9: the header, else `?testId=` in the path).
 */
export function claimedTestId({ headers, target }: Pick<Exchange, "headers" | "target">): string | null {
  const header = headers[TEST_ID.header];
  if (header !== undefined && header !== "") return decode(header) ?? header;
  const mark = target.indexOf("?");
  const parameters = mark === -1 ? NONE : readQuery(target.slice(mark + 1));
  const raw = parameters.find(({ name }) => name === TEST_ID.query)?.value.replaceAll("+", " ") ?? "";
  return raw === "" ? null : (decode(raw) ?? raw);
}

/** What a request did not say itself, its session said at `initialize`. */
export function withSession(sent: Identity, session: Identity): Identity {
  if (session.testId === null && session.context === null && session.undeclared === null) return sent;
  return {
    testId: sent.testId ?? session.testId,
    context: sent.context ?? session.context,
    undeclared: sent.undeclared ?? session.undeclared,
  };
}

// --- internal ---

interface Parameter {
  readonly name: string;
  /** Still encoded. */
  readonly value: string;
}

const NONE: readonly Parameter[] = [];

function readQuery(query: string): readonly Parameter[] {
  return query.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    return { name: decode(name.replaceAll("+", " ")) ?? "", value: equals === -1 ? "" : pair.slice(equals + 1) };
  });
}

function findDuplicate(
  exchange: Exchange,
  parameters: readonly Parameter[],
): { label: string; count: number } | undefined {
  for (const field of FIELDS) {
    const inHeaders = countHeader(exchange, field.header);
    if (inHeaders > 1) return { label: `${field.label} header`, count: inHeaders };
    if (parameters.length === 0) continue;
    const inQuery = parameters.reduce((count, parameter) => count + (parameter.name === field.query ? 1 : 0), 0);
    if (inQuery > 1) return { label: `?${field.query}= query parameter`, count: inQuery };
  }
  return undefined;
}

/** Node joins repeated headers with `, `, so only a joined value is worth counting. */
function countHeader(exchange: Exchange, header: string): number {
  if (exchange.headers[header]?.includes(", ") !== true) return 1;
  return exchange.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;
}

function readValue(
  exchange: Exchange,
  parameters: readonly Parameter[],
  field: Field,
  undecoded: string[],
): string | null {
  const header = exchange.headers[field.header];
  if (header !== undefined && header !== "") {
    const decoded = PLAIN.test(header) ? header : decodeHeader(header);
    if (decoded === undefined) undecoded.push(`${field.label} header`);
    return decoded ?? header;
  }
  if (parameters.length === 0) return null;
  const raw = parameters.find((parameter) => parameter.name === field.query)?.value.replaceAll("+", " ") ?? "";
  if (raw === "") return null;
  const decoded = decode(raw);
  if (decoded === undefined) undecoded.push(`?${field.query}= query parameter`);
  return decoded ?? raw;
}

type Undeclared =
  | { readonly ok: true; readonly value: Identity["undeclared"] }
  | { readonly ok: false; readonly error: string };

const NOT_SAID: Undeclared = { ok: true, value: null };

/** Both values are checked, also the one that the other overrules: a typo never passes in silence. */
function readUndeclared(exchange: Exchange, parameters: readonly Parameter[]): Undeclared {
  const header = exchange.headers[UNDECLARED.header] ?? "";
  const raw = parameters.find((parameter) => parameter.name === UNDECLARED.query)?.value ?? "";
  if (header === "" && raw === "") return NOT_SAID;

  const fromHeader = policyOf(header);
  if (fromHeader === undefined) {
    return invalid(`${UNDECLARED.label} header value ${JSON.stringify(header)}`);
  }
  const decoded = decode(raw.replaceAll("+", " "));
  const fromQuery = decoded === undefined ? undefined : policyOf(decoded);
  if (fromQuery === undefined) {
    const why = decoded === undefined ? " (not valid percent-encoding)" : "";
    return invalid(`?${UNDECLARED.query}= query parameter value ${JSON.stringify(raw)}${why}`);
  }
  return { ok: true, value: fromHeader ?? fromQuery };
}

function invalid(what: string): Undeclared {
  return { ok: false, error: `Invalid ${what}: expected allow or deny` };
}

/** `null` when nothing was said, `undefined` when it is neither word. */
function policyOf(value: string): Identity["undeclared"] | undefined {
  const word = value.trim().toLowerCase();
  if (word === "") return null;
  return word === "allow" || word === "deny" ? word : undefined;
}

const DECODED_MAX = 1000;

const decodedHeaders = new Map<string, string | undefined>();

/** What needs no decoding. */
const PLAIN = /^[^%\x80-\xff]*$/;

/** The requests of a test carry the same id over and over, and to decode it takes longer than to find it here. */
function decodeHeader(header: string): string | undefined {
  if (decodedHeaders.has(header)) return decodedHeaders.get(header);
  if (decodedHeaders.size >= DECODED_MAX) decodedHeaders.clear();
  const decoded = decode(asUtf8(header));
  decodedHeaders.set(header, decoded);
  return decoded;
}

/** Node reads headers as Latin-1; clients that do not encode an id, such as curl, send it as UTF-8. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString() : header;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
