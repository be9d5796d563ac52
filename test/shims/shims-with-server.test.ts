import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import * as matchers from "../../plugins/shared/matchers/index.ts";
import { CallLog } from "../../src/index.ts";
import { makeShims } from "../../src/shims/make-shims.ts";
import { send } from "../_support/http.ts";
import { startServer } from "../_support/server.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";

expect.extend(matchers);

const COMMANDS = {
  gh: {
    responses: [{ when: { state: "merged" }, stdout: "MERGED\n" }],
    sequence: [{ stdout: "OPEN\n" }, { stdout: "CLOSED\n", setState: "merged" }],
  },
  long: { default: { stdout: "x".repeat(100_000) } },
  git: { responses: [{ when: { args: ["push"] }, stderr: "denied\n", exitCode: 1 }] },
};

test("with a running server each test has its own scenario, its journal and its report", async () => {
  const log = join(tempFolder(), "calls.jsonl");
  const { llm, url } = await startServer({ log });
  const run = shimmed(url);

  expect([
    await run("a", "gh", "pr"),
    await run("b", "gh", "pr"),
    await run("a", "gh", "pr"),
    await run("a", "gh"),
  ]).toEqual([
    { stdout: "OPEN\n", code: 0 },
    { stdout: "OPEN\n", code: 0 },
    { stdout: "CLOSED\n", code: 0 },
    { stdout: "MERGED\n", code: 0 },
  ]);
  await run("b", "git", "push");
  await run("b", "git", "pull");

  const runs = llm
    .getRequests()
    .map(({ testId, command }) => [testId, command?.command, command?.argv, command?.outcome]);
  expect(runs.slice(-2)).toEqual([
    ["b", "git", ["push"], "answered"],
    ["b", "git", ["pull"], "unexpected"],
  ]);
  expect(llm.fakesReport("a").ok).toBe(true);
  expect(llm.fakesReport("b").failures).toEqual([
    { code: "MCP_FAKE_UNEXPECTED", mount: "command line", tool: "git", args: { argv: ["pull"] } },
  ]);
  CallLog.load(log)
    .ofTest("b")
    .assertCallOrder("gh", "git", "git")
    .assertToolCalledWith("git", { argv: ["push"] });
});

test("a new attempt of a test begins its scenario anew", async () => {
  const { url } = await startServer();
  const run = shimmed(url);
  const announce = (attempt: number) =>
    send(`${url}/__aimock/tests`, {
      method: "POST",
      body: JSON.stringify({ testId: "a", file: "a.test.ts", names: ["a"], attempt }),
    });

  await announce(1);
  expect([await run("a", "gh"), await run("a", "gh")].map(({ stdout }) => stdout)).toEqual(["OPEN\n", "CLOSED\n"]);
  await announce(2);
  expect((await run("a", "gh")).stdout).toBe("OPEN\n");
});

test("a matcher tells which commands a test has run", async () => {
  const { llm, url } = await startServer();
  const run = shimmed(url);
  await run("a", "git", "push", "origin");

  expect(llm).toHaveRunCommand("git", ["push", expect.any(String)], { testId: "a" });
  expect(llm).not.toHaveRunCommand("git", ["push"], { testId: "a" });
  expect(() => expect(llm).toHaveRunCommand("git", undefined, { testId: "b" })).toThrow("Commands run: none.");
});

test("the journal keeps 64 KB of what a command prints, and says that it is cut", async () => {
  const { llm, url } = await startServer();
  const run = shimmed(url);

  expect(await run("a", "long")).toEqual({ stdout: "x".repeat(100_000), code: 0 });
  const [entry] = llm.getRequests();
  const mark = "… (cut by the journal's cap of 64 KB; 100000 characters in all)";
  expect(entry?.command?.stdout).toBe("x".repeat(65_536 - mark.length) + mark);
});

test("commands of more tests than the server keeps apart fail, until some end", async () => {
  const { url } = await startServer({ limits: { commandTests: 1 } });
  const run = shimmed(url);
  const control = (route: string, body: object) =>
    send(`${url}/__aimock${route}`, { method: "POST", body: JSON.stringify(body) });

  await control("/tests", { testId: "a", file: "a.test.ts", names: ["a"], attempt: 1 });
  expect((await run("a", "gh")).stdout).toBe("OPEN\n");
  const refused = await run("b", "gh");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Too many tests run commands: the limit is 1");
  await control("/tests/end", { testId: "a" });
  expect((await run("b", "gh")).stdout).toBe("OPEN\n");
});

/** Runs a command's shim in the name of a test. */
function shimmed(url: string) {
  const folder = join(tempFolder(), "shims");
  makeShims({ fixture: tempFile("cli.json", { commands: COMMANDS }), folder });
  return async (testId: string, command: string, ...argv: string[]) => {
    const env = {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      MCP_FAKES_URL: `${url}/mcp`,
      MCP_FAKES_TEST_ID: testId,
    };
    const child = spawn(command, argv, { env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    return { stdout, code, ...(stderr === "" ? {} : { stderr }) };
  };
}
