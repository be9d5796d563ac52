import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const tsconfig = (options: Readonly<Record<string, boolean>>) =>
  JSON.stringify({
    compilerOptions: {
      module: "nodenext",
      target: "es2023",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"],
      allowImportingTsExtensions: true,
      ...options,
    },
    include: ["usage.ts", "vitest.config.ts"],
  });

/** Right uses, and wrong ones that must be errors. */
const USAGE = `import { type McpFakeCall, MCPMock } from "mcp-fakes";
import { mcp, mcpFakes, type McpFakesOptions, type ToolCall } from "mcp-fakes/vitest";
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
// @ts-expect-error: a number called no tool
expect(42).toHaveCalledTool("search");
// @ts-expect-error: nor did a URL, not even none
expect(mcp.url).not.toHaveCalledTool("search");
// @ts-expect-error: there is no such matcher
expect(mcp).toHaveCalledTol("search");

const calls: readonly ToolCall[] = mcp.calls;
const warnings: readonly { message: string }[] = (await mcp.fake("search", { args: {}, result: "yes" })).warnings;
await mcp.loadFakes({ tools: [{ name: "search", calls: [{ anyArgs: true, error: "no" }] }] });
// @ts-expect-error: a result or an error, and arguments
await mcp.fake("search", "yes");
console.log(calls, warnings, mcp.headers["X-Test-Id"], mcp.env.MCP_FAKES_URL, mcp.report().ok);

interface Found {
  title: string;
  tags: string[];
}
const found: Found = { title: "Cats", tags: [] };
const content = [{ type: "text", text: "Cats" }] as const;
const blocks = [{ tools: [{ name: "search", calls: [{ anyArgs: true, result: content }] }] }] as const;
await mcp.loadFakes(blocks);
await mcp.fake("search", { args: found, result: found }, { partialArgs: found, argsMatch: { q: "c" }, timeout: true });
// @ts-expect-error: arguments are an object
await mcp.fake("search", { args: ["cats"], result: "yes" });
// @ts-expect-error: no answer
await mcp.fake("search", { args: {} });
// @ts-expect-error: no matcher
await mcp.fake("search", { result: "yes" });
// @ts-expect-error: two answers
await mcp.fake("search", { args: {}, result: "yes", error: "no" });
// @ts-expect-error: anyArgs stands alone
await mcp.fake("search", { args: {}, anyArgs: true, result: "yes" });
const made: McpFakeCall[] = ["a", "b"].map((q) => ({ args: { q }, result: "yes" }));
await mcp.fake("search", ...made);

new MCPMock()
  .addTool({ name: "search", inputSchema: { type: "object", required: ["q"] } as const })
  .onToolCall("search", (args: { q: string }) => args.q)
  .onToolCall("other", ({ q }, { signal }) => (signal.aborted ? null : q));
`;

test.each([
  ["the oldest TypeScript", "typescript-5.9", {}],
  ["the newest TypeScript", "typescript-7", { exactOptionalPropertyTypes: true }],
])("handle, options, matchers and mocks are typed, with %s", { timeout: 60_000 }, async (_name, compiler, options) => {
  const consumer = createConsumer("matchers", { "tsconfig.json": tsconfig(options), "usage.ts": USAGE });
  const { exitCode, output } = await consumer.node([`node_modules/${compiler}/bin/tsc`, "--project", "."]);
  expect(output).toBe("");
  expect(exitCode).toBe(0);
});
