// The cases know no runner: another one is tried by another file in place of this.
export { mcp } from "mcp-fakes/vitest";
export { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
