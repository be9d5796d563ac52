import { afterEach, expect } from "vitest";
import { takeProblems, watchServers } from "./wire-check.ts";

watchServers();

afterEach(() => {
  expect(takeProblems(), "every MCP message that a server sends fits the specification's schema").toEqual([]);
});
