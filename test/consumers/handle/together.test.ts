import { setTimeout as pause } from "node:timers/promises";
import { failure } from "./failure.ts";
import { inTheOffice } from "./office.ts";
import { describe, expect, mcp, test } from "./runner.ts";

/** In a file of its own: Jest 29 runs the other tests of a file beside its concurrent ones. */
describe("with two at once, code without a context belongs to none", () => {
  const asked: string[] = [];

  for (const name of ["one", "the other"]) {
    test.concurrent(name, async () => {
      asked.push(name);
      while (asked.length < 2) await pause(1);
      const text = await inTheOffice(async () => failure(() => mcp.testId));
      expect(text).toContain("2 tests are running here, and none of them started the code that used it.");
      asked.push(name);
      while (asked.length < 4) await pause(1);
    });
  }
});
