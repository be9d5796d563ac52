import { afterEach, expect } from "vitest";
import { takeProblems, watchServers } from "./wire-check.ts";
import { takeChildProblems } from "./wire-children.ts";

watchServers();

afterEach(() => {
  expect(
    [...takeProblems(), ...takeChildProblems()],
    "every MCP message that a server sends fits the specification's schema",
  ).toEqual([]);
});
