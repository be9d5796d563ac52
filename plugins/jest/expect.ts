import type { MatchersOn } from "./matchers-on.ts";

/**
 * For tests in Jest that take `expect` from the package of that name: the handle, and there the types of its matchers.
 *
 * @example
 * ```ts
 * import { expect } from "expect";
 * import { mcp } from "mcp-fakes/jest/expect";
 * ```
 */
export { type McpHandle, mcp } from "../shared/handle.ts";

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MatchersOn<R, T> {}
}
