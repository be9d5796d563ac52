import type { SubjectIdentity } from "./subject.ts";
import type { CalledToolsOptions, WantedCall } from "./to-have-called-tools.ts";

/**
 * The matchers as `expect` offers them. The subject is `mcp`, an `MCPMock` or `LLMock` (then `identity` says whose calls
 * are meant; `mcp` and reports, which are one test's own, refuse it), or a report; anything else is an error. All work
 * with `.not`.
 */
export interface McpFakesMatchers {
  /**
   * Every test-scoped entry of the test was used, every test-scoped fault came and every test-scoped turn of a model was
   * asked for, and nothing failed.
   *
   * @example expect(mcp).toHaveConsumedAllFakes();
   */
  toHaveConsumedAllFakes(identity?: SubjectIdentity): void;
  /**
   * No mismatch, exhausted, undeclared, evicted or internal error, nothing unknown was asked for, and no request to a model
   * that no scripted turn answered.
   *
   * @example expect(mcp).toHaveNoFakeFailures();
   */
  toHaveNoFakeFailures(identity?: SubjectIdentity): void;
  /**
   * The tool was called, with these arguments if some are given (recursive equality, asymmetric matchers allowed).
   *
   * @example expect(mcp).toHaveCalledTool("create_ticket", { title: "Refund" });
   */
  toHaveCalledTool(name: string, args?: unknown, identity?: SubjectIdentity): void;
  /**
   * The tool was called exactly so often.
   *
   * @example expect(mcp).toHaveCalledToolTimes("create_ticket", 2);
   */
  toHaveCalledToolTimes(name: string, count: number, args?: unknown, identity?: SubjectIdentity): void;
  /**
   * These calls were made in this order; others may stand between them unless `exactly` is set.
   *
   * @example expect(mcp).toHaveCalledTools(["search", ["create_ticket", { title: "Refund" }]], { exactly: true });
   */
  toHaveCalledTools(calls: readonly WantedCall[], options?: CalledToolsOptions): void;
  /**
   * The resource was read.
   *
   * @example expect(mcp).toHaveReadResource("file:///readme.md");
   */
  toHaveReadResource(uri: string, identity?: SubjectIdentity): void;
  /**
   * The prompt was fetched, with these arguments if some are given.
   *
   * @example expect(mcp).toHaveUsedPrompt("summarize", { text: expect.any(String) });
   */
  toHaveUsedPrompt(name: string, args?: unknown, identity?: SubjectIdentity): void;
  /**
   * The tools were listed.
   *
   * @example expect(mcp).toHaveListedTools();
   */
  toHaveListedTools(identity?: SubjectIdentity): void;
  /**
   * The command was run through a shim of `mcp-fakes make-shims`, with these arguments if some are given.
   *
   * @example expect(mcp).toHaveRunCommand("git", ["push", "origin", expect.any(String)]);
   */
  toHaveRunCommand(name: string, args?: readonly unknown[], identity?: SubjectIdentity): void;
  /**
   * A model was asked: at least once, or exactly `count` times. Embeddings do not count.
   *
   * @example expect(mcp).toHaveAskedModel(2);
   */
  toHaveAskedModel(count?: number, identity?: SubjectIdentity): void;
  /**
   * A message of a request to a model (of the system, the user, a tool or the model itself) holds the text or matches it.
   *
   * @example expect(mcp).toHaveSentToModel(/TICKET-\d+/);
   */
  toHaveSentToModel(text: string | RegExp, identity?: SubjectIdentity): void;
}

/**
 * What the matchers are for: `mcp`, an `MCPMock` or `LLMock`, a report; each by what tells it from all else, so that the
 * types of another copy of this package fit too.
 */
export type MatcherSubject =
  | { readonly taggedUrl: string; report(): object }
  | { fakesReport(...identity: never[]): object; getRequests(): readonly object[] }
  | {
      readonly served: readonly object[];
      readonly unconsumed: readonly object[];
      readonly failures: readonly object[];
    };

/** What the compiler says of any other subject. */
export interface WrongSubject {
  "the subject must be mcp, an MCPMock, an LLMock or a report": never;
}
