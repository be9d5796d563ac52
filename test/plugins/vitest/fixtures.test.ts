import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const AGENT = readFileSync(resolve(import.meta.dirname, "../../consumers/shared/agent.ts"), "utf8");
const CONFIG = `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes({ untagged: "error" })] };
`;

const AUTOMATIC = `import { aroundEach, describe, expect, test as base } from "vitest";
import { mcp } from "mcp-fakes/vitest";
import { call } from "./agent.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const test = base.extend<{ own: string; used: string }>({
  own: [
    async ({}, use) => {
      await pause();
      await mcp.fake("set_up", { args: {}, result: "yes" });
      await mcp.fake("tear_down", { args: {}, result: "yes" });
      await call(mcp.url, "set_up");
      await use(mcp.testId);
      await call(mcp.url, "tear_down");
    },
    { auto: true },
  ],
  used: async ({ own }, use) => {
    await use(mcp.testId === own ? own : "another test's");
  },
});

describe("one after the other", () => {
  test("has its own id", ({ own, used }) => {
    expect([own, used]).toEqual([mcp.testId, mcp.testId]);
    expect(mcp).toHaveCalledToolTimes("set_up", 1);
  });
});

describe.concurrent("side by side", () => {
  for (const name of ["first", "second", "third"]) {
    test(name, async ({ own, expect }) => {
      await pause();
      expect(own).toBe(mcp.testId);
      expect(mcp.calls.map(({ tool }) => tool)).toEqual(["set_up"]);
    });
  }
});

describe("beside the user's own aroundEach", () => {
  aroundEach(async (runTest) => {
    await mcp.fake("around", { args: {}, result: "yes" });
    await call(mcp.url, "around");
    await runTest();
  });
  base("belongs to the test", () => expect(mcp).toHaveCalledToolTimes("around", 1));
});
`;

test("automatic fixtures belong to the test that they are made for", { timeout: 60_000 }, async () => {
  const files = { "agent.ts": AGENT, "vitest.config.ts": CONFIG, "automatic.test.ts": AUTOMATIC };
  const { exitCode, output } = await createConsumer(null, files).vitest();
  expect(output).toContain("      Tests  5 passed (5)\n");
  expect(exitCode).toBe(0);
});
