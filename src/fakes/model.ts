import type { McpFakeScope } from "../fixtures/types.ts";
import type { Json, JsonObject } from "../json.ts";
import type { EntryFault, ServerFault } from "./fault.ts";
import type { Offers } from "./offers.ts";
import type { Condition } from "./reason.ts";
import type { Expectation, Script } from "./script.ts";
import type { Step } from "./step.ts";
import type { Target } from "./target.ts";

/** Where a block came from: decides its id and which counter numbers it. */
export type Origin = "file" | "code" | "control-api";

/** The result object of a request as it goes on the wire. */
export interface EntryResult {
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
      readonly result: EntryResult;
      /** `JSON.stringify(result)`, made once so that answering costs no serialising. */
      readonly text: string;
    }
  | { readonly kind: "protocol-error"; readonly error: CallError }
  /** Nothing, until the client gives up. */
  | { readonly kind: "never" };

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
  readonly target: Target;
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
  /** Whether it may break what its target promises its clients. */
  readonly isUnsafe: boolean;
  /** The scenario's state once this entry has answered; `null` leaves it. */
  readonly setState: string | null;
  /** Its place in a plan; `null` for an entry that is no expectation. */
  readonly expectation: Expectation | null;
}

/** A tool, resource or prompt that a block answers for. */
export interface BlockTarget extends Target {
  /** As lists show it. */
  readonly definition: JsonObject;
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
  /** In the order declared: tools, then resources, then prompts. */
  readonly targets: readonly BlockTarget[];
  /** What goes wrong with the methods of the server. */
  readonly faults: readonly ServerFault[];
  /** `null` for the blocks of `mcpFakes`. */
  readonly script: Script | null;
  /** `null` for the blocks of `mcpFakes`. */
  readonly offers: Offers | null;
}
