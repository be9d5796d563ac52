import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import getPort from "get-port";
import { expect, onTestFinished, test, vi } from "vitest";
import { CallLog, MCPMock } from "../../src/index.ts";
import { readCassette } from "../../src/upstream/cassette.ts";
import { connectUpstream } from "../../src/upstream/client.ts";
import { listenerFor, mockBefore } from "../../src/upstream/proxy.ts";
import { openRecorder } from "../../src/upstream/recorder.ts";
import { createRedactor } from "../../src/upstream/redact.ts";
import { runCommand } from "../_support/cli.ts";
import { startCli } from "../_support/program.ts";
import { startServer } from "../_support/server.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";
import { answerTo, cliClient, EVERYTHING, filesystem, httpClient, stdioClient } from "../_support/upstream.ts";

// Each test starts several programs.
vi.setConfig({ testTimeout: 60_000 });

const DOCUMENT = "demo://resource/static/document/architecture.md";

/** What is scripted before the real server. */
const SCRIPTED = {
  resources: [{ uri: DOCUMENT, reads: [{ result: "MOCKED document" }] }],
  prompts: [{ name: "args-prompt", calls: [{ args: { city: "Rome" }, result: "MOCKED prompt" }] }],
};

const OVERRIDES = { echo: { responses: [{ when: { args: { message: "secret" } }, text: "MOCKED echo" }] } };

test("a proxy's lists are the real server's, an override answers its calls, the rest is passed on", async () => {
  const real = await stdioClient(EVERYTHING);
  const log = join(tempFolder(), "calls.jsonl");
  const proxy = await cliClient([
    "proxy",
    tempFile("proxy.json", { upstream: EVERYTHING, overrides: OVERRIDES }),
    "--log",
    log,
  ]);

  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    expect(await answerTo(proxy, method)).toBe(await answerTo(real, method));
  }
  expect(proxy.getServerVersion()).toEqual(real.getServerVersion());
  const echo = (message: string) => ["tools/call", { name: "echo", arguments: { message } }] as const;
  expect(await answerTo(proxy, ...echo("secret"))).toContain("MOCKED echo");
  expect(await answerTo(proxy, ...echo("hi"))).toBe(await answerTo(real, ...echo("hi")));
  const others = [
    ["prompts/get", { name: "args-prompt", arguments: { city: "Oslo" } }],
    ["resources/read", { uri: DOCUMENT }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "completable-prompt" }, argument: { name: "department", value: "E" } },
    ],
    ["tools/call", { name: "get-sum", arguments: { a: "x" } }],
    ["prompts/get", { name: "no-such-prompt" }],
  ] as const;
  for (const [method, params] of others) {
    expect(await answerTo(proxy, method, params)).toBe(await answerTo(real, method, params));
  }
  expect(CallLog.load(log).calls.map(({ outcome }) => outcome)).toEqual(["answered", "upstream", "upstream"]);
});

test("what a proxy scripts and the server does not list is told at the start, with what may be meant", async () => {
  const mcp = new MCPMock();
  mcp.onToolCall("echo", () => "hi");
  const { url } = await startServer({}, (llm) => llm.mount("/mcp", mcp));
  const upstream = { url: `${url}/mcp` };
  const overrides = { ecoh: { default: { text: "MOCKED" } }, echo: { default: { text: "MOCKED" } } };
  const path = tempFile("proxy.json", { upstream, overrides, expectations: [{ tool: "Echo", max: 0, min: 0 }] });
  const cli = startCli(["proxy", path, "--port", "0"]);
  await cli.until(/listening/);
  // A slow machine is told what is waited for.
  expect(cli.output.stderr).toContain(
    `mcp-fakes: ${path}: $.overrides.ecoh: the server lists no tool "ecoh"; did you mean "echo"?\n` +
      `mcp-fakes: ${path}: $.expectations[0].tool: the server lists no tool "Echo"; did you mean "echo"?\n`,
  );
});

test("what is wrong with a proxy's scripts is told before a server is started for them", async () => {
  const marker = join(tempFolder(), "started");
  const upstream = { command: process.execPath, args: ["-e", `fs.writeFileSync(${JSON.stringify(marker)}, "")`] };
  const path = tempFile("proxy.json", { upstream, resources: [{ uri: "a:b", redas: [] }] });
  const { exitCode, stderr } = await runCommand("proxy", path, "--port", "0");
  expect(exitCode).toBe(1);
  expect(stderr).toContain('resource "a:b" has unknown key "redas"');
  expect(existsSync(marker)).toBe(false);
});

test("a scripted resource and prompt stand before those of the real server", async () => {
  const path = tempFile("proxy.json", { upstream: EVERYTHING, overrides: OVERRIDES, ...SCRIPTED });
  const proxy = await cliClient(["proxy", path]);
  expect(await answerTo(proxy, "resources/read", { uri: DOCUMENT })).toContain("MOCKED document");
  expect(await answerTo(proxy, "resources/read", { uri: DOCUMENT })).toContain("fake exhausted");
  const inRome = { name: "args-prompt", arguments: { city: "Rome" } };
  expect(await answerTo(proxy, "prompts/get", inRome)).toContain("MOCKED prompt");
  expect(await answerTo(proxy, "prompts/get", { name: "simple-prompt" })).toContain("simple prompt");
  expect(await answerTo(proxy, "tools/call", { name: "echo", arguments: { message: "secret" } })).toContain("MOCKED");
});

test("progress and questions go through a proxy to the client, and its cancel to the server", async () => {
  const proxy = await cliClient(["proxy", tempFile("proxy.json", { upstream: EVERYTHING })], {}, { sampling: {} });
  proxy.setRequestHandler("sampling/createMessage", async () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "sampled" },
  }));
  const progress: number[] = [];
  await proxy.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } },
    { onprogress: (told) => progress.push(told.progress) },
  );
  // This client lets go of what is told right before the answer.
  expect(progress.slice(0, 2)).toEqual([1, 2]);
  expect(
    JSON.stringify(
      await proxy.callTool({ name: "trigger-sampling-request", arguments: { prompt: "p", maxTokens: 5 } }),
    ),
  ).toContain("sampled");

  const controller = new AbortController();
  const called = proxy.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 60, steps: 2 } },
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort("enough"), 100);
  await expect(called).rejects.toThrow("enough");
  expect(await answerTo(proxy, "ping")).toBe("{}");
});

test("a proxy stands before a server over Streamable HTTP, and is one itself", async () => {
  const port = String(await getPort());
  const [program = "", ...rest] = EVERYTHING.args;
  const server = spawn(EVERYTHING.command, [program, "streamableHttp", ...rest.slice(1)], {
    env: { ...process.env, PORT: port },
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await new Promise((resolve) =>
    server.stderr.on("data", (chunk) => /listening|running/i.test(String(chunk)) && resolve(null)),
  );
  const url = `http://localhost:${port}/mcp`;
  const file = tempFile("proxy.json", { upstream: { url } });
  const cli = startCli(["proxy", file, "--port", "0", "--json", "--token", "correct-horse-battery"]);
  const [line] = await cli.until(/^.*\n/);
  const ready = JSON.parse(line);
  expect((await fetch(`${ready.url}/__aimock/journal`)).status).toBe(401);

  const [proxy, real] = [await httpClient(ready.mcpUrl), await httpClient(url)];
  expect(await answerTo(proxy, "tools/list")).toBe(await answerTo(real, "tools/list"));
  cli.child.kill("SIGTERM");
  expect(await cli.ended).toMatchObject({ code: 0 });
});

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a proxy speaks %s to a server that speaks nothing else",
  async (version) => {
    const mcp = new MCPMock({ protocolVersions: [version] });
    mcp.onToolCall("greet", () => "hello");
    const { url } = await startServer({}, (llm) => llm.mount("/mcp", mcp));
    const upstream = { url: `${url}/mcp` };
    const proxy = await cliClient(["proxy", tempFile("proxy.json", { upstream })]);
    expect((await proxy.listTools()).tools.map((tool) => tool.name)).toEqual(["greet"]);
    expect(await answerTo(proxy, "tools/call", { name: "greet" })).toContain("hello");
    const served = mcp.getRequests().map((entry) => entry.mcp?.method);
    expect(served.includes("initialize")).toBe(version === "2025-11-25");
    expect(served).toContain("tools/call");
  },
);

test("a server that dies is told with what it printed, and started again by the next call", async () => {
  const folder = tempFolder();
  const marker = join(folder, "crash");
  const program = join(folder, "server.mjs");
  writeFileSync(program, CRASHING.replaceAll("MARKER", JSON.stringify(marker)));
  const upstream = { command: process.execPath, args: [program] };
  const proxy = await cliClient(["proxy", tempFile("proxy.json", { upstream })]);

  expect(await answerTo(proxy, "tools/call", { name: "t" })).toContain("fine");
  writeFileSync(marker, "");
  expect(await answerTo(proxy, "tools/call", { name: "t" })).toMatch(
    /^-32603 The upstream server \(.*server\.mjs\) ended during the call; the next call starts it again\. It printed:\nout of memory$/,
  );
  expect(existsSync(marker)).toBe(false);
  expect(await answerTo(proxy, "tools/call", { name: "t" })).toContain("fine");
});

test("what is no answer of the server's is told on stderr and not recorded, and a server that is back is asked anew", async () => {
  const port = await getPort();
  const serve = () => {
    const mcp = new MCPMock({ protocolVersions: ["2025-11-25"] });
    mcp.onToolCall("greet", () => "hello");
    mcp.onToolCall("hang", (_args, { progress }) => {
      progress(1);
      return new Promise(() => {});
    });
    return startServer({ port }, (llm) => llm.mount("/mcp", mcp));
  };
  const real = await serve();
  const upstream = { url: `${real.url}/mcp` };
  const cassette = join(tempFolder(), "c.jsonl");
  const stderr = new PassThrough();
  const recorder = await openRecorder({
    upstream,
    cassette,
    known: null,
    mode: "all",
    redactor: createRedactor(),
    listener: listenerFor(() => null, stderr),
  });
  onTestFinished(() => recorder.close());
  const { url } = await startServer({}, (llm) => llm.mount("/mcp", mockBefore(recorder.backend, recorder.told)));
  const client = await httpClient(`${url}/mcp`);
  const greet = () => answerTo(client, "tools/call", { name: "greet", arguments: {} });

  expect(await greet()).toContain("hello");
  const broken = await answerTo(client, "tools/call", { name: "hang" }, { onprogress: () => real.llm.stop() });
  const gone = await greet();
  const name = `-32603 The upstream server (${upstream.url})`;
  expect(broken).toContain(`${name} gave no answer to tools/call: fetch failed: `);
  expect(gone).toContain(`${name} cannot be reached: fetch failed: `);
  const told = [broken, gone].map((text) => text.replace("-32603", "mcp-fakes:"));
  expect(String(stderr.read())).toBe(`${told.join("\n")}\n`);
  await serve();
  expect(await greet()).toContain("hello");
  const recorded = readCassette(cassette).exchanges.filter(({ method }) => method === "tools/call");
  expect(recorded.map(({ error = null }) => error)).toEqual([null, null]);
});

test("a program that ends at the question of a later era is started again and asked as of old", async () => {
  const program = tempFile("strict.mjs", ENDING_AT_DISCOVER);
  const upstream = await connectUpstream({ command: process.execPath, args: [program] }, { notice() {}, trouble() {} });
  onTestFinished(() => upstream.close());
  expect(upstream.told).toMatchObject({ serverInfo: { name: "strict" }, protocolVersion: "2025-11-25" });
});

test("a recording answers byte for byte with the server gone, as a replay, as either fixture", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a.txt"), "hello");
  const upstream = filesystem(folder);
  const cassette = join(tempFolder(), "fs.jsonl");
  const recording = await cliClient([
    "record",
    tempFile("fs.json", { upstream }),
    "--cassette",
    cassette,
    "--record",
    "all",
  ]);
  const calls = [
    ["tools/list", {}],
    ["tools/call", { name: "read_text_file", arguments: { path: join(folder, "a.txt") } }],
    ["tools/call", { name: "list_directory", arguments: { path: folder } }],
    ["tools/call", { name: "read_text_file", arguments: { path: join(folder, "missing.txt") } }],
  ] as const;
  const live = await answersTo(recording, calls);
  writeFileSync(join(folder, "a.txt"), "changed");
  const again = await answerTo(recording, ...calls[1]);
  expect(again).toContain("changed");
  await recording.close();
  writeFileSync(join(folder, "a.txt"), "gone");

  const replay = await cliClient(["replay", cassette]);
  expect(await answersTo(replay, calls)).toEqual(live);
  expect(await answerTo(replay, ...calls[1])).toBe(again);
  expect(await answerTo(replay, ...calls[1])).toMatch(/is used up; --repeat answers on with the last\.$/);
  expect(await answerTo(await cliClient(["replay", cassette, "--repeat"]), ...calls[2])).toBe(live[2]);

  const mock = join(tempFolder(), "fs.mock.json");
  await startCli(["convert", cassette, mock]).ended;
  const converted = await cliClient(["serve", mock]);
  expect(await answersTo(converted, calls.slice(1))).toEqual(live.slice(1));
  expect(await answerTo(converted, ...calls[1])).toBe(again);

  const fakes = join(tempFolder(), "fs.fakes.json");
  await startCli(["convert", cassette, fakes, "--fakes", "--test-id", "a › b"]).ended;
  const faked = await cliClient(["serve", fakes, "--test-id", "a › b"]);
  expect(await answersTo(faked, calls.slice(1))).toEqual(live.slice(1));
});

test("a converted recording lists what was listed, and answers what was read and fetched", async () => {
  const cassette = join(tempFolder(), "everything.jsonl");
  const file = tempFile("everything.json", { upstream: EVERYTHING });
  const recording = await cliClient(["record", file, "--cassette", cassette, "--record", "all"]);
  const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map(
    (method) => [method, {}] as const,
  );
  const read = (uri: string) => ["resources/read", { uri }] as const;
  const ask = (city: string) => ["prompts/get", { name: "args-prompt", arguments: { city } }] as const;
  const calls = [
    read("demo://resource/static/document/architecture.md"),
    read("demo://resource/dynamic/text/1"),
    ask("Oslo"),
    ask("Rome"),
    ["tools/call", { name: "echo", arguments: { message: "{{args.message}} \\{{args.x}}" } }],
  ] as const;
  const parsed = async (client: Awaited<typeof recording>) =>
    (await answersTo(client, lists)).map((answer) => JSON.parse(answer));
  const [listed, live] = [await parsed(recording), await answersTo(recording, calls)];
  await answerTo(recording, ...read("demo://nowhere"));
  await recording.close();

  const mock = join(tempFolder(), "everything.mock.json");
  const convert = startCli(["convert", cassette, mock]);
  expect(await convert.ended).toMatchObject({ code: 0 });
  expect(convert.output.stderr).toBe(
    "left out, since such a fixture cannot say it: 1 resources/read; replay answers it\n",
  );
  const converted = await cliClient(["serve", mock]);
  expect(await parsed(converted)).toEqual(listed);
  expect(await answersTo(converted, calls)).toEqual(live);
  const unread = "demo://resource/static/document/features.md";
  expect(await answerTo(converted, ...read(unread))).toBe(
    `-32602 Resource ${unread} is only listed: its file gives it no content`,
  );
  expect(await answerTo(converted, ...ask("Paris"))).toBe(
    '-32602 Prompt args-prompt: no response is declared for {"city":"Paris"}',
  );
});

test("a recorder whose input ends at once answers and records what it was asked", async () => {
  const cassette = join(tempFolder(), "c.jsonl");
  const file = tempFile("everything.json", { upstream: EVERYTHING });
  const { child, ended, output } = startCli(["record", file, "--cassette", cassette, "--record", "once", "--stdio"]);
  const clientInfo = { name: "pipe", version: "1.0.0" };
  const lines = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "echo", arguments: { message: "piped" } } },
  ];
  child.stdin?.end(lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""));
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(output.stdout).toContain("Echo: piped");
  expect(readCassette(cassette).exchanges).toMatchObject([{ params: { arguments: { message: "piped" } } }]);
});

test("once never asks the server when there is a cassette, none never at all", async () => {
  const cassette = join(tempFolder(), "c.jsonl");
  const file = tempFile("everything.json", { upstream: EVERYTHING });
  const echo = (message: string) => ["tools/call", { name: "echo", arguments: { message } }] as const;
  const first = await cliClient(["record", file, "--cassette", cassette, "--record", "once"]);
  expect(await answerTo(first, ...echo("a"))).toContain("Echo: a");
  await first.close();
  const once = await cliClient(["record", file, "--cassette", cassette, "--record", "once"]);
  expect(await answerTo(once, ...echo("a"))).toContain("Echo: a");
  expect(await answerTo(once, ...echo("b"))).toMatch(/^-32602 Not recorded: tools\/call .* Recorded: /);
  await once.close();
  const more = await cliClient(["record", file, "--cassette", cassette, "--record", "new"]);
  expect(await answerTo(more, ...echo("b"))).toContain("Echo: b");
  await more.close();
  expect(readFileSync(cassette, "utf8").match(/"kind":"mcp"/g)).toHaveLength(2);

  const none = startCli(["record", file, "--cassette", join(tempFolder(), "no.jsonl"), "--stdio"], {
    env: { CI: "true" },
  });
  expect(await none.ended).toMatchObject({ code: 1 });
  expect(none.output.stderr).toMatch(/^mcp-fakes: there is no cassette .*: record one first\n$/);
});

test("a recorded session holds none of its secrets, and still replays", async () => {
  const cassette = join(tempFolder(), "c.jsonl");
  const env = { API_TOKEN: "planted-env-value" };
  const file = tempFile("p.json", { upstream: { ...EVERYTHING, env }, redact: ["planted-listed"] });
  const calls = [
    [
      "tools/call",
      { name: "echo", arguments: { message: "password=planted-arg, planted-listed", token: "planted-token" } },
    ],
    ["tools/call", { name: "get-env", arguments: {} }],
    ["tools/call", { name: "echo", arguments: { message: "again planted-token Bearer planted.bearer" } }],
  ] as const;
  const recording = await cliClient(["record", file, "--cassette", cassette, "--record", "all"]);
  const live = await answersTo(recording, calls);
  await recording.close();
  expect(live.join("\n").match(/planted-(env-value|arg|listed|token)|planted\.bearer/g)?.length).toBeGreaterThan(4);
  expect(readFileSync(cassette, "utf8")).not.toMatch(/planted/);

  const replay = await cliClient(["replay", cassette], { MCP_FAKES_REDACT: "planted-listed" });
  const replayed = await answersTo(replay, calls);
  expect(replayed.join("\n")).not.toMatch(/planted|Not recorded/);
  expect(replayed[0]).toContain("Echo: password=[redacted], [redacted]");

  const [mock, fakes] = [join(tempFolder(), "c.mock.json"), join(tempFolder(), "c.fakes.json")];
  await runCommand("convert", cassette, mock);
  await runCommand("convert", cassette, fakes, "--fakes", "--test-id", "a › b");
  for (const served of [[mock], [fakes, "--test-id", "a › b"]]) {
    const converted = await cliClient(["serve", ...served]);
    expect(await answerTo(converted, "tools/call", { name: "echo", arguments: { message: "another" } })).not.toMatch(
      /Echo/,
    );
    expect(await answersTo(converted, calls)).toEqual(replayed);
  }
});

async function answersTo(
  client: Awaited<ReturnType<typeof cliClient>>,
  calls: readonly (readonly [string, Record<string, unknown>])[],
): Promise<string[]> {
  const answers: string[] = [];
  for (const [method, params] of calls) answers.push(await answerTo(client, method, params));
  return answers;
}

/** Hears nothing before it is initialized. */
const ENDING_AT_DISCOVER = `
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).once("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== "initialize") process.exit(1);
  const result = { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: "strict", version: "1" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

/** Answers one tool, and ends in the middle of a call while the marker file is there, which it removes. */
const CRASHING = `
import { createInterface } from "node:readline";
import { existsSync, unlinkSync } from "node:fs";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "c", version: "1" } });
  else if (method === "tools/call" && existsSync(MARKER)) {
    unlinkSync(MARKER);
    console.error("out of memory");
    process.exit(3);
  } else if (method === "tools/call") say(id, { content: [{ type: "text", text: "fine" }] });
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
}
`;
