import type { McpFakeScope } from "../fixtures/types.ts";
import type { Json, JsonObject } from "../json.ts";

/** Where a block came from: decides its id and which counter numbers it. */
export type Origin = "file" | "code" | "control-api";

/** The result object of `tools/call` as it goes on the wire. */
export interface ToolResult {
  [key: string]: Json;
}

/** What an entry answers: exactly these arguments (`key` is their canonical text), or any. */
export type EntryMatch =
  | { readonly kind: "args"; readonly args: JsonObject; readonly key: string }
  | { readonly kind: "any" };

/** One scripted answer, checked and expanded. */
export interface Entry {
  /** `<block id>:<local name>`, unique on its mount. */
  readonly id: string;
  /** Place among all that was ever loaded on its mount; blocks and entries are counted together. */
  readonly order: number;
  readonly tool: string;
  readonly match: EntryMatch;
  readonly result: ToolResult;
  /** `JSON.stringify(result)`, made once so that answering costs no serialising. */
  readonly resultText: string;
  readonly optional: boolean;
}

export interface BlockTool {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject | null;
  readonly entries: readonly Entry[];
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
}

/** What a claim found. `unfaked` = no block declares the tool and the world is open: answer it as without fakes. */
export type Outcome =
  | { readonly kind: "answered"; readonly entry: Entry }
  | {
      readonly kind: "mismatch";
      readonly received: Json;
      readonly declared: readonly { id: string; args: JsonObject; consumed: boolean }[];
      readonly firstDifference: string;
    }
  | { readonly kind: "exhausted"; readonly received: Json; readonly matching: readonly string[] }
  | { readonly kind: "not_declared"; readonly declaredTools: readonly string[] }
  | { readonly kind: "evicted"; readonly cap: number }
  | { readonly kind: "unfaked" };

/** The outcomes that mean "the scenario is wrong". */
export type FailureKind = "mismatch" | "exhausted" | "not_declared" | "evicted" | "internal_error" | "test_ended";

/** How one `tools/call` ended, in one word. The last four are calls that no fake answered or refused. */
export type CallOutcome = "answered" | FailureKind | "handler" | "empty" | "unknown_tool" | "invalid";

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
  readonly error: { code: number; message: string; data?: Json } | null;
}
