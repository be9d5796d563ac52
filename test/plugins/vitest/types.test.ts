import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    allowImportingTsExtensions: true,
  },
  include: ["usage.ts", "vitest.config.ts"],
});

/** Right uses, and wrong ones that must be errors. */
const USAGE = `import { mcp, mcpFakes, type McpFakesOptions, type ToolCall } from "mcp-fakes/vitest";
import { expect } from "vitest";

const options: McpFakesOptions = { fixtures: ["./fixtures"], verify: "failures" };
mcpFakes(options);
// @ts-expect-error: there is no such word
mcpFakes({ verify: "none" });
// @ts-expect-error: there is no such option
mcpFakes({ fixtres: "./fixtures" });

expect(mcp).toHaveConsumedAllFakes();
expect(mcp).not.toHaveCalledTool("search", { query: expect.any(String) });
expect(mcp).toHaveCalledTools(["search", ["search", { query: "cats" }]], { exactly: true });
await expect.poll(() => mcp).toHaveCalledToolTimes("search", 2);
// @ts-expect-error: how often is missing
expect(mcp).toHaveCalledToolTimes("search");
// @ts-expect-error: there is no such matcher
expect(mcp).toHaveCalledTol("search");

const calls: readonly ToolCall[] = mcp.calls;
const warnings: readonly { message: string }[] = (await mcp.fake("search", { args: {}, result: "yes" })).warnings;
await mcp.loadFakes({ tools: [{ name: "search", calls: [{ anyArgs: true, error: "no" }] }] });
// @ts-expect-error: a result or an error, and arguments
await mcp.fake("search", "yes");
console.log(calls, warnings, mcp.headers["X-Test-Id"], mcp.env.MCP_FAKES_URL, mcp.report().ok);
`;

test("handle, options and matchers are typed, from the built package", { timeout: 60_000 }, async () => {
  const consumer = createConsumer("matchers", { "tsconfig.json": TSCONFIG, "usage.ts": USAGE });
  const { exitCode, output } = await consumer.node(["node_modules/typescript/bin/tsc", "--project", "."]);
  expect(output).toBe("");
  expect(exitCode).toBe(0);
});
