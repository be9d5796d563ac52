import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { connect } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { tempFolder, tempTree } from "../_support/temp.ts";

const TOOLS = ["one", "two", "three", "four"];
const FAKES = {
  scope: "shared",
  tools: [
    ...TOOLS.map((name) => ({ name, calls: [{ anyArgs: true, result: name }] })),
    { name: "spare", calls: [{ anyArgs: true, result: "spare", optional: true }] },
  ],
};

/** Makes each call against a server of its own, as a shard does; answers its log. */
async function shard(
  fixtures: string,
  calls: readonly (readonly [tool: string, testId: string | null])[],
): Promise<string> {
  const log = join(tempFolder(), "shard.jsonl");
  const { llm, url } = await startServer({ log }, (server) => server.loadFixtures(fixtures));
  for (const [tool, testId] of calls) {
    const client = await connect(`${url}/mcp`, testId === null ? {} : { headers: { "X-Test-Id": testId } });
    await client.call(tool);
  }
  await llm.stop();
  return log;
}

test("the logs of all shards answer together what no test used and who carried no id", async () => {
  const fixtures = tempTree({ "fakes.json": { mcpFakes: FAKES } });
  const logs = [
    await shard(fixtures, [
      ["one", "a"],
      ["two", "b"],
    ]),
    await shard(fixtures, [
      ["one", "c"],
      ["unknown", null],
      ["unknown", null],
    ]),
    await shard(fixtures, [["three", "d"]]),
  ];
  expect(await runCommand("coverage", ...logs, "--fixtures", fixtures)).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: [
      "unused: fakes.json:four#0",
      "without a test id: unknown, 2 calls",
      "3 of 4 fakes were used (75 %)",
      "",
    ].join("\n"),
  });
  const json = await runCommand("coverage", ...logs, "--fixtures", fixtures, "--threshold", "0.8", "--json");
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([
    1,
    { failed: true, declared: 4, used: 3, share: 0.75, unused: ["fakes.json:four#0"], untagged: { unknown: 2 } },
  ]);
  expect((await runCommand("coverage", ...logs, "--fixtures", fixtures, "--threshold", "0.75")).exitCode).toBe(0);
});

test("a share of no fakes at all is not passed", async () => {
  const fixtures = tempTree({ "turns.json": { fixtures: [{ match: {}, response: { content: "hi" } }] } });
  const log = await shard(fixtures, []);
  expect(await runCommand("coverage", log, "--fixtures", fixtures)).toMatchObject({
    exitCode: 0,
    stdout: "the fixtures declare no fake\n",
  });
  expect(await runCommand("coverage", log, "--fixtures", fixtures, "--threshold", "0.9")).toMatchObject({
    exitCode: 1,
    stdout: "the fixtures declare no fake, so no share of them can be asked for\n",
  });
});

test.each([
  [["nope.jsonl"], "no such log: nope.jsonl"],
  [["package.json", "--threshold", "90"], '--threshold must be a number from 0 to 1, got "90"'],
])("wrong use: coverage %j", async (words, message) => {
  const { exitCode, stderr } = await runCommand("coverage", ...words, "--fixtures", resolve("fixtures/tickets"));
  expect([exitCode, stderr]).toEqual([2, `mcp-fakes: ${message}\n`]);
});

test("reads and prompts count as calls do", async () => {
  const prompts = [{ name: "greet", calls: [{ result: "Dear" }] }];
  const resources = [{ uri: "docs://a", reads: [{ result: "one" }, { result: "two" }] }];
  const fixtures = tempTree({ "fakes.json": { mcpFakes: { scope: "shared", resources, prompts } } });
  const log = join(tempFolder(), "calls.jsonl");
  const { llm, url } = await startServer({ log }, (server) => server.loadFixtures(fixtures));
  const client = await connect(`${url}/mcp`);
  await client.request("resources/read", { uri: "docs://a" });
  await client.request("prompts/get", { name: "greet" });
  await llm.stop();
  const { stdout } = await runCommand("coverage", log, "--fixtures", fixtures);
  expect(stdout).toBe("unused: fakes.json:resources/docs://a#1\n2 of 3 fakes were used (67 %)\n");
});
