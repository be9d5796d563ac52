import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "../../src/journal/jsonl.ts";
import type { NewLogLine } from "../../src/journal/log-line.ts";
import { runCommand } from "../_support/cli.ts";
import { callLine, cliLine, verdictLine } from "../_support/log.ts";
import { tempFolder } from "../_support/temp.ts";

test("the seed's command line passes when the calls are in the log", async () => {
  const log = writeLog(callLine("search_issues", { query: "cve" }), callLine("search_issues"), callLine("create_pr"));

  expect(await runCommand("assert", log, "--tool-called", "search_issues", "--call-count", "search_issues=2")).toEqual({
    exitCode: 0,
    stdout:
      "ok   search_issues was called (seen: 2 times)\n" + "ok   search_issues was called 2 times (seen: 2 times)\n",
    stderr: "",
  });
});

test("every check that fails says what was seen", async () => {
  const log = writeLog(
    callLine("search", { query: "cve" }),
    callLine("delete", { id: 1 }, { isError: true, error: { code: -32003, message: "denied" } }),
  );

  expect(
    await runCommand(
      ...["assert", log, "--tool-called", "fetch", "--tool-called-with", 'search={"query":"bug"}'],
      ...["--tool-not-called", "delete", "--call-count", "search>=2", "--call-order", "delete,search"],
      ...["--no-errors", "--expectations-met"],
    ),
  ).toEqual({
    exitCode: 1,
    stdout: [
      "FAIL fetch was called (seen: never; called were search, delete)",
      'FAIL search was called with {"query":"bug"} (seen: called with {"query":"cve"})',
      'FAIL delete was not called (seen: 1 time: {"id":1})',
      "FAIL search was called at least 2 times (seen: 1 time)",
      "FAIL calls came in the order delete, search (seen: search, delete)",
      "FAIL nothing failed (seen: delete: denied)",
      "FAIL all expectations were met (seen: no verdict; the server writes one when it is finalized or stops)",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("arguments are compared in part, nested objects too, arrays whole", async () => {
  const log = writeLog(callLine("open_pr", { base: "main", head: { repo: "a", ref: "b" }, labels: ["x", "y"] }));
  const check = async (args: string) =>
    (await runCommand("assert", log, "--tool-called-with", `open_pr=${args}`)).exitCode;

  expect(await check('{"base":"main"}')).toBe(0);
  expect(await check('{"head":{"ref":"b"}}')).toBe(0);
  expect(await check('{"labels":["y","x"]}')).toBe(1);
  expect(await check('{"labels":["x"]}')).toBe(1);
  expect(await check('{"draft":null}')).toBe(1);
});

test("commands are checked like tools", async () => {
  const log = writeLog(cliLine("git", ["push"], 1), callLine("search"));

  expect((await runCommand("assert", log, "--call-order", "git,search", "--no-errors")).stdout).toBe(
    "ok   calls came in the order git, search (seen: git, search)\nFAIL nothing failed (seen: git ended with code 1)\n",
  );
});

test("the last verdict counts", async () => {
  const missed = { met: false, missed: [{ tool: "merge" }], unexpected: [] };
  const red = writeLog(verdictLine({ met: true, missed: [] }, true), verdictLine(missed, false));
  const green = writeLog(verdictLine(missed, false), verdictLine({ met: true, missed: [] }, true));

  expect((await runCommand("assert", red, "--expectations-met")).stdout).toBe(
    'FAIL all expectations were met (seen: missed [{"tool":"merge"}])\n',
  );
  expect((await runCommand("assert", green, "--expectations-met")).exitCode).toBe(0);
});

test("the last verdict of each run counts, whichever run came last", async () => {
  const log = writeLog(callLine("x"), verdictLine({ met: false, missed: [], unexpected: [{ tool: "x" }] }, false));
  const shim = openLog(log);
  shim.write(cliLine("git", ["push"]));
  shim.close();
  const second = openLog(log);
  second.write(callLine("s"));
  second.write(verdictLine({ met: true, missed: [] }, true));
  second.close();

  expect(await runCommand("assert", log, "--expectations-met")).toMatchObject({
    exitCode: 1,
    stdout: 'FAIL all expectations were met (seen: unexpected [{"tool":"x"}])\n',
  });
});

test("--test-id looks at one test's lines", async () => {
  const log = writeLog(callLine("search", {}, { testId: "a" }), callLine("delete", {}, { testId: "b" }));

  expect((await runCommand("assert", log, "--test-id", "a", "--tool-not-called", "delete")).exitCode).toBe(0);
  expect((await runCommand("assert", log, "--test-id", "b", "--tool-not-called", "delete")).exitCode).toBe(1);
});

test("a log that tells of nothing, or not of the test that is named, fails whatever is asked of it", async () => {
  const of = async (log: string, ...more: string[]) => await runCommand("assert", log, ...more, "--no-errors");

  expect(await of(writeLog())).toEqual({
    exitCode: 1,
    stdout: "FAIL the log tells of a run (seen: it is empty)\nok   nothing failed (seen: no error)\n",
    stderr: "",
  });
  const log = writeLog(callLine("x", {}, { testId: "tickets › retry" }), callLine("x", {}, { testId: "travel" }));
  expect(await of(log, "--test-id", "tickets > retri")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(
      /^FAIL the log tells of test "tickets > retri" \(seen: no line of it; the closest is "tickets › retry"\)\n/,
    ),
  });
  expect((await of(writeLog(callLine("x")), "--test-id", "travel")).stdout).toContain(
    'FAIL the log tells of test "travel" (seen: no line has a test id)\n',
  );
  expect((await of(log, "--test-id", "travel")).exitCode).toBe(0);
});

test("--json prints the results as data", async () => {
  const { stdout } = await runCommand("assert", writeLog(callLine("search")), "--tool-called", "search", "--json");

  expect(JSON.parse(stdout)).toEqual([{ ok: true, text: "search was called (seen: 1 time)" }]);
});

test("a torn last line is told and skipped, a torn line elsewhere is an error", async () => {
  const log = writeLog(callLine("search"));
  appendFileSync(log, '{"v":1,"se');
  const run = await runCommand("assert", log, "--tool-called", "search");
  expect(run).toMatchObject({ exitCode: 0, stderr: `${log}: line 2 is torn and was skipped\n` });

  appendFileSync(log, "\n");
  expect(await runCommand("assert", log, "--tool-called", "search")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^mcp-fakes: .*calls\.jsonl, line 2 is not JSON: /),
  });
});

test("wrong use is told with what is right", async () => {
  const log = writeLog(callLine("search"));
  const wrong = async (...argv: string[]) => await runCommand("assert", log, ...argv);

  expect(await wrong("--call-count", "search~2")).toMatchObject({
    exitCode: 2,
    stderr: "mcp-fakes: --call-count takes TOOL=n, TOOL>=n or TOOL<=n; got search~2\n",
  });
  expect(await wrong("--tool-called-with", "search")).toMatchObject({
    exitCode: 2,
    stderr: 'mcp-fakes: --tool-called-with takes TOOL={json}, e.g. search={"query":"cve"}; got search\n',
  });
  expect(await wrong()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("nothing to check: give one of"),
  });
  expect(await runCommand("assert", "no.jsonl", "--no-errors")).toMatchObject({
    exitCode: 2,
    stderr: "mcp-fakes: no such log: no.jsonl\n",
  });
});

function writeLog(...lines: NewLogLine[]): string {
  const path = join(tempFolder(), "calls.jsonl");
  const log = openLog(path);
  for (const line of lines) log.write(line);
  log.close();
  return path;
}
