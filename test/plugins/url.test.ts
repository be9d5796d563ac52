import { describe, expect, test } from "vitest";
import { createConsumer } from "../_support/consumer.ts";
import { send } from "../_support/http.ts";
import { startServe } from "../_support/program.ts";
import type { RunnerResult } from "../_support/runner-process.ts";
import { tempFile } from "../_support/temp.ts";

// Runs that use a server which somebody else has started, as one in a container is.

const TOKEN = "a-token-of-the-run";
const SCENARIO = {
  scope: { testId: "books a trip" },
  tools: [{ name: "book", calls: [{ args: { city: "Oslo" }, result: "TRIP-1" }] }],
};

const SUITE = `import { call } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

test("books a trip", async () => {
  await call(mcp.url, "book", { city: "Oslo" });
  expect(mcp).toHaveCalledTool("book", { city: "Oslo" });
});

test("fakes of its own", async () => {
  await mcp.fake("pay", { anyArgs: true, result: "paid" });
  await call(mcp.url, "pay");
  expect(mcp).toHaveConsumedAllFakes();
});

test("forgets to pay", async () => {
  await mcp.fake("pay", { anyArgs: true, result: "paid" });
});
`;

const RUNNERS = {
  vitest: (url: string) => ({
    "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";\nexport default { plugins: [mcpFakes({ url: "${url}" })] };\n`,
  }),
  jest: (url: string) => ({
    "jest.config.mjs": `import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";
export default withMcpFakes({ url: "${url}" }, base);\n`,
  }),
};

type Runner = keyof typeof RUNNERS;

function run(runner: Runner, server: { url: string }, token: string): Promise<RunnerResult> {
  const project = createConsumer(null, { "trip.test.ts": SUITE, ...RUNNERS[runner](server.url) });
  return project[runner]([], { MCP_FAKES_TOKEN: token });
}

describe.each(["vitest", "jest"] as const)("%s", (runner) => {
  test("a run uses a server that demands a token, and leaves it running", { timeout: 60_000 }, async () => {
    const server = await startServe(["--token", TOKEN, tempFile("trip.json", { mcpFakes: SCENARIO })]);
    const { exitCode, output } = await run(runner, server, TOKEN);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/Tests: +1 failed, 2 passed|Tests {2}1 failed \| 2 passed/);
    expect(output).toContain("Test: trip.test.ts › forgets to pay\n");
    expect(output).not.toContain(TOKEN);
    expect((await send(server.url)).status).toBe(404); // it still answers
  });

  test("a run with a wrong token does not start, and says why", { timeout: 60_000 }, async () => {
    const server = await startServe(["--token", TOKEN, tempFile("trip.json", { mcpFakes: SCENARIO })]);
    const { exitCode, output } = await run(runner, server, "another-token-than-that");
    expect(exitCode).toBe(1);
    expect(output).toContain(
      "mcp-fakes cannot start: the server at http://127.0.0.1:<port> asks for its token, and MCP_FAKES_TOKEN holds another one: set it to the one that the server was started with.\n",
    );
  });
});
