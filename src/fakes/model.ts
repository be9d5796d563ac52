import type { McpFakeScope } from "../fixtures/types.ts";
import type { Json, JsonObject } from "../json.ts";
import type { LoggingLevel } from "../logging-level.ts";

/** Where a block came from: decides its id and which counter numbers it. */
export type Origin = "file" | "code" | "control-api";

/** The result object of `tools/call` as it goes on the wire. */
export interface ToolResult {
  [key: string]: Json;
}

/**
 * What an entry answers: exactly these arguments (`key` is their canonical text), any, or calls that meet conditions.
 * The first two are found without a search, so that the cost of a claim does not grow with what is declared.
 */
export type EntryMatch =
  | { readonly kind: "args"; readonly args: JsonObject; readonly key: string }
  | { readonly kind: "any" }
  | { readonly kind: "when"; readonly conditions: readonly Condition[] };

/** One thing that a call must be like. All conditions of an entry must hold. */
export interface Condition {
  /** The key that declares it, e.g. `partialArgs`. */
  readonly name: string;
  /** As the author wrote it. */
  readonly declared: Json;
  /** Nothing when the condition holds, else every reason why it does not. May throw, for a pattern without end. */
  reasons(call: CallSituation): Iterable<Reason>;
}

/** What conditions are about: the call, and how its test stands. */
export interface CallSituation {
  readonly received: Json;
  /** How many calls of the tool this test id made before. */
  readonly callIndex: number;
  /** The scenario's state of this test id. */
  readonly state: string;
}

/** Why an entry did not take a call, the gravest last: the closest entry is the one with the least in its way. */
export const REASON_KINDS = [
  "used-up",
  "wrong-state",
  "wrong-position",
  "extra-key",
  "wrong-value",
  "wrong-type",
  "missing-key",
  "other-test",
  "wrong-tool",
] as const;

export type ReasonKind = (typeof REASON_KINDS)[number];

export interface Reason {
  readonly kind: ReasonKind;
  /** What was declared and what came: `$.city: expected "Seattle", received "seattle"`. */
  readonly text: string;
}

/** The entry that came closest to a call that none took. */
export interface NearMiss {
  readonly entryId: string;
  readonly tool: string;
  /** The gravest first; at least one. */
  readonly reasons: readonly Reason[];
}

/** How often a test may and must use an entry. */
export interface Uses {
  readonly min: number;
  /** `Infinity` for no end. */
  readonly max: number;
}

/** What a call of an entry gets. */
export type EntryAnswer =
  | {
      readonly kind: "result";
      readonly result: ToolResult;
      /** `JSON.stringify(result)`, made once so that answering costs no serialising. */
      readonly text: string;
    }
  | { readonly kind: "protocol-error"; readonly error: CallError }
  /** Nothing, until the client gives up. */
  | { readonly kind: "never" };

/** What an entry does before it answers, one step after the other. */
export type Step =
  | { readonly kind: "progress"; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly kind: "log"; readonly level: LoggingLevel; readonly data: Json; readonly logger?: string }
  | { readonly kind: "delay"; readonly ms: number }
  | AskStep
  /** Closes the connection of the call's stream, which the client resumes. */
  | { readonly kind: "close-stream"; readonly retryMs: number };

/** A question to the client. */
export interface AskStep {
  readonly kind: "elicit" | "sample" | "roots";
  readonly params: JsonObject;
  /** Its name among the questions of the call; `null` numbers it. */
  readonly key: string | null;
  /** What the client's answer must hold, among other things; `null` takes any. */
  readonly expect: JsonObject | null;
}

/** The ways in which an answer can go wrong on purpose, on the way or in itself. */
export const FAULTS = [
  "reset",
  "hang",
  "cut-stream",
  "bad-json",
  "wrong-id",
  "http-401",
  "http-403",
  "http-404",
  "http-429",
  "http-500",
  "http-503",
  "expire-session",
  "tool-gone",
  "no-structured-content",
  "bad-structured-content",
] as const;

export type FaultWord = (typeof FAULTS)[number];

/** A named fault, or a reply that goes out as it stands. */
export type Fault = { readonly kind: FaultWord } | RawReply;

/** Status, headers and body of a reply, whatever the protocol says of them. */
export interface RawReply {
  readonly kind: "raw";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body leaves in pieces over this time. */
  readonly overMs: number;
}

/** What goes wrong with an entry's answer. */
export interface EntryFault {
  readonly fault: Fault;
  /** Whether an answer stands beside it: then the fault comes once, and the client that tries again gets the answer. */
  readonly passes: boolean;
}

/** A JSON-RPC error as a call gets it. */
export interface CallError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** One scripted answer, checked and expanded. */
export interface Entry {
  /** `<block id>:<local name>`, unique on its mount. */
  readonly id: string;
  /** Place among all that was ever loaded on its mount; blocks and entries are counted together. */
  readonly order: number;
  readonly tool: string;
  readonly match: EntryMatch;
  readonly uses: Uses;
  readonly answer: EntryAnswer;
  /** Whether strings of the answer hold `{{args.path}}`, to be filled in from the call. */
  readonly isTemplate: boolean;
  /** Wait before the answer, in milliseconds. */
  readonly delayMs: number;
  /** What is done before the answer. */
  readonly steps: readonly Step[];
  readonly fault: EntryFault | null;
  /** The scenario's state once this entry has answered; `null` leaves it. */
  readonly setState: string | null;
  /** Its place in a plan; `null` for an entry that is no expectation. */
  readonly expectation: Expectation | null;
}

/** The ways to treat calls that nobody expects. Source: scripting sheet, 2. */
export type Mode = "strict" | "lenient" | "passthrough";

/** What is expected of a test, over all tools of a block. */
export interface Plan {
  readonly mode: Mode;
  /** In the order configured. */
  readonly entries: readonly Entry[];
}

/** An entry's place in a plan. */
export interface Expectation {
  readonly plan: Plan;
  /** From 0. */
  readonly index: number;
}

/** How a block of the second dialect treats calls that its entries do not take. */
export interface Script {
  readonly plan: Plan;
  /** What an unexpected call gets. */
  readonly unexpected: "tool-error" | "error";
  /** What a call of a tool gets that nobody knows. */
  readonly unknownTool: "tool-error" | "error";
  /** The reserved tool that answers the verdict. */
  readonly finalizeTool: string;
}

export interface BlockTool {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject | null;
  /** What `tools/list` shows beside name, description and input schema: `title`, `outputSchema` and the like. */
  readonly listed: JsonObject;
  readonly entries: readonly Entry[];
}

/** What a file of the second dialect offers beside tools. */
export interface Offers {
  /** What the server calls itself, and tells of itself; `null` when the file does not say. */
  readonly server: { readonly serverInfo: JsonObject; readonly instructions: string | null } | null;
  readonly resources: readonly OfferedResource[];
  /** Texts may hold `{{args.name}}`, for the variables of the template. */
  readonly templates: readonly OfferedResource[];
  readonly prompts: readonly OfferedPrompt[];
}

/** A resource, or a template of resources. */
export interface OfferedResource {
  /** The URI, or the template of URIs. */
  readonly uri: string;
  /** As lists show it. */
  readonly definition: JsonObject;
  /** `{ text }` or `{ blob }`. */
  readonly content: JsonObject;
}

/** A prompt. Its messages may hold `{{args.name}}`. */
export interface OfferedPrompt {
  readonly name: string;
  /** As lists show it. */
  readonly definition: JsonObject;
  readonly messages: readonly JsonObject[];
}

/** A checked block as the store keeps it. */
export interface Block {
  readonly id: string;
  /** Load order, counted as an entry's. */
  readonly order: number;
  readonly source: string;
  /** The block's own `mount` value; the store's mount is where it answers. */
  readonly mount: string;
  readonly scope: McpFakeScope;
  readonly undeclaredTools: "allow" | "deny";
  readonly tools: readonly BlockTool[];
  /** `null` for the blocks of `mcpFakes`. */
  readonly script: Script | null;
  /** `null` for the blocks of `mcpFakes`. */
  readonly offers: Offers | null;
}

/** A call that a script did not expect. */
export interface UnexpectedCall {
  readonly kind: "unexpected";
  readonly received: Json;
  /** Why no entry took it, in words. */
  readonly reason: string;
  /** What the script waits for, in words; nothing when it waits for nothing. */
  readonly expected: readonly string[];
  readonly script: Script;
}

/** What a claim found. `unfaked` = no block declares the tool and the world is open: answer it as without fakes. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly entry: Entry;
      /** The entry's own, with what its template asked for. */
      readonly answer: EntryAnswer;
    }
  | {
      readonly kind: "mismatch";
      readonly received: Json;
      readonly declared: readonly ({ id: string; consumed: boolean } & DeclaredMatch)[];
      readonly firstDifference: string;
    }
  | { readonly kind: "exhausted"; readonly received: Json; readonly matching: readonly string[] }
  | { readonly kind: "not_declared"; readonly declaredTools: readonly string[] }
  | { readonly kind: "evicted"; readonly cap: number }
  | UnexpectedCall
  | {
      readonly kind: "unfaked";
      /** What a call gets that nothing else answers either. */
      readonly unknownTool: "tool-error" | "error";
    };

/** What an entry takes, as its author wrote it: exact arguments, any, or its conditions by name. */
export type DeclaredMatch = { args: JsonObject } | { anyArgs: true } | { when: JsonObject };

/** The outcomes that mean "the scenario is wrong". */
export type FailureKind =
  | "mismatch"
  | "exhausted"
  | "not_declared"
  | "unexpected"
  | "evicted"
  | "internal_error"
  | "test_ended";

/** How one `tools/call` ended, in one word. From `verdict` on, no fake answered or refused it. */
export type CallOutcome =
  | "answered"
  | FailureKind
  | "verdict"
  | "handler"
  | "upstream"
  | "empty"
  | "unknown_tool"
  | "invalid";

/** The facts of one `tools/call`, noted while it is answered. Reports, matchers and metrics read these. */
export interface CallFact {
  readonly tool: string;
  readonly args: Json;
  /** The path that the mock is served at. */
  readonly mount: string;
  readonly outcome: CallOutcome;
  readonly entryId: string | null;
  /** The `tools/call` result that was sent, or `null` when an error was sent. */
  readonly result: ToolResult | null;
  /** The JSON-RPC error that was sent, or `null`. */
  readonly error: CallError | null;
  /** Only when an expectation took the call: its index, from 0. */
  readonly expectation?: number;
  /** Only on failures: the entry that came closest. */
  readonly nearMiss?: NearMiss;
  /** Only when the answer went wrong on purpose: how. */
  readonly fault?: Fault["kind"];
}
