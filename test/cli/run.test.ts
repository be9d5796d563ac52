import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/commands.ts";
import { runCommand } from "../_support/cli.ts";

test("help names every command", async () => {
  const { exitCode, stdout, stderr } = await runCommand("--help");

  expect(exitCode).toBe(0);
  expect(stderr).toBe("");
  for (const { name, summary } of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name} .*${summary}$`, "m"));
});

test("version is the package's", async () => {
  expect(await runCommand("--version")).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: "" });
});

test("a misspelled command is wrong use, and the right one is named", async () => {
  expect(await runCommand("asert")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "error: unknown command 'asert'\n(Did you mean assert?)\n(add --help to see what it takes)\n",
  });
});

test("no command is wrong use, answered with the help", async () => {
  const { exitCode, stdout, stderr } = await runCommand();

  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^Usage: mcp-fakes \[options\] \[command\]\n/);
});

test("an unknown option of a command is wrong use", async () => {
  const { exitCode, stderr } = await runCommand("assert", "calls.jsonl", "--tool-caled", "search");

  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "error: unknown option '--tool-caled'\n(Did you mean --tool-called?)\n(add --help to see what it takes)\n",
  );
});

test.each(COMMANDS.map(({ name }) => name))("%s --help tells what it takes, with an example", async (name) => {
  const { exitCode, stdout } = await runCommand(name, "--help");

  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Usage: mcp-fakes ${name}`);
  expect(stdout).toContain(`$ mcp-fakes ${name}`);
});
