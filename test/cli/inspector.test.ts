import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { fetchTool } from "../_support/on-demand.ts";
import { CLI } from "../_support/program.ts";
import { startServer } from "../_support/server.ts";

/** The last release of the inspector whose command line runs on Node 20. */
const INSPECTOR = {
  spec: "@modelcontextprotocol/inspector@0.15.0",
  home: "inspector",
  program: "@modelcontextprotocol/inspector/cli/build/cli.js",
};

let inspector = "";
let missing: string | null = null;
beforeAll(async () => {
  try {
    inspector = await fetchTool(INSPECTOR);
  } catch (error) {
    missing = `the inspector cannot be fetched from the registry: ${error}`;
  }
}, 300_000);

async function inspect(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, "--cli", ...args]);
  return JSON.parse(stdout);
}

const SERVER = ["node", CLI, "serve", "fixtures/weather", "--stdio", "--test-id", "weather › seattle"];
const CALL = ["--method", "tools/call", "--tool-name", "get_weather", "--tool-arg", "city=Seattle"];
const ANSWER = {
  content: [{ type: "text", text: '{"tempF":60,"conditions":"rain"}' }],
  structuredContent: { tempF: 60, conditions: "rain" },
  isError: false,
};

test("the inspector lists and calls over stdio", { timeout: 60_000 }, async ({ skip }) => {
  if (missing !== null) skip(missing);
  expect(await inspect(...SERVER, "--method", "tools/list")).toEqual({
    tools: [{ name: "get_weather", inputSchema: { type: "object" } }],
  });
  expect(await inspect(...SERVER, ...CALL)).toEqual(ANSWER);
});

test("the inspector calls over Streamable HTTP", { timeout: 60_000 }, async ({ skip }) => {
  if (missing !== null) skip(missing);
  const { url } = await startServer({}, (llm) => llm.loadFixtureDir("fixtures/weather"));
  const tagged = `${url}/mcp?testId=${encodeURIComponent("weather › seattle")}`;
  expect(await inspect(tagged, "--transport", "http", ...CALL)).toEqual(ANSWER);
});
