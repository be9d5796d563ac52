import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { CLI, startCli, startServe } from "../_support/program.ts";
import { tempFolder } from "../_support/temp.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
const SEATTLE = { name: "get_weather", arguments: { city: "Seattle" } };

/** The official client, joined to the built command line. */
async function connectStdio(...args: string[]): Promise<Client> {
  const client = new Client({ name: "stdio-client", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, "serve", "--stdio", ...args] }),
  );
  onTestFinished(() => client.close());
  return client;
}

test("serve --stdio answers one client from fixtures, as the test that it is told", async () => {
  const client = await connectStdio(join(FIXTURES, "weather"), "--test-id", "weather › seattle");
  expect((await client.callTool(SEATTLE)).structuredContent).toEqual({ tempF: 60, conditions: "rain" });
  await expect(client.callTool(SEATTLE)).rejects.toThrow("aimock MCP fake exhausted");
});

test("serve --stdio --url joins a client to a server that runs already", async () => {
  const { url } = await startServe([join(FIXTURES, "weather")]);
  const client = await connectStdio("--url", url, "--test-id", "weather › seattle");
  expect((await client.callTool(SEATTLE)).structuredContent).toEqual({ tempF: 60, conditions: "rain" });
  const report = await fetch(`${url}/__aimock/mcp/fakes/report?testId=weather+%E2%80%BA+seattle`);
  expect(await report.json()).toMatchObject({ ok: true, served: [{ tool: "get_weather" }] });
});

test.each([
  [["serve", "--stdio", "--port", "0"], "error: option '--stdio' cannot be used with option '-p, --port <n>'\n"],
  [["serve", "--stdio", "--watch"], "error: option '--stdio' cannot be used with option '-w, --watch'\n"],
  [
    ["proxy", "a.json", "--stdio", "--port", "0"],
    "error: option '--stdio' cannot be used with option '-p, --port <n>'\n",
  ],
  [
    ["serve", "--stdio", "--url", "http://127.0.0.1:1", "--log", "a.jsonl"],
    "error: option '--url <url>' cannot be used with option '--log <file>'\n",
  ],
  [
    ["serve", "--stdio", "--url", "http://127.0.0.1:1", "a.json"],
    "mcp-fakes: no paths with --url, got a.json: what is served is what the server at http://127.0.0.1:1 has loaded\n",
  ],
  [
    ["serve", "--stdio", "--url", "localhost:4010"],
    'mcp-fakes: --url must be the URL of a server, such as http://127.0.0.1:4010, got "localhost:4010"\n',
  ],
  [["serve", "--test-id", "a", "--url", "http://127.0.0.1:1"], "mcp-fakes: only with --stdio: --url, --test-id\n"],
])("what nothing would come of is refused: %j", async (words, message) => {
  const { exitCode, stdout, stderr } = await runCommand(...words);
  expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
});

test("it ends when its input does, with the call log flushed, and prints nothing but MCP", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const { child, output, ended } = startCli(["serve", "--stdio", "--mode", "lenient", "--log", log], {
    cwd: tempFolder(),
    env: { MOCKMCP_FIXTURE: join(FIXTURES, "mock/strict.mock.json") },
  });
  const say = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "by-hand", version: "1.0.0" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: { name: "create_pull_request", arguments: { base: "main" } } });
  child.stdin?.end();

  expect(await ended).toEqual({ code: 0, signal: null });
  const messages = output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ id }) => id)).toEqual([1, 2]);
  expect(messages[1].result.content).toEqual([{ type: "text", text: "Created PR #4242" }]);
  const lines = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kind, tool, outcome }) => [kind, tool, outcome])).toContainEqual([
    "tool_call",
    "create_pull_request",
    "answered",
  ]);
});
