import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startServe } from "../_support/program.ts";
import { tempFile, tempTree } from "../_support/temp.ts";

test("the seed's config file serves its tool and its resource", async () => {
  const config = tempFile("aimock.json", {
    mcp: {
      path: "/mcp",
      tools: [{ name: "search", description: "Search", result: "Found it" }],
      resources: [{ uri: "file:///data.json", name: "Data", text: '{"key": "value"}' }],
    },
  });
  const { url, output } = await startServe(["--config", config]);
  const client = await connect(`${url}/mcp`);
  expect(await client.call("search")).toMatchObject({
    result: { content: [{ type: "text", text: "Found it" }], isError: false },
  });
  expect(await client.request("resources/read", { uri: "file:///data.json" })).toMatchObject({
    result: { contents: [{ uri: "file:///data.json", text: '{"key": "value"}' }] },
  });
  expect(output.stderr).not.toContain("Next:");
});

test("a config file holds options, sources relative to itself, several servers and comments", async () => {
  const folder = tempTree({
    "conf/mcp-fakes.json": {
      $schema: "./schema.json",
      _comment: "as used in CI",
      journalMax: 5,
      limits: { streams: 3 },
      fixtures: "../fakes",
      strict: true,
      llm: { fixtures: ["../one.json"], latency: 1, chunkSize: 5, logLevel: "error" },
      mcp: [
        {
          path: "/a",
          serverInfo: { name: "a-server", version: "2.0.0" },
          tools: [
            { name: "object", result: { tempF: 60 }, _comment: "an object is structured content" },
            { name: "none" },
          ],
          prompts: [
            {
              name: "greet",
              arguments: [{ name: "who", required: true }],
              messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
            },
          ],
        },
        { path: "/b" },
      ],
    },
    "fakes/shared.json": { mcpFakes: block("from-folder") },
    "one.json": { mcpFakes: block("from-file") },
  });
  const { url } = await startServe(["--config", join(folder, "conf/mcp-fakes.json")]);

  const client = await connect(`${url}/a`);
  expect(await client.call("object")).toMatchObject({ result: { structuredContent: { tempF: 60 } } });
  expect(await client.call("none")).toMatchObject({ result: { content: [] } });
  expect(await client.request("prompts/get", { name: "greet", arguments: { who: "you" } })).toMatchObject({
    result: { messages: [{ content: { text: "Hello" } }] },
  });
  expect((await send(`${url}/__aimock/mcp/fakes?mount=/mcp`)).json()).toMatchObject({
    mounts: [{ blocks: [{ blockId: "shared.json" }, { blockId: join(folder, "one.json") }] }],
  });
  expect((await connect(`${url}/b`)).sessionId).not.toBe("undefined");
  const asked = { model: "m", messages: [{ role: "user", content: "hello" }] };
  expect((await send(`${url}/v1/chat/completions`, { method: "POST", body: JSON.stringify(asked) })).status).toBe(503);
});

test("flags win over the config file", async () => {
  const config = tempFile("config.json", { port: 1, journalMax: 5, fixtureCountsMax: 6 });
  const { url } = await startServe(["--config", config, "--journal-max", "7"]);
  const limits = (await send(`${url}/__aimock/limits`)).json() as { name: string; max: number }[];
  const maxOf = (name: string) => limits.find((limit) => limit.name === name)?.max;
  expect([maxOf("journalRecords"), maxOf("testIds")]).toEqual([7, 6]);
});

test("every problem of a config file is shown, with its line and column", async () => {
  const config = tempFile(
    "config.json",
    `{
  "prt": 4010,
  "logLevel": "loud",
  "mcp": {
    "path": "mcp",
    "tools": [
      { "nme": "search", "result": [{ "type": "video" }] }
    ],
    "resources": [{ "uri": "a:b", "name": "both", "text": "", "blob": "" }]
  },
  "limits": { "streems": 3, "body": 0 }
}`,
  );
  const { exitCode, stderr } = await runCommand("serve", "--config", config);
  expect(exitCode).toBe(2);
  expect(stderr.replaceAll(config, "FILE").split("\n")).toEqual([
    "mcp-fakes: the config file is wrong:",
    '  FILE:3:3: $.logLevel: must be "silent", "error", "warn", "info" or "debug", got "loud"',
    "  FILE:11:29: $.limits.body: must be at least 1, got 0",
    expect.stringMatching(/^ {2}FILE:11:15: \$\.limits\.streems: unknown key; known: "requestLine", "headers", /),
    '  FILE:5:5: $.mcp.path: must be a text that starts with "/", got "mcp"',
    "  FILE:7:7: $.mcp.tools[0].name: is missing; it must be a string",
    '  FILE:7:26: $.mcp.tools[0].result: result[0].type must be "text", "image", "audio", "resource_link" or "resource", got "video"',
    '  FILE:7:9: $.mcp.tools[0].nme: unknown key; known: "name", "description", "inputSchema", "result"',
    "  FILE:9:19: $.mcp.resources[0]: needs exactly one of text / blob",
    '  FILE:2:3: $.prt: unknown key; known: "port", "host", "mode", "log", "watch", "strict", "metrics", "logLevel", "journalMax", "fixtureCountsMax", "limits", "fixtures", "llm", "mcp"',
    "",
  ]);
});

test("what a server or its clients could not use is refused, and so is what would hide something else", async () => {
  const config = tempFile(
    "config.json",
    `[
  { "tools": [{ "name": "t", "inputSchema": { "type": "string" } }] },
  { "path": "/mcp/", "resources": [{ "uri": "a:b", "name": "A", "blob": "no base64!" }, { "uri": "a:b", "name": "B", "text": "" }] },
  { "path": "/__aimock/mcp", "prompts": [{ "name": "p", "messages": [{ "role": "user", "content": { "type": "txt" } }] }, { "name": "p" }] }
]`.replace(/.*/s, '{ "mcp": $& }'),
  );
  const { exitCode, stderr } = await runCommand("serve", "--config", config);
  expect(exitCode).toBe(2);
  expect(stderr.replaceAll(config, "FILE").split("\n")).toEqual([
    "mcp-fakes: the config file is wrong:",
    '  FILE:2:47: $.mcp[0].tools[0].inputSchema.type: must be "object", got "string"',
    "  FILE:3:65: $.mcp[1].resources[0].blob: must be base64 text",
    "  FILE:3:91: $.mcp[1].resources[1].uri: is there twice",
    "  FILE:4:5: $.mcp[2].path: is where the control API answers, /__aimock",
    expect.stringMatching(
      /^ {2}FILE:4:88: \$\.mcp\[2\]\.prompts\[0\]\.messages\[0\]\.content: \.type must be "text", /,
    ),
    "  FILE:4:125: $.mcp[2].prompts[1].name: is there twice",
    "",
  ]);
});

test("the keys that are named for an unknown one are those of its own object", async () => {
  const config = tempFile("config.json", { mcp: { serverInfo: { name: "a", version: "1", title: "A" } } });
  const { stderr } = await runCommand("serve", "--config", config);
  expect(stderr).toContain('$.mcp.serverInfo.title: unknown key; known: "name", "version"\n');
});

test("two servers at one path are refused", async () => {
  const config = tempFile("config.json", { mcp: [{ tools: [{ name: "a" }] }, { path: "/mcp/", tools: [] }] });
  const { exitCode, stderr } = await runCommand("serve", "--config", config);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/:1:35: \$\.mcp\[1\]\.path: another server is at "\/mcp"\n/);
});

test.each([
  ["{", /FILE:1:2: Expected property name or '}'/],
  ['{\n  "port": 1', /FILE:2:12: /],
  ['{\n  "port": x }', /FILE:2:11: Unexpected token/],
  ["[".repeat(50_000) + "]".repeat(50_000), /FILE:1:1: is nested deeper than 128 levels/],
  ["[]", /FILE:1:1: \$: must be an object, got \[\]/],
])("a config file that is %s is refused", async (content, message) => {
  const config = tempFile("config.json", content);
  const { exitCode, stderr } = await runCommand("serve", "--config", config);
  expect(exitCode).toBe(2);
  expect(stderr.replaceAll(config, "FILE")).toMatch(message);
});

test("a config file that is not there is wrong use", async () => {
  const { exitCode, stderr } = await runCommand("serve", "--config", "nope.json");
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^mcp-fakes: cannot read the config file nope\.json: ENOENT/);
});

function block(tool: string): unknown {
  return { scope: "shared", tools: [{ name: tool, calls: [{ anyArgs: true, result: tool }] }] };
}
