import type { expect } from "vitest";
import type { MatcherSubject, McpFakesMatchers, WrongSubject } from "../shared/matchers/types.ts";
import type { RunFacts } from "../shared/worker-state.ts";

export type { McpFakeBlock, McpFakeCall, McpFakeScope, McpFakeTool } from "../../src/fixtures/types.ts";
export type { PromptUse, ResourceRead, ToolCall } from "../../src/journal/report.ts";
export type { ModelTurn } from "../../src/journal/turns.ts";
export { type McpHandle, mcp, type TestFakeBlock } from "../shared/handle.ts";
export type { McpFakesMatchers } from "../shared/matchers/types.ts";
export type { McpFakesOptions } from "../shared/options.ts";
export { mcpFakes } from "./plugin.ts";

declare module "vitest" {
  interface ProvidedContext {
    mcpFakes: RunFacts;
  }
}

// Vitest 3, 4 and 5 disagree about the type parameters of their own `Matchers`; all of them take in chai's assertions,
// which do not know what `expect` was given. That is learned from the assertion that a matcher is called on.
declare global {
  namespace Chai {
    interface Assertion extends OnAssertion<McpFakesMatchers> {}
  }
}

type OnAssertion<Matchers> = {
  [Name in keyof Matchers]: Matchers[Name] extends (...args: infer Args) => void
    ? <Given>(this: [Given] extends [MatcherSubject] ? AssertionOf<Given> : WrongSubject, ...args: Args) => void
    : never;
};

/** What `expect` answers, whichever type parameters that has. */
type AssertionOf<Given> = ReturnType<typeof expect<Given>>;
