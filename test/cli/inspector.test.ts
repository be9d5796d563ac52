import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { fetchNode } from "../_support/node-binary.ts";
import { fetchedOrSkipped, fetchTool } from "../_support/on-demand.ts";
import { CLI } from "../_support/program.ts";
import { startServer } from "../_support/server.ts";

/** The last release of the inspector whose command line runs on Node 20, and the newest, which needs Node 22. */
const INSPECTORS = [
  {
    name: "inspector 0.15",
    node: async () => process.execPath,
    tool: {
      spec: "@modelcontextprotocol/inspector@0.15.0",
      home: "inspector",
      program: "@modelcontextprotocol/inspector/cli/build/cli.js",
    },
    eras: ["--cli"],
  },
  {
    name: "inspector 2",
    node: () => fetchNode(22),
    tool: {
      spec: "@modelcontextprotocol/inspector@2.12.0",
      home: "inspector-2",
      program: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    },
    eras: ["--protocol-era=legacy", "--protocol-era=auto", "--protocol-era=modern"],
  },
];

const SERVER = ["node", CLI, "serve", "fixtures/weather", "--stdio", "--test-id", "weather › seattle"];
const CALL = ["--method", "tools/call", "--tool-name", "get_weather", "--tool-arg", "city=Seattle"];
const ANSWER = {
  content: [{ type: "text", text: '{"tempF":60,"conditions":"rain"}' }],
  structuredContent: { tempF: 60, conditions: "rain" },
  isError: false,
};

describe.each(INSPECTORS)("the $name", ({ node, tool, eras }) => {
  const fetched = async () => [await node(), await fetchTool(tool)] as const;

  test("lists and calls over stdio", { timeout: 300_000 }, async ({ skip }) => {
    const inspect = inspectorOf(await fetchedOrSkipped(fetched(), skip));
    expect(await inspect(...SERVER, "--method", "tools/list")).toEqual({
      tools: [{ name: "get_weather", inputSchema: { type: "object" } }],
    });
    expect(await inspect(...SERVER, ...CALL)).toMatchObject(ANSWER);
  });

  test.for(eras)("calls over Streamable HTTP with %s", { timeout: 300_000 }, async (era, { skip }) => {
    const inspect = inspectorOf(await fetchedOrSkipped(fetched(), skip));
    const { url } = await startServer({}, (llm) => llm.loadFixtureDir("fixtures/weather"));
    const tagged = `${url}/mcp?testId=${encodeURIComponent("weather › seattle")}`;
    expect(await inspect(tagged, "--transport", "http", era, ...CALL)).toMatchObject(ANSWER);
  });
});

/** A function that runs the inspector with some arguments; what it printed. */
function inspectorOf([command, program]: readonly [node: string, program: string]) {
  return async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(command, [program, "--cli", ...args]);
    return JSON.parse(stdout);
  };
}
