import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { openEvents } from "../_support/events.ts";
import { send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startCli, startServe } from "../_support/program.ts";
import { startMock, startServer } from "../_support/server.ts";
import { tempFile, tempFolder, tempTree } from "../_support/temp.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
const BLOCK = { scope: "shared", tools: [{ name: "ping", calls: [{ anyArgs: true, result: "pong" }] }] };

test("serve answers from several sources, and says where", async () => {
  const context = { ...BLOCK, mount: "/mcp/scoped", scope: { testId: "a", context: "staging" } };
  const scoped = ["b", "c", "d", "d"].map((testId) => ({ ...context, scope: { testId } }));
  const more = [BLOCK.scope, { testId: "b" }].map((scope) => ({ ...BLOCK, mount: "/mcp/more", scope }));
  const folder = tempTree({ "more.json": { mcpFakes: [...more, context, ...scoped] } });
  const { url, output } = await startServe([join(FIXTURES, "weather/seattle.json"), join(folder, "more.json")]);

  const weather = await connect(`${url}/mcp?testId=weather+%E2%80%BA+seattle`);
  expect(await weather.call("get_weather", { city: "Seattle" })).toMatchObject({
    result: { structuredContent: { tempF: 60, conditions: "rain" } },
  });
  const anybody = await connect(`${url}/mcp/more`);
  expect(await anybody.call("ping")).toMatchObject({ result: { content: [{ text: "pong" }] } });
  expect(output.stdout).toBe(`[mcp-fakes] listening on ${url}\n`);
  const ways = "X-Test-Id and X-AIMock-Context, percent-encoded";
  await expect
    .poll(() => output.stderr.split("\n").filter((line) => line.includes("block")))
    .toEqual([
      '[mcp-fakes] /mcp: 1 block, for test id "weather › seattle": send it as X-Test-Id, percent-encoded',
      "[mcp-fakes] /mcp/more: 2 blocks",
      `[mcp-fakes] /mcp/scoped: 5 blocks, for test id "a" in context "staging", test id "b", test id "c", 1 more: send one of them as ${ways}`,
    ]);
});

test("without a path, serve takes ./fixtures", async () => {
  const { url } = await startServe([], { cwd: tempTree({ "fixtures/ping.json": { mcpFakes: BLOCK } }) });
  expect((await send(`${url}/__aimock/mcp/fakes`)).json()).toMatchObject({
    mounts: [{ blocks: [{ blockId: "ping.json" }] }],
  });
});

test("in an empty folder, serve starts and shows what to do next", async () => {
  const { url, output } = await startServe([], { cwd: tempFolder() });
  expect((await send(`${url}/__aimock/health`)).status).toBe(200);
  await expect.poll(() => output.stderr).toContain("npx mcp-fakes init ");
  expect(output.stderr).toContain(`MCP clients connect to ${url}/mcp\n`);
});

test("the ready line is JSON when a script reads it", async () => {
  const { until } = startCli(["serve", "--port", "0", "--json"], { cwd: tempFolder() });
  const [line] = await until(/^.*\n/);
  expect(await (await fetch(`${JSON.parse(line).url}/__aimock/health`)).json()).toEqual({ status: "ok" });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends it in under a second, with streams open and a session kept",
  async (signal) => {
    const log = join(tempFolder(), "calls.jsonl");
    const { url, child, ended } = await startServe(["--log", log], { cwd: tempFolder() });
    await openEvents(`${url}/__aimock/events`);
    const client = await connect(`${url}/mcp`);
    await client.call("nothing");
    const stream = fetch(`${url}/mcp`, {
      headers: { accept: "text/event-stream", "mcp-session-id": client.sessionId },
    });
    await stream;

    const before = performance.now();
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(1000);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect(readFileSync(log, "utf8")).toMatch(/^\{.*"tool":"nothing".*\}\n$/m);
  },
);

test("every problem of every source is shown, and nothing is served", async () => {
  const folder = tempTree({
    "one.json": { mcpFakes: { tools: [] } },
    "two.json": "{",
    "good.json": { mcpFakes: BLOCK },
  });
  const { exitCode, stdout, stderr } = await runCommand("serve", folder, join(folder, "missing.json"), "--port", "0");
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr.split("\n").map((line) => line.replaceAll(folder, "FOLDER"))).toEqual([
    'error: "FOLDER/missing.json": [fixtures/unreadable] cannot read "FOLDER/missing.json": no such file or folder',
    expect.stringMatching(/^error: "two.json": \[fixtures\/bad-json\] is not JSON: /),
    'error: "one.json", block "one.json": [mcp-fakes/bad-block:a] block has no scope',
    'error: "one.json", block "one.json": [mcp-fakes/bad-block:g] tools is empty; an empty tools array (tools: []) is allowed only on a scoped (not "shared") block with undeclaredTools "deny"',
    "mcp-fakes: nothing is served: 4 problems in the fixtures",
    "",
  ]);
});

test("a port that is taken is said, with what to do", async () => {
  const { url } = await startServer();
  const { port } = new URL(url);
  expect(await runCommand("serve", "--port", port, FIXTURES_THAT_LOAD)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `mcp-fakes: port ${port} is taken: stop what listens there, choose another with --port, or --port 0 for a free one\n`,
  });
});

test("a log that cannot be written is said, with what to do", async () => {
  const folder = tempFolder();
  const { exitCode, stdout, stderr } = await runCommand("serve", "--port", "0", "--log", folder, FIXTURES_THAT_LOAD);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    `mcp-fakes: the call log ${folder} cannot be written (EISDIR: illegal operation on a directory, open '${folder}'): name another with --log, MOCKMCP_LOG or the log option\n`,
  );
});

const FIXTURES_THAT_LOAD = join(FIXTURES, "tickets");

test.each([
  [["--port", "http"], 'port must be an integer from 0 to 65535, got "http"'],
  [["--port", "70000"], "port must be an integer from 0 to 65535, got 70000"],
  [
    ["--log-level", "loud", "--journal-max", "-1", "--latency", "1e3"],
    'logLevel must be silent, error, warn, info, debug, got "loud"; latency must be an integer of 0 or more, got "1e3"; journalMax must be an integer of 0 or more, got "-1"',
  ],
  [
    ["--host", "0.0.0.0"],
    'host "0.0.0.0" can be reached from other machines, so a token is needed: set token (on the command line --token or MCP_FAKES_TOKEN), or bind 127.0.0.1',
  ],
])("wrong use: serve %j", async (flags, message) => {
  expect(await runCommand("serve", ...flags)).toEqual({ exitCode: 2, stdout: "", stderr: `mcp-fakes: ${message}\n` });
});

test("a proxy refuses the same, in the same words", async () => {
  const { url, mcpUrl } = await startMock();
  const file = tempFile("proxy.json", { upstream: { url: mcpUrl } });
  const { port } = new URL(url);
  const refused = async (...flags: string[]) => {
    const { exitCode, stdout, stderr } = await runCommand("proxy", file, ...flags);
    return [exitCode, stdout, stderr];
  };
  expect(await refused("--port", "")).toEqual([2, "", 'mcp-fakes: port must be an integer from 0 to 65535, got ""\n']);
  expect(await refused("--host", "0.0.0.0")).toEqual([
    2,
    "",
    expect.stringMatching(/^mcp-fakes: host "0\.0\.0\.0" can be/),
  ]);
  expect(await refused("--port", port)).toEqual([
    1,
    "",
    expect.stringMatching(`^mcp-fakes: port ${port} is taken: stop`),
  ]);
});

test("a proxy before a server that takes its time says what it waits for", async () => {
  const slow = { command: process.execPath, args: ["-e", "setTimeout(() => {}, 1500)"] };
  const { exitCode, stdout, stderr } = await runCommand("proxy", tempFile("proxy.json", { upstream: slow }));
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("waiting for the real server to answer …\n");
});

test("off loopback, the token of the environment guards the control API", async () => {
  const env = { MCP_FAKES_TOKEN: "a-token-of-the-environment" };
  const { url } = await startServe(["--host", "0.0.0.0"], { cwd: tempFolder(), env });
  const local = `${url.replace("0.0.0.0", "127.0.0.1")}/__aimock/health`;
  expect((await send(local)).status).toBe(401);
  expect((await send(local, { headers: { authorization: `Bearer ${env.MCP_FAKES_TOKEN}` } })).status).toBe(200);
});

test("--metrics, --journal-max and --fixture-counts-max reach the server", async () => {
  const { url } = await startServe(["--metrics", "--journal-max", "7", "--fixture-counts-max", "3"], {
    cwd: tempFolder(),
  });
  expect((await send(`${url}/metrics`)).status).toBe(200);
  const limits = (await send(`${url}/__aimock/limits`)).json() as { name: string; max: number }[];
  const maxOf = (name: string) => limits.find((limit) => limit.name === name)?.max;
  expect([maxOf("journalRecords"), maxOf("testIds")]).toEqual([7, 3]);
});
