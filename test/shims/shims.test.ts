import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { CallLog } from "../../src/index.ts";
import { makeShims } from "../../src/shims/make-shims.ts";
import { runCommand } from "../_support/cli.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";

test("the seed's shims: scripted answers, a denial, and a command that is not there", () => {
  const run = shimmed({
    git: {
      responses: [
        { when: { args: ["log", "--oneline"] }, stdout: "abc123 first\n" },
        { when: { argsMatch: "^push" }, stderr: "denied\n", exitCode: 1 },
      ],
    },
    workiq: { unavailable: true },
  });

  expect(run("git", ["log", "--oneline", "-3"])).toEqual({ stdout: "abc123 first\n", stderr: "", code: 0 });
  expect(run("git", ["push", "origin"])).toEqual({ stdout: "", stderr: "denied\n", code: 1 });
  expect(run("workiq", [])).toEqual({ stdout: "", stderr: "workiq: command not found\n", code: 127 });
  expect(run("git", ["pull"])).toEqual({
    stdout: "",
    stderr: 'mcp-fakes: unexpected command: git pull. Declared: args ["log","--oneline"]; argsMatch "^push".\n',
    code: 1,
  });
});

test("every run is a line of the log, in the schema of tool calls", () => {
  const run = shimmed({ gh: { responses: [{ when: { args: ["pr"] }, stdout: "#1\n" }] } });
  run("gh", ["pr", "list"], { MCP_FAKES_TEST_ID: encodeURIComponent("a › b") });
  run("gh", ["auth"]);

  const log = CallLog.load(run.log);
  expect(log.lines).toMatchObject([
    {
      kind: "cli",
      tool: "gh",
      args: { argv: ["pr", "list"] },
      command: "gh",
      argv: ["pr", "list"],
      testId: "a › b",
      outcome: "answered",
      entryId: "gh.responses[0]",
      stdout: "#1\n",
      exitCode: 0,
      isError: false,
    },
    { outcome: "unexpected", exitCode: 1, isError: true },
  ]);
  log.assertToolCalledWith("gh", { argv: ["pr", "list"] }).assertCallCount("gh", 2);
});

test("arguments at the start, exactly, by pattern, and standard input choose the answer", () => {
  const run = shimmed({
    tool: {
      responses: [
        { when: { args: ["a"], exact: true }, stdout: "exact" },
        { when: { stdinMatch: "(?i)^yes" }, stdout: "stdin" },
        { when: { args: ["a", "b"] }, stdout: "start" },
      ],
      default: { stdout: "default" },
    },
  });
  const say = (argv: string[], input = "") => run("tool", argv, {}, input).stdout;

  expect([say(["a"]), say(["a", "b", "c"]), say(["x"], "YES\n"), say(["b", "a"])]).toEqual([
    "exact",
    "start",
    "stdin",
    "default",
  ]);
});

test("sequences and states go on from process to process, and begin anew with a new log", () => {
  const run = shimmed({
    poll: { sequence: [{ stdout: "pending" }, { stdout: "done", setState: "ready" }] },
    open: { responses: [{ when: { state: "ready" }, stdout: "opened" }], default: { stdout: "not yet" } },
  });
  const say = (command: string, log: string) => run(command, [], { MOCKCLI_LOG: log }).stdout;
  const [one, two] = [join(tempFolder(), "1.jsonl"), join(tempFolder(), "2.jsonl")];

  expect([say("open", one), say("poll", one), say("poll", one), say("poll", one), say("open", one)]).toEqual([
    "not yet",
    "pending",
    "done",
    "done",
    "opened",
  ]);
  expect([say("poll", two), say("open", two)]).toEqual(["pending", "not yet"]);
});

test("processes at once get one place of a sequence each, and whole lines in the log", async () => {
  const run = shimmed({ poll: { sequence: [0, 1, 2, 3, 4, 5].map((n) => ({ stdout: String(n) })) } });
  const ended = [0, 1, 2, 3, 4, 5].map(async () => {
    const child = spawn("poll", { env: run.env });
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    await once(child, "close");
    return stdout;
  });

  expect((await Promise.all(ended)).sort()).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(CallLog.load(run.log).calls).toHaveLength(6);
});

test("a killed shim leaves a readable log", async () => {
  const run = shimmed({ slow: { responses: [{ when: { args: ["x"] }, stdout: "" }], default: { delayMs: 60_000 } } });
  run("slow", ["x"]);
  const child = spawn("slow", { env: run.env });
  await once(child, "spawn");
  child.kill("SIGKILL");
  await once(child, "close");

  expect(CallLog.load(run.log).calls).toHaveLength(1);
});

test("real git is recorded once and replayed without it", async () => {
  const repository = tempFolder();
  execFileSync("git", ["init", "-q"], { cwd: repository });
  const cassette = join(tempFolder(), "git.jsonl");
  const recording = shimmed({ git: {} }, { record: cassette });
  const live = recording("git", ["-C", repository, "status", "--short", "--branch"]);
  const failed = recording("git", ["-C", repository, "no-such-command"]);
  expect(live).toMatchObject({ stdout: expect.stringMatching(/^## No commits yet/), code: 0 });
  expect(failed.code).toBe(1);

  const lines = readFileSync(cassette, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { v: 1, kind: "cli", command: "git", stdout: live.stdout, exitCode: 0 },
    { exitCode: 1, stderr: failed.stderr },
  ]);

  const fixture = join(tempFolder(), "git.cli.json");
  expect(await runCommand("convert", cassette, fixture, "--cli")).toMatchObject({ exitCode: 0 });
  const replayed = shimmed(JSON.parse(readFileSync(fixture, "utf8")).commands);
  // Nothing but the shims and what they need to start is on this PATH.
  const alone = { PATH: `${replayed.folder}${delimiter}${emptyPath()}` };
  expect(replayed("git", ["-C", repository, "status", "--short", "--branch"], alone)).toEqual(live);
  expect(replayed("git", ["-C", repository, "no-such-command"], alone)).toEqual(failed);
});

test("output that is no text is recorded, and replayed, byte for byte", async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0, 0x41, 0xc3]);
  const file = join(tempFolder(), "bytes");
  writeFileSync(file, Buffer.concat([bytes, Buffer.from(" planted-secret-1")]));
  const cassette = join(tempFolder(), "cat.jsonl");
  const recording = shimmed({ cat: {} }, { record: cassette });
  const env = { ...recording.env, MCP_FAKES_REDACT: "planted-secret-1" };
  expect(spawnSync("cat", [file], { env }).stdout).toEqual(readFileSync(file));
  const kept = Buffer.concat([bytes, Buffer.from(" [redacted]")]);
  expect(CallLog.load(recording.log).calls).toMatchObject([{ stdoutBase64: readFileSync(file, "base64") }]);
  expect(JSON.parse(readFileSync(cassette, "utf8"))).toMatchObject({ stdoutBase64: kept.toString("base64") });

  const fixture = join(tempFolder(), "cat.cli.json");
  expect(await runCommand("convert", cassette, fixture, "--cli")).toMatchObject({ exitCode: 0 });
  const replayed = shimmed(JSON.parse(readFileSync(fixture, "utf8")).commands);
  expect(spawnSync("cat", [file], { env: replayed.env }).stdout).toEqual(kept);
});

test("a recording holds no secret of arguments, output or environment", () => {
  const cassette = join(tempFolder(), "c.jsonl");
  const run = shimmed({ printenv: {}, echo: {} }, { record: cassette });
  const secrets = { DEPLOY_TOKEN: "planted-env-1", LISTED: "planted-listed-2", MCP_FAKES_REDACT: "planted-listed-2" };
  expect(run("printenv", ["DEPLOY_TOKEN"], secrets).stdout).toBe("planted-env-1\n");
  run("echo", ["--password=planted-arg-3", "planted-listed-2", "ghp_0123456789abcdefghij"], secrets);

  expect(readFileSync(cassette, "utf8")).not.toMatch(/planted|ghp_/);
});

test("a command passes through to the real one, with its exit code and signal", () => {
  const run = shimmed({ sh: { passthrough: true, responses: [{ when: { args: ["-x"] }, stdout: "scripted" }] } });

  expect(run("sh", ["-x"]).stdout).toBe("scripted");
  expect(run("sh", ["-c", "cat; echo err >&2; exit 7"], {}, "from stdin")).toEqual({
    stdout: "from stdin",
    stderr: "err\n",
    code: 7,
  });
  expect(spawnSync("sh", ["-c", "kill -TERM $$"], { env: run.env }).signal).toBe("SIGTERM");
  expect(CallLog.load(run.log).calls.map(({ outcome }) => outcome)).toEqual(["answered", "passthrough", "passthrough"]);
});

test("make-shims says what stands in the way of a shim", async () => {
  const fixture = tempFile("cli.json", { commands: { git: { default: { stdout: "" } } } });
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "git"));
  const told = async (place: string) => {
    const { exitCode, stderr } = await runCommand("make-shims", fixture, join(folder, place));
    return [exitCode, stderr.replaceAll(folder, "FOLDER")];
  };
  expect(await told("file")).toEqual([
    2,
    "mcp-fakes: cannot write shims to FOLDER/file: FOLDER/file: this is a file; name a folder, which is made when it is not there\n",
  ]);
  expect(await told("file/deep")).toEqual([
    2,
    "mcp-fakes: cannot write shims to FOLDER/file/deep: FOLDER/file/deep: a part of this path is a file\n",
  ]);
  expect(await told(".")).toEqual([
    2,
    "mcp-fakes: cannot write shims to FOLDER: FOLDER/git: this is a folder, and a shim would have its name\n",
  ]);
});

test("make-shims writes one for POSIX and one for Windows, and refuses a wrong fixture with all its problems", async () => {
  const folder = tempFolder();
  const fixture = tempFile("cli.json", { commands: { git: { default: {} } } });
  expect(await runCommand("make-shims", fixture, folder, "--json")).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ folder, commands: ["git"] })}\n`,
    stderr: "",
  });
  expect(statSync(join(folder, "git")).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(folder, "git.cmd"), "utf8")).toMatch(
    /^@echo off\r\nsetlocal\r\n.* git %\*\r\nexit \/b %ERRORLEVEL%\r\n$/s,
  );

  const wrong = tempFile("cli.json", {
    commands: { "../x": {}, git: { responses: [{ when: { argsMatch: "(" } }], defalt: {} } },
  });
  expect(await runCommand("make-shims", wrong, folder)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      `mcp-fakes: ${wrong} is no fixture of commands:\n` +
      '  $.commands["../x"]: is no name of a command\n' +
      '  $.commands.git.defalt: unknown key; known: "responses", "sequence", "default", "passthrough", "unavailable"\n',
  });
});

/** A folder for PATH with a shell and no other program. */
function emptyPath(): string {
  const folder = tempFolder();
  symlinkSync("/bin/sh", join(folder, "sh"));
  return folder;
}

/** Runs commands whose shims stand first on PATH. */
function shimmed(commands: object, { record }: { record?: string } = {}) {
  const folder = join(tempFolder(), "shims");
  mkdirSync(folder);
  const fixture = tempFile("cli.json", { commands });
  makeShims({ fixture, folder, ...(record === undefined ? {} : { record }) });
  const log = join(tempFolder(), "calls.jsonl");
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, MOCKCLI_LOG: log };
  const run = (command: string, argv: string[], more: Record<string, string> = {}, input = "") => {
    const { stdout, stderr, status } = spawnSync(command, argv, { env: { ...env, ...more }, input, encoding: "utf8" });
    return { stdout, stderr, code: status };
  };
  return Object.assign(run, { log, env, folder });
}
