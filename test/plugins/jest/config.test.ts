import { expect, test } from "vitest";
import { withMcpFakes } from "../../../plugins/jest/config.ts";
import { createConsumer } from "../../_support/consumer.ts";
import { thrownBy } from "../../_support/thrown.ts";

const TIMEOUT = { timeout: 60_000 };

/** Every kind of test function, and what the plugin makes of its name. */
const TESTS = (file: string) => `import { mcp } from "mcp-fakes/jest";

const isIn = (name) => expect(mcp.testId).toMatch(new RegExp(\`^${file} › \${name}( \\\\(2\\\\))?$\`));
test("async", async () => isIn("async"));
test("done", (done) => {
  setTimeout(() => {
    isIn("done");
    done();
  }, 5);
});
test("generator", function* () {
  yield Promise.resolve();
  isIn("generator");
});
test.each([1, 2])("each %s", (n) => isIn(\`each \${n}\`));
`;

const FILES = {
  "a.test.js": TESTS("a.test.js"),
  "own-setup.cjs": 'module.exports = async () => console.log("own set-up");\n',
  "own-teardown.mjs": 'export default async () => console.log("own tear-down");\n',
};

const configured = (call: string) => `import { withMcpFakes } from "mcp-fakes/jest";

const transform = { "\\\\.[jt]s$": ["@swc/jest", {}] };
export default ${call};
`;

test("a configuration's own global hooks run beside the plugin's", TIMEOUT, async () => {
  const own = '{ transform, globalSetup: "./own-setup.cjs", globalTeardown: "<rootDir>/own-teardown.mjs" }';
  const files = { ...FILES, "jest.config.mjs": configured(`withMcpFakes({}, ${own})`) };
  const { exitCode, output } = await createConsumer(null, files).jest(["--runInBand", "--detectOpenHandles"]);
  expect(output).toContain("own set-up\n");
  expect(output).toContain("own tear-down\n");
  expect(output).toContain("\nTests:       5 passed, 5 total\n");
  expect(output).not.toContain("open handle");
  expect(exitCode).toBe(0);
});

/** Uses a fake of a file that each test may use once, and one of its own, and tells under which id and where. */
const USE = `import { mcp } from "mcp-fakes/jest";
import { call } from "./agent.ts";

test("weather", async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  await call(mcp.url, "search");
  await call(mcp.url, "get_weather");
  expect(mcp).toHaveConsumedAllFakes();
  console.log(\`used as \${mcp.testId} at \${new URL(mcp.url).port};\`);
});
`;

const WEATHER = JSON.stringify({
  mcpFakes: {
    scope: { testId: "use.test.js › weather" },
    tools: [{ name: "get_weather", calls: [{ args: {}, result: "rain" }] }],
  },
});

test("projects that run the same file share one server and keep apart", TIMEOUT, async () => {
  const projects =
    '[{ displayName: "one", transform, globalSetup: "./own-setup.cjs" }, { displayName: "two", transform }]';
  const { exitCode, output } = await createConsumer(null, {
    ...FILES,
    "use.test.js": USE,
    "fixtures/weather.json": WEATHER,
    "jest.config.mjs": configured(`withMcpFakes({ fixtures: "./fixtures" }, { projects: ${projects} })`),
  }).jest();
  expect(output).toContain("own set-up\n");
  const used = [...output.matchAll(/used as (.*) at (\d+);/g)];
  expect(used.map(([, testId]) => testId).toSorted()).toEqual(["use.test.js › weather", "use.test.js › weather (2)"]);
  expect(new Set(used.map(([, , port]) => port)).size).toBe(1);
  expect(output.match(/^mcp-fakes: .*/gm)).toEqual(["mcp-fakes: 1 fixture file gave 2 answers: weather.json (2)."]);
  expect(output).toContain("\nTests:       12 passed, 12 total\n");
  expect(exitCode).toBe(0);
});

test("the preset", TIMEOUT, async () => {
  const files = { ...FILES, "jest.config.mjs": configured('{ preset: "mcp-fakes", transform }') };
  const { exitCode, output } = await createConsumer(null, files).jest();
  expect(output).toContain("\nTests:       5 passed, 5 total\n");
  expect(exitCode).toBe(0);
});

test("what belongs in the other argument, or in none, is refused with all the rest", () => {
  const thrown = thrownBy(() => withMcpFakes({ testEnvironment: "node", port: "80" } as never, "ts-jest" as never));
  const options =
    "fixtures, setup, mount, host, port, url, verify, untagged, patchEnv, logLevel, fixtureCountsMax, journalMax";
  expect(String(thrown)).toBe(`Error: mcp-fakes cannot start:
  - there is no option "testEnvironment". The options are ${options}. Jest's own belong in the second argument: withMcpFakes({ … }, { testEnvironment: "node" }).
  - "port" must be a whole number from 0 to 65535, got "80".
  - the second argument must be a Jest configuration, or a function that makes one, got "ts-jest".`);
});

test.each([null, 7, [{}]])("%j is no Jest configuration", (config) => {
  expect(String(thrownBy(() => withMcpFakes({}, config as never)))).toContain("the second argument must be a Jest");
});
