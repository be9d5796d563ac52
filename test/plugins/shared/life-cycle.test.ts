import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { chooseRunner } from "../../_support/consumer-project.ts";
import { send } from "../../_support/http.ts";
import { startServer } from "../../_support/server.ts";

const TIMEOUT = { timeout: 60_000 };
const RUNNERS = ["vitest", "jest"] as const;

/** Tells where the server is, and then does not end. */
const WAITING = `import { mcp, test } from "./runner.ts";

test("waits", () => {
  process.stderr.write(\`server at port \${new URL(mcp.url).port};\\n\`);
  return new Promise((resolve) => setTimeout(resolve, 20_000));
}, 30_000);
`;

const GREEN = 'import { test } from "./runner.ts";\n\ntest("green", () => {});\n';

/** The configuration files of both runners. */
function configured(options: object): Record<string, string> {
  const given = JSON.stringify(options);
  return {
    "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";\n\nexport default { plugins: [mcpFakes(${given})] };\n`,
    "jest.config.mjs": `import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";

export default withMcpFakes(${given}, base);
`,
  };
}

const ENDS = RUNNERS.flatMap((runner) => (["SIGINT", "SIGKILL"] as const).map((signal) => ({ runner, signal })));

test.for(ENDS)("the server of $runner ends with it on $signal", TIMEOUT, async ({ runner, signal }) => {
  const consumer = createConsumer(null, { ...configured({}), "a.test.ts": WAITING });
  const running = consumer.follow(runner, runner === "vitest" ? ["--run"] : ["--runInBand"]);
  const [, port] = /server at port (\d+);/.exec(await running.next(/server at port \d+;/)) ?? [];
  const health = `http://127.0.0.1:${port}/__aimock/health`;
  expect((await send(health)).status).toBe(200);
  await running.stop(signal);
  await expect(send(health)).rejects.toThrow("ECONNREFUSED");
});

test.for(RUNNERS)("%s says what to do about a port that is taken", TIMEOUT, async (runner) => {
  const port = Number(new URL((await startServer()).url).port);
  const consumer = createConsumer(null, { ...configured({ port }), "a.test.ts": GREEN });
  const { exitCode, output } = await consumer[runner]();
  expect(output).toContain(
    `mcp-fakes cannot start: port ${port} of 127.0.0.1 is taken. Leave "port" out to get a free one.\n`,
  );
  expect(exitCode).toBe(1);
});

test.for(RUNNERS)("%s says what to do about a server that is not there", TIMEOUT, async (runner) => {
  const consumer = createConsumer(null, { ...configured({ url: "http://127.0.0.1:1" }), "a.test.ts": GREEN });
  const { exitCode, output } = await consumer[runner]();
  expect(output).toContain(
    'mcp-fakes cannot start: no server answers at "url" http://127.0.0.1:<port> (connect ECONNREFUSED 127.0.0.1:<port>). ' +
      'Start it first, with mcp-fakes serve, or leave "url" out: then the run starts one.\n',
  );
  expect(exitCode).toBe(1);
});

/** Uses the handle of one copy in the test of another. */
const TWO_COPIES = (runner: string) => `import { mcp as other } from "mcp-fakes-copy/${runner}";
import { call } from "./agent.ts";
import { expect, mcp, test } from "./runner.ts";

test("one state", async () => {
  expect(other).not.toBe(mcp);
  expect(other.testId).toBe("a.test.ts › one state");
  await other.fake("search", { args: {}, result: "yes" });
  await call(other.url, "search");
  expect(mcp).toHaveConsumedAllFakes();
  expect(other).toHaveCalledToolTimes("search", 1);
});
`;

test.for(RUNNERS)("two copies of the package are one in %s", TIMEOUT, async (runner) => {
  const consumer = createConsumer(null, { ...configured({}), "a.test.ts": TWO_COPIES(runner) });
  const [original, copy] = ["mcp-fakes", "mcp-fakes-copy"].map((name) => join(consumer.folder, "node_modules", name));
  cpSync(String(original), String(copy), { recursive: true });
  const manifest = join(String(copy), "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"name": "mcp-fakes"', '"name": "mcp-fakes-copy"'));
  const { exitCode, output } = await consumer[runner]();
  expect(output).toMatch(/Tests:? +1 passed/);
  expect(exitCode).toBe(0);
});

/** What editors do: a second run begins while the first is going on, in one process. */
const TWICE = {
  vitest: `import { startVitest } from "vitest/node";

const runs = await Promise.all([1, 2].map(() => startVitest("test", [], { watch: false, reporters: ["default"] })));
for (const run of runs) await run.close();
`,
  jest: `import { runCLI } from "jest";

for (const _ of [1, 2]) {
  const { results } = await runCLI({ runInBand: true, _: [], $0: "" }, [process.cwd()]);
  if (!results.success) process.exitCode = 1;
}
`,
};

test.for(RUNNERS)("set-up that %s starts twice in one process", TIMEOUT, async (runner) => {
  const consumer = createConsumer(null, { ...configured({}), "a.test.ts": GREEN, "twice.mjs": TWICE[runner] });
  chooseRunner(consumer.folder, runner);
  const { exitCode, output } = await consumer.node(["twice.mjs"]);
  expect(output.match(/Tests:? +1 passed/g)).toHaveLength(2);
  expect(exitCode).toBe(0);
});
