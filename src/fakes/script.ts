import type { Entry } from "./model.ts";

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
