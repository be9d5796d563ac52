import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { startServer } from "../../_support/server.ts";

const TIMEOUT = { timeout: 60_000 };
const GREEN = 'import { test } from "vitest";\n\ntest("green", () => {});\n';

const SETUP_CONFIG = `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes({ setup: "./mocks.ts" })] };
`;

/** What a run with these options, in the words of a configuration file, says when it does not start. */
async function refusal(options: string, files: Record<string, string> = {}): Promise<string> {
  const { exitCode, output } = await createConsumer(null, {
    "a.test.ts": GREEN,
    "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";\n\nexport default { plugins: [${options}] };\n`,
    ...files,
  }).vitest();
  expect(exitCode).toBe(1);
  const [, text = output] = /⎯ (?:Unhandled|Startup) Error ⎯+\n(.*)$/s.exec(output) ?? [];
  return text.trim();
}

test("wrong options are named all at once, with the good ones", TIMEOUT, async () => {
  expect(
    await refusal('mcpFakes({ fixtres: "./fixtures", verify: "none", port: 70_000 })'),
  ).toBe(`[Error: mcp-fakes cannot start:
  - there is no option "fixtres". The options are fixtures, setup, mount, host, port, url, verify, untagged, patchEnv, logLevel, fixtureCountsMax, journalMax.
  - "verify" must be "all", "failures" or "off", got "none".
  - "port" must be a whole number from 0 to 65535, got 70000.]`);
});

test("a plugin that is there twice", TIMEOUT, async () => {
  expect(await refusal("mcpFakes(), mcpFakes()")).toBe(
    "Error: mcp-fakes cannot start: mcpFakes() is in this project's plugins 2 times. Leave one.",
  );
});

test("every problem of every fixture", TIMEOUT, async () => {
  const files = {
    "fixtures/no-scope.json":
      '{ "mcpFakes": { "tools": [{ "name": "a", "calls": [{ "args": {}, "result": null }] }] } }',
    "fixtures/stranger.json": '{ "mcpFake": {} }',
  };
  expect(
    await refusal('mcpFakes({ fixtures: ["./fixtures", "./missing"] })', files),
  ).toBe(`Error: mcp-fakes cannot start: the fixtures cannot be honoured.
  - "./missing": [fixtures/unreadable] cannot read "<root>/missing": no such file or folder
  - "stranger.json": [fixtures/bad-file] has unknown key "mcpFake"; a fixture file is an object with "fixtures" (an array), "mcpFakes" (a block or an array of blocks) or both
  - "stranger.json": [fixtures/bad-file] has neither "fixtures" nor "mcpFakes"; a fixture file is an object with "fixtures" (an array), "mcpFakes" (a block or an array of blocks) or both
  - "no-scope.json", block "no-scope.json": [mcp-fakes/bad-block:a] block has no scope
  - "no-scope.json", block "no-scope.json", entry "no-scope.json:a#0": [mcp-fakes/bad-block:d] tool "a" calls[0] result must be a string, a content array or an object, got null`);
});

test("a set-up module that throws, with its own place", TIMEOUT, async () => {
  const files = { "mocks.ts": 'export default () => {\n  throw new Error("no database");\n};\n' };
  expect(await refusal('mcpFakes({ setup: "./mocks.ts" })', files)).toMatch(
    /^Error: mcp-fakes cannot start: the set-up module <root>\/mocks\.ts failed: Error: no database\n {4}at \S+ \(<root>\/mocks\.ts:\d+:\d+\)/,
  );
});

test("a set-up module that exports no function", TIMEOUT, async () => {
  expect(await refusal('mcpFakes({ setup: "./mocks.ts" })', { "mocks.ts": "export const llm = 5;\n" })).toBe(
    "Error: mcp-fakes cannot start: the set-up module <root>/mocks.ts failed: Error: it has no default export that is a function of the LLMock.",
  );
});

test("a set-up module that ends its process", TIMEOUT, async () => {
  const files = { "mocks.ts": "export default () => process.exit(0);\n" };
  expect(await refusal('mcpFakes({ setup: "./mocks.ts" })', files)).toBe(
    "Error: mcp-fakes cannot start: the set-up module ./mocks.ts ended the server's thread with exit code 0. Throw an error in place of calling process.exit().",
  );
});

test("a set-up module that ends its process later", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer(null, {
    "a.test.ts": `import { test } from "vitest";\n\ntest("green", () => new Promise((resolve) => setTimeout(resolve, 1000)));\n`,
    "mocks.ts": "export default () => void setTimeout(() => process.exit(0), 300);\n",
    "vitest.config.ts": SETUP_CONFIG,
  }).vitest();
  expect(output).toContain(
    "mcp-fakes: the server at http://127.0.0.1:<port> has stopped: the set-up module ./mocks.ts ended the server's thread with exit code 0. Throw an error in place of calling process.exit().\n",
  );
  expect(exitCode).toBe(1);
});

test("a set-up module that takes its time is named while it is waited for", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer(null, {
    "a.test.ts": GREEN,
    "mocks.ts": "export default () => new Promise((resolve) => setTimeout(resolve, 7000));\n",
    "vitest.config.ts": SETUP_CONFIG,
  }).vitest();
  expect(output).toContain(
    "mcp-fakes: the set-up module ./mocks.ts is still being loaded after 5 s. The tests start when that is done.\n",
  );
  expect(exitCode).toBe(0);
});

test("a port that is taken", TIMEOUT, async () => {
  const { url } = await startServer();
  const { port } = new URL(url);
  expect(await refusal(`mcpFakes({ port: ${port} })`)).toBe(
    `Error: mcp-fakes cannot start: port ${port} of 127.0.0.1 is taken. Leave "port" out to get a free one.`,
  );
});

test("a host that is not this machine's", TIMEOUT, async () => {
  expect(await refusal('mcpFakes({ host: "10.99.99.99" })')).toBe(
    'Error: mcp-fakes cannot start: this machine cannot listen on "host" 10.99.99.99: listen EADDRNOTAVAIL: address not available 10.99.99.99',
  );
});

test("a url where no server is, and one where another kind of server is", TIMEOUT, async () => {
  const other = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = typeof address === "object" ? address?.port : 0;
  expect(await refusal('mcpFakes({ url: "http://127.0.0.1:1" })')).toBe(
    'Error: mcp-fakes cannot start: no server answers at "url" http://127.0.0.1:<port> (connect ECONNREFUSED 127.0.0.1:<port>). Start it first, with mcp-fakes serve, or leave "url" out: then the run starts one.',
  );
  expect(await refusal(`mcpFakes({ url: "http://127.0.0.1:${port}" })`)).toBe(
    "Error: mcp-fakes cannot start: the server at http://127.0.0.1:<port> is not one of mcp-fakes: it answers GET /__aimock/tests with 200 and no JSON.",
  );
});
