import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { schemaProblems } from "./mcp-schema.ts";

/**
 * Listens to every HTTP server of this process and holds each MCP message that it sends against the specification's
 * schema of the revision in use. Problems wait in {@link takeProblems}; the suite's set-up file fails the test for them.
 */
export function watchServers(): void {
  subscribe("http.server.request.start", watchExchange);
}

/** Tells each problem at once to somebody else, in a process that no test looks into. */
export function reportTo(reporter: (problem: string) => void): void {
  report = reporter;
}

/** The problems since the last call. A test that makes a server misbehave takes its own. */
export function takeProblems(): string[] {
  return problems.splice(0);
}

/** Holds the lines of a stdio server against the schemas: give it what the client writes and what the server writes. */
export function watchLines(): { fromClient(line: string): void; fromServer(line: string): void } {
  const conversation: Conversation = { version: "2025-11-25", methods: new Map() };
  return {
    fromClient(line) {
      for (const message of messagesOf(line)) noteRequest(conversation, new Map(), message);
    },
    fromServer(line) {
      const messages = messagesOf(line);
      if (messages.length === 0) report(`stdout holds a line that is no MCP message: ${line}`);
      for (const message of messages) check(message, conversation, new Map());
    },
  };
}

const problems: string[] = [];

let report: (problem: string) => void = (problem) => void problems.push(problem);

/** Revision and open requests of each session, whatever its wire; ids of one session mean one thing at a time. */
interface Conversation {
  version: string;
  readonly methods: Map<string, string>;
}

const conversations = new Map<string, Conversation>();

/** Watches one exchange of a server, from the message that Node publishes when it begins. */
export function watchExchange(event: unknown): void {
  const { request, response } = event as { request: IncomingMessage; response: ServerResponse }; // Node's own shape
  const body: Buffer[] = [];
  const sent: Buffer[] = [];
  let contentType = "";
  const own = new Map<string, string[]>();
  let conversation: Conversation | undefined;
  const { push } = request;
  // Seen as it comes in, so that the server reads it as it would without us; the answer may leave on another response.
  request.push = function (this: IncomingMessage, chunk: Buffer | null, ...rest) {
    if (chunk === null) begin();
    else body.push(chunk);
    return push.call(this, chunk, ...rest);
  };

  function begin(): Conversation {
    conversation ??= conversationOf(request);
    for (const message of messagesOf(Buffer.concat(body.splice(0)).toString())) noteRequest(conversation, own, message);
    return conversation;
  }

  const events = createEventReader((event, data) => {
    if (event === "endpoint") {
      const id = new URL(data, "http://localhost").searchParams.get("sessionId");
      conversation = { version: "2024-11-05", methods: new Map() };
      if (id !== null) conversations.set(id, conversation);
    } else if (data !== "") for (const message of messagesOf(data)) check(message, begin(), own);
  });

  const { writeHead, write, end } = response;
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    const headers = flatHeaders(args.find((arg) => typeof arg === "object"));
    contentType = headers.get("content-type") ?? "";
    const session = headers.get("mcp-session-id");
    const begun = begin();
    if (session !== undefined && !conversations.has(session)) conversations.set(session, begun);
    return Reflect.apply(writeHead, this, args);
  } as ServerResponse["writeHead"];
  response.write = function (this: ServerResponse, ...args: unknown[]) {
    take(args[0]);
    return Reflect.apply(write, this, args);
  } as ServerResponse["write"];
  response.end = function (this: ServerResponse, ...args: unknown[]) {
    take(args[0]);
    if (contentType.startsWith("application/json")) {
      for (const message of messagesOf(Buffer.concat(sent).toString())) check(message, begin(), own);
    }
    return Reflect.apply(end, this, args);
  } as ServerResponse["end"];

  function take(chunk: unknown): void {
    if (typeof chunk !== "string" && !Buffer.isBuffer(chunk)) return;
    if (contentType.startsWith("text/event-stream")) events(String(chunk));
    else sent.push(Buffer.from(chunk));
  }
}

/** Headers as `writeHead` takes them: an object, or names and values in turn. */
function flatHeaders(given: unknown): Map<string, string> {
  if (!Array.isArray(given))
    return new Map(Object.entries(isObject(given) ? given : {}).map(([name, value]) => [name, String(value)]));
  return new Map(given.flatMap((name, index) => (index % 2 === 0 ? [[String(name), String(given[index + 1])]] : [])));
}

function conversationOf(request: IncomingMessage): Conversation {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams.get("sessionId");
  const session = request.headers["mcp-session-id"] ?? query;
  const known = typeof session === "string" ? conversations.get(session) : undefined;
  return known ?? { version: "2025-11-25", methods: new Map() };
}

function noteRequest(conversation: Conversation, own: Map<string, string[]>, message: Record<string, unknown>): void {
  const claim = claimOf(message);
  if (claim !== undefined) conversation.version = claim;
  if (typeof message.method !== "string" || !("id" in message)) return;
  const id = idOf(message);
  own.set(id, [...(own.get(id) ?? []), message.method]);
  conversation.methods.set(id, message.method);
}

/** An id that is neither string nor number is answered as `null`. */
function idOf({ id }: Record<string, unknown>): string {
  return JSON.stringify(typeof id === "string" || typeof id === "number" ? id : null);
}

function claimOf(message: Record<string, unknown>): string | undefined {
  const params = message.params;
  const meta = isObject(params) ? params._meta : undefined;
  const claim = isObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined;
  return claim === "2026-07-28" ? claim : undefined;
}

/** Clients may use one id twice in a batch, so that an answer is right when it is one to any of them. */
function check(message: Record<string, unknown>, conversation: Conversation, own: Map<string, string[]>): void {
  const id = idOf(message);
  const methods = own.get(id) ?? [conversation.methods.get(id)];
  const { result } = message;
  if (methods.includes("initialize") && isObject(result)) conversation.version = String(result.protocolVersion);
  const found = methods.map((method) => schemaProblems(conversation.version, message, method));
  if (found.some((each) => each.length === 0)) return;
  const text = JSON.stringify(message).slice(0, 500);
  for (const problem of found.flat()) report(`MCP ${conversation.version}: ${problem}: ${text}`);
}

/** The JSON-RPC messages in a text; other bodies (the control API, a refused identity) hold none. */
function messagesOf(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).filter(isObject).filter((message) => "jsonrpc" in message);
}

function createEventReader(onEvent: (event: string, data: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const lines = frame.split("\n");
      const valuesOf = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
      onEvent(valuesOf("event")[0] ?? "message", valuesOf("data").join("\n"));
    }
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
