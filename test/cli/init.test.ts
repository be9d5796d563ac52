import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import getPort from "get-port";
import { expect, test } from "vitest";
import { exampleOf } from "../../src/cli/init/example.ts";
import { runCommand } from "../_support/cli.ts";
import { startCli } from "../_support/program.ts";
import { startMock } from "../_support/server.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";
import { answerTo, cliClient, EVERYTHING } from "../_support/upstream.ts";

test.each([
  [
    "fakes",
    `serve FILE
Its fakes are for the test "weather › seattle" alone. A client without a plugin says that it is the one with a header:
  X-Test-Id: weather%20%E2%80%BA%20seattle`,
  ],
  ["server", "serve FILE"],
  ["proxy", "proxy FILE --stdio"],
])("what init writes for %s validates without a word", async (kind, next) => {
  const file = join(tempFolder(), "deep/start.json");
  const { exitCode, stderr } = await runCommand("init", kind, file);
  expect([exitCode, stderr]).toEqual([0, `${file} is written. Next:\n  npx mcp-fakes ${next.replace("FILE", file)}\n`]);
  expect((await runCommand("validate", file, "--strict")).stdout).toContain("1 file: 0 errors, 0 warnings");
});

test("what init writes for commands is a fixture of shims", async () => {
  const folder = tempFolder();
  await runCommand("init", "cli", join(folder, "cli.json"));
  const { ended } = startCli(["make-shims", join(folder, "cli.json"), join(folder, "shims")]);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(existsSync(join(folder, "shims/git"))).toBe(true);
});

test("--from writes a proxy before a real server, and a mock of it, that validate and serve", async () => {
  const folder = tempFolder();
  const source = [EVERYTHING.command, ...EVERYTHING.args].join(" ");
  for (const kind of ["proxy", "server"])
    await runCommand("init", kind, join(folder, `${kind}.json`), "--from", source);
  const [proxy, server] = [join(folder, "proxy.json"), join(folder, "server.json")];
  expect(await runCommand("validate", proxy, server, "--strict")).toMatchObject({ exitCode: 0, stderr: "" });

  const file = JSON.parse(readFileSync(proxy, "utf8"));
  expect(file.upstream).toEqual(EVERYTHING);
  expect(file.overrides.echo).toEqual({ responses: [] });
  const client = await cliClient(["proxy", proxy]);
  expect(await answerTo(client, "tools/call", { name: "echo", arguments: { message: "hi" } })).toContain("Echo: hi");
});

test("a file that is there is not touched, unless --force says so", async () => {
  const file = tempFile("mine.json", "mine");
  expect(await runCommand("init", "fakes", file)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `mcp-fakes: ${file} is there already: name another file, or replace it with --force\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await runCommand("init", "fakes", file, "--force")).exitCode).toBe(0);
});

test("an unknown kind is wrong use", async () => {
  const { exitCode, stderr } = await runCommand("init", "clients", "-");
  expect([exitCode, stderr]).toEqual([2, 'mcp-fakes: the kind must be fakes, server, proxy, cli, got "clients"\n']);
});

test("--from writes a fake for each tool of a real server, with examples of its schemas", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addTool({
    name: "search",
    description: "Search the web",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, max: { type: "integer" } },
      required: ["query"],
    },
  });
  const { stdout, stderr } = await runCommand("init", "fakes", "-", "--from", mcpUrl);
  expect(stderr).toBe(`asking ${mcpUrl} for its lists …\n`);
  expect(JSON.parse(stdout).mcpFakes).toEqual({
    scope: { testId: "my suite › my test" },
    tools: [
      {
        name: "search",
        description: "Search the web",
        inputSchema: {
          type: "object",
          properties: { query: { type: "string" }, max: { type: "integer" } },
          required: ["query"],
        },
        calls: [{ args: { query: "text" }, result: "answer of search", optional: true }],
      },
    ],
  });
  const file = tempFile("from.json", stdout);
  expect((await runCommand("validate", file)).stdout).toContain("1 file: 0 errors, 0 warnings");
});

test("--from takes the lists of a server that a command starts", async () => {
  const script = tempFile(
    "server.mjs",
    `process.stdin.on("data", (chunk) => {
      for (const line of String(chunk).trim().split("\\n")) {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) continue;
        const result = method === "initialize"
          ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
          : { tools: [{ name: "add", inputSchema: { type: "object" } }] };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      }
    });`,
  );
  const { stdout } = await runCommand("init", "server", "-", "--from", `"${process.execPath}" '${script}'`);
  expect(JSON.parse(stdout)).toMatchObject({
    server: { name: "s", version: "1" },
    tools: [{ name: "add", inputSchema: { type: "object" }, default: { text: "answer of add" } }],
  });
});

test.each(["", "http://", "https:/example.com"])("--from %j is wrong use", async (source) => {
  expect(await runCommand("init", "fakes", "-", "--from", source)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `mcp-fakes: --from needs the URL of an MCP server or the command that starts one, got "${source}"\n`,
  });
});

test("a server that does not answer is told by name", async () => {
  const url = `http://127.0.0.1:${await getPort()}/mcp`;
  const { exitCode, stderr } = await runCommand("init", "fakes", "-", "--from", url);
  expect([exitCode, stderr]).toEqual([
    1,
    `asking ${url} for its lists …\nmcp-fakes: ${url} did not answer as an MCP server: fetch failed: connect ECONNREFUSED ${new URL(url).host}\n`,
  ]);
});

test.each([
  [{ type: "object", properties: { a: { enum: ["x", "y"] } }, required: ["a"] }, { a: "x" }],
  [
    { properties: { n: { type: "number", minimum: 3 }, b: { type: "boolean" } }, required: ["n", "b"] },
    { n: 3, b: false },
  ],
  [{ properties: { l: { type: "array", minItems: 1, items: { type: "string" } } }, required: ["l"] }, { l: ["text"] }],
  [{ properties: { r: { $ref: "#/$defs/r" } }, required: ["r"], $defs: { r: { default: 7 } } }, { r: 7 }],
  [{ properties: { o: { anyOf: [{ type: "null" }, { type: "string" }] } }, required: ["o"] }, { o: null }],
])("the example of %j is %j", (schema, example) => {
  expect(exampleOf(schema)).toEqual(example);
});

test("a schema that refers to itself has an end", () => {
  const schema = { properties: { next: { $ref: "#" } }, required: ["next"] };
  expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(200);
});
