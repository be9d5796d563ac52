import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { fetchedOrSkipped, fetchTool } from "../../_support/on-demand.ts";

const TIMEOUT = { timeout: 90_000 };

/** A test that uses a fake of its own, in whichever kind of module. */
const USES = `
test("uses its own fake", async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = (message, more) =>
    fetch(mcp.url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const clientInfo = { name: "agent", version: "1.0.0" };
  const opened = await send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") };
  await send({ method: "notifications/initialized" }, session);
  await send({ id: 1, method: "tools/call", params: { name: "search", arguments: {} } }, session);
  expect(mcp).toHaveConsumedAllFakes();
});
`;

const COMMON_JS = `const { mcp } = require("mcp-fakes/jest");\n${USES}`;

/** The comment by which a file chooses its environment. Written in one piece, it would be this file's own. */
function inEnvironment(path: string): string {
  return `/** @jest-${"environment"} ${path} */\n`;
}

/** A configuration in which all that the plugin takes the place of is the user's own. */
const OWN = {
  "package.json": "{}",
  "jest.config.js": `const { withMcpFakes } = require("mcp-fakes/jest");

module.exports = withMcpFakes({}, {
  globalSetup: "<rootDir>/global-setup.ts",
  testRunner: "<rootDir>/own-runner.js",
  setupFiles: ["<rootDir>/own-file.js"],
  setupFilesAfterEnv: ["<rootDir>/own-file-after.js"],
  transform: { "\\\\.ts$": "@swc/jest", "\\\\.js$": "babel-jest" },
});
`,
  "global-setup.ts": "const word: string = 'own';\nexport default () => console.log(word, 'set-up in TypeScript');\n",
  "own-runner.js": `const { createRequire } = require("node:module");
const circus = createRequire(createRequire(require.resolve("jest")).resolve("jest-cli"))("jest-circus/runner");

module.exports = (...args) => {
  process.stderr.write("own runner\\n");
  return (circus.default ?? circus)(...args);
};
`,
  "own-file.js": "globalThis.ownFile = true;\n",
  "own-file-after.js": "afterEach(() => expect(globalThis.ownFile).toBe(true));\n",
  "a.test.js": COMMON_JS,
  "b.test.js": `${inEnvironment("mcp-fakes/jest/environment")}${COMMON_JS}`,
};

test("CommonJS with babel-jest, and own hooks, runner, environment and set-up files", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer(null, OWN).jest(["--detectOpenHandles"]);
  expect(output).toContain("own set-up in TypeScript\n");
  expect(output.match(/^own runner$/gm)).toHaveLength(2);
  expect(output).toContain("\nTests:       2 passed, 2 total\n");
  expect(output).not.toContain("open handle");
  expect(exitCode).toBe(0);
});

test("a shard has its own server", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer(null, OWN).jest(["--shard=2/2", "--maxWorkers=2"]);
  expect(output).toContain("\nTests:       1 passed, 1 total\n");
  expect(exitCode).toBe(0);
});

/** Packages that are too heavy to be dependencies. */
const EXTRA = { spec: ["ts-jest@29.4.15", "jest-environment-jsdom@30.5.2"], home: "jest-kinds", program: "ts-jest" };

test("a page of jsdom asks with its test's id, in TypeScript by ts-jest", { timeout: 300_000 }, async ({ skip }) => {
  const packages = dirname(await fetchedOrSkipped(fetchTool(EXTRA), skip));
  const consumer = createConsumer(null, {
    "tsconfig.json":
      '{ "compilerOptions": { "module": "commonjs", "isolatedModules": true, "esModuleInterop": true } }',
    "package.json": "{}",
    "jest.config.js": `const { withMcpFakes } = require("mcp-fakes/jest");

module.exports = withMcpFakes({}, { transform: { "\\\\.ts$": ["ts-jest", { diagnostics: false }] } });
`,
    "own-environment.js": `const { TestEnvironment } = require("jest-environment-jsdom");
const { createMcpFakesEnvironment } = require("mcp-fakes/jest");

module.exports = createMcpFakesEnvironment(TestEnvironment);
`,
    "a.test.ts": `import { mcp } from "mcp-fakes/jest";\n${USES}`,
    "b.test.ts": `${inEnvironment("./own-environment.js")}import { mcp } from "mcp-fakes/jest";

test("a page", async () => {
  const request = new XMLHttpRequest();
  request.open("POST", mcp.url);
  request.setRequestHeader("content-type", "application/json");
  request.setRequestHeader("accept", "application/json, text/event-stream");
  const loaded = new Promise((resolve) => request.addEventListener("loadend", resolve));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1.0.0" } };
  request.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
  await loaded;
  expect(request.status).toBe(200);
  expect(mcp.journal().map(({ mcp }) => mcp.method)).toEqual(["initialize"]);
});
`,
  });
  for (const name of ["ts-jest", "jest-environment-jsdom"]) {
    const link = join(consumer.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(packages, name), link);
  }
  const { exitCode, output } = await consumer.jest();
  expect(output).toContain("\nTests:       2 passed, 2 total\n");
  expect(exitCode).toBe(0);
});
