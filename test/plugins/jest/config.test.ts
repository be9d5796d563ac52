import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const TIMEOUT = { timeout: 60_000 };

/** Every kind of test function, and what the plugin makes of its name. */
const TESTS = (file: string) => `import { mcp } from "mcp-fakes/jest";

const isIn = (name) => expect(mcp.testId).toBe(\`${file} › \${name}\`);
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

const transform = { "\\\\.js$": ["@swc/jest", {}] };
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

test("projects that run the same file keep apart", TIMEOUT, async () => {
  const projects =
    '[{ displayName: "one", transform, globalSetup: "./own-setup.cjs" }, { displayName: "two", transform }]';
  const files = { ...FILES, "jest.config.mjs": configured(`withMcpFakes({}, { projects: ${projects} })`) };
  const { exitCode, output } = await createConsumer(null, files).jest();
  expect(output).toContain("own set-up\n");
  expect(output).toContain("\nTests:       10 passed, 10 total\n");
  expect(exitCode).toBe(0);
});

test("the preset", TIMEOUT, async () => {
  const files = { ...FILES, "jest.config.mjs": configured('{ preset: "mcp-fakes", transform }') };
  const { exitCode, output } = await createConsumer(null, files).jest();
  expect(output).toContain("\nTests:       5 passed, 5 total\n");
  expect(exitCode).toBe(0);
});
