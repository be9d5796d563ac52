import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCassette } from "../../src/upstream/cassette.ts";
import { listenerFor, mockBefore } from "../../src/upstream/proxy.ts";
import { openRecorder, type RecordMode } from "../../src/upstream/recorder.ts";
import { createRedactor } from "../../src/upstream/redact.ts";
import { runCommand } from "../_support/cli.ts";
import { startMock, startServer } from "../_support/server.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";
import { answerTo, httpClient } from "../_support/upstream.ts";

const RUN = runOf(["status"]);

const UNREACHED = { upstream: { url: "http://127.0.0.1:1/mcp" } };

test.each([
  ["none", "# Notes\n"],
  ["once", "# Notes\n"],
  ["new", "# Notes, one line"],
  ["all", "# Notes, one line"],
])("--record %s leaves a file alone that is no cassette", async (mode, text) => {
  const notes = tempFile("notes.md", text);
  expect(await runCommand("record", tempFile("p.json", UNREACHED), "--cassette", notes, "--record", mode)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(/^mcp-fakes: \S+notes\.md is not a cassette: line 1 is not JSON.*\n$/),
  });
  expect(readFileSync(notes, "utf8")).toBe(text);
});

test("a cassette has one recorder at a time", async () => {
  const cassette = tempFile("c.jsonl", RUN);
  const lock = `${cassette}.lock`;
  writeFileSync(lock, String(process.ppid));
  const { exitCode, stderr } = await runCommand(
    "record",
    tempFile("p.json", UNREACHED),
    "--cassette",
    cassette,
    "--record",
    "all",
  );
  expect([exitCode, stderr]).toEqual([
    1,
    `mcp-fakes: ${cassette} is being recorded by process ${process.ppid}: end it, name another cassette, or let both clients speak to one recorder by --port (${lock} says so; remove it when that is no recorder)\n`,
  ]);
  expect(readFileSync(cassette, "utf8")).toBe(RUN);

  writeFileSync(lock, String(spawnSync(process.execPath, ["--version"]).pid));
  const { close } = await record(cassette, "new");
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
  await close();
  expect(existsSync(lock)).toBe(false);
});

test("a recording goes on after runs of commands and after a line that was torn", async () => {
  const cassette = tempFile("c.jsonl", `${RUN}{"v":1,"kind":"mc`);
  const { greet, close } = await record(cassette, "new");
  expect(await greet()).toContain("hello");
  await close();
  const { header, runs, exchanges, tornLine } = readCassette(cassette);
  expect([header?.kind, runs.length, exchanges.length, tornLine]).toEqual(["header", 1, 1, null]);
});

test("once asks the server while nothing but its header is recorded", async () => {
  const cassette = join(tempFolder(), "c.jsonl");
  await (await record(cassette, "once")).close();
  const left = readFileSync(cassette, "utf8");
  expect(left.match(/"kind":"(header|mcp)"/g)).toEqual(['"kind":"header"']);
  writeFileSync(cassette, left.replace(/("server":\{"name":)"[^"]+"/, '$1"as it was"'));
  const { greet, close } = await record(cassette, "once");
  expect(await greet()).toContain("hello");
  await close();
  const text = readFileSync(cassette, "utf8");
  expect(text.match(/"kind":"(header|mcp)"/g)).toEqual(['"kind":"header"', '"kind":"mcp"']);
  expect(text).not.toContain("as it was");
});

test("convert leaves a file alone that is there, unless --force says so", async () => {
  const [cassette, mine] = [tempFile("c.jsonl", RUN), tempFile("mine.json", "mine")];
  expect(await runCommand("convert", cassette, mine, "--cli")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `mcp-fakes: ${mine} is there already: name another file, or replace it with --force\n`,
  });
  expect(readFileSync(mine, "utf8")).toBe("mine");
  expect(await runCommand("convert", cassette, mine, "--cli", "--force")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readFileSync(mine, "utf8")).toContain("clean");
});

test("a converted run takes any secret in place of the one that was taken out", async () => {
  const cassette = tempFile("c.jsonl", runOf(["push", "https://x:[redacted]@host"], "token=[redacted]\n"));
  const out = join(tempFolder(), "out.json");
  await runCommand("convert", cassette, out, "--cli");
  expect(JSON.parse(readFileSync(out, "utf8")).commands.git.responses[0].when).toEqual({
    argsMatch: "^push https://x:[\\s\\S]*@host$",
    stdinMatch: "^token=[\\s\\S]*\n$",
  });
});

test("convert writes no fixture of nothing", async () => {
  const commands = tempFile("commands.jsonl", RUN);
  const calls = join(tempFolder(), "calls.jsonl");
  await (await record(calls, "all")).close();
  const out = join(tempFolder(), "out.json");
  expect(await runCommand("convert", calls, out, "--cli")).toMatchObject({
    exitCode: 2,
    stderr: `mcp-fakes: ${calls} holds no runs of commands for --cli\n`,
  });
  expect(await runCommand("convert", commands, out, "--fakes", "--test-id", "t")).toMatchObject({
    exitCode: 2,
    stderr: `mcp-fakes: ${commands} holds no calls of tools for --fakes\n`,
  });
  expect(existsSync(out)).toBe(false);
});

/** A line of a cassette for a run of git. */
function runOf(argv: string[], stdin = ""): string {
  const output = { stdout: "clean\n", stderr: "", exitCode: 0, signal: null, durationMs: 1 };
  return `${JSON.stringify({ v: 1, kind: "cli", command: "git", argv, stdin, ...output })}\n`;
}

/** A recorder before a server with one tool, and a client's way to call it. */
async function record(cassette: string, mode: RecordMode) {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("greet", () => "hello");
  const recorder = await openRecorder({
    upstream: { url: mcpUrl },
    cassette,
    known: existsSync(cassette) ? readCassette(cassette) : null,
    mode,
    redactor: createRedactor(),
    listener: listenerFor(() => null, process.stderr),
  });
  onTestFinished(() => recorder.close());
  return {
    close: () => recorder.close(),
    async greet() {
      const { url } = await startServer({}, (llm) => llm.mount("/mcp", mockBefore(recorder.backend, recorder.told)));
      return answerTo(await httpClient(`${url}/mcp`), "tools/call", { name: "greet", arguments: {} });
    },
  };
}
