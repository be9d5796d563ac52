import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { post, send } from "../_support/http.ts";
import { startServer } from "../_support/server.ts";
import { tempFile, tempTree } from "../_support/temp.ts";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");

/** What `validate` prints of these files, with their folder left out. */
async function validate(files: Readonly<Record<string, unknown>>, ...flags: string[]): Promise<[number, string[]]> {
  const folder = tempTree(files);
  const { exitCode, stdout, stderr } = await runCommand("validate", folder, ...flags);
  const lines = `${stdout}${stderr}`.split("\n").map((line) => line.replace(/^.*?mcp-fakes-[^/]*\//, ""));
  return [exitCode, lines];
}

function block(calls: readonly object[], more: object = {}): object {
  return { mcpFakes: { scope: "shared", tools: [{ name: "t", calls }], ...more } };
}

test("files that are right are told by name, with what they hold", async () => {
  const { exitCode, stdout } = await runCommand(
    "validate",
    join(FIXTURES, "tickets"),
    join(FIXTURES, "multi/travel.json"),
  );
  expect([exitCode, stdout]).toEqual([
    0,
    [
      "fixtures/tickets/retry.json: OK (1 fixture(s), 1 mcpFakes block(s))",
      "fixtures/multi/travel.json: OK (0 fixture(s), 2 mcpFakes block(s))",
      "2 files: 0 errors, 0 warnings",
      "",
    ].join("\n"),
  ]);
});

test("fixtures of commands and proxy files are checked too, when they are named", async () => {
  const folder = tempTree({
    "cli.json": '{ "commands": { "git": {\n  "responses": [{ "when": { "argsMatch": "(" } }] } } }',
    "good.json": { commands: { git: { default: { stdout: "" } } } },
    "proxy.json": '{ "upstream": { "command": "x" },\n  "overides": {} }',
  });
  const paths = ["cli.json", "good.json", "proxy.json"].map((name) => join(folder, name));
  const { exitCode, stdout } = await runCommand("validate", ...paths);
  const lines = stdout.split("\n").map((line) => line.replace(/^.*?mcp-fakes-[^/]*\//, ""));
  expect([exitCode, lines]).toEqual([
    1,
    [
      "cli.json:2:29: error: $.commands.git.responses[0].when.argsMatch: is not a regular expression: Invalid regular expression: /(/: Unterminated group",
      "good.json: OK (a fixture of commands)",
      expect.stringMatching(/^proxy\.json:2:3: error: \$\.overides: unknown key; known: "schemaVersion", "upstream", /),
      "3 files: 2 errors, 0 warnings",
      "",
    ],
  ]);
});

test("every error of every file is told, with its line and column", async () => {
  const wrong = `{
  "mcpFakes": {
    "scope": { "testid": "x" },
    "tools": [
      { "name": "t", "descripton": "",
        "calls": [{ "args": {}, "result": 1, "delay": 2 }] }
    ]
  }
}`;
  const llm = `{ "fixtures": [
  { "match": { "usrMessage": "hi" },
    "response": { "content": "Hi" } }
] }`;
  const [exitCode, lines] = await validate({ "a.json": wrong, "b.json": '{\n  "mcpFakes": [,]\n}', "llm.json": llm });
  expect([exitCode, lines]).toEqual([
    1,
    [
      'a.json:3:16: error: "a.json", block "a.json": [mcp-fakes/bad-block:b] scope has unknown key "testid"',
      'a.json:3:5: error: "a.json", block "a.json": [mcp-fakes/bad-block:b] scope object has neither testId nor context',
      'a.json:5:22: error: "a.json", block "a.json": [mcp-fakes/bad-block:h] tool "t" has unknown key "descripton"',
      'a.json:6:19: error: "a.json", block "a.json", entry "a.json:t#0": [mcp-fakes/bad-block:h] tool "t" calls[0] has unknown key "delay"',
      'a.json:6:19: error: "a.json", block "a.json", entry "a.json:t#0": [mcp-fakes/bad-block:d] tool "t" calls[0] result must be a string, a content array or an object, got 1',
      expect.stringMatching(/^b\.json:2:16: error: "b\.json": \[fixtures\/bad-json\] is not JSON: /),
      'llm.json:2:16: error: "llm.json": [llm-fixtures/unknown-key] fixtures[0].match has unknown key "usrMessage"',
      "3 files: 7 errors, 0 warnings",
      "",
    ],
  ]);
});

test("ids are checked across files, and a path that is not there is an error", async () => {
  const folder = tempTree({ "a.json": block([{ id: "x", anyArgs: true, result: "1" }]), "b/a.json": "{}" });
  const { exitCode, stdout } = await runCommand("validate", join(folder, "a.json"), join(folder, "nope"), "--json");
  const { failed, files, run } = JSON.parse(stdout);
  expect([exitCode, failed, run]).toEqual([
    1,
    true,
    { files: 2, fixtures: 0, mcpFakeBlocks: 1, errors: 1, warnings: 0 },
  ]);
  expect(files[1].errors).toEqual([
    {
      line: 1,
      column: 1,
      rule: "fixtures/unreadable",
      message: `"${folder}/nope": [fixtures/unreadable] cannot read "${folder}/nope": no such file or folder`,
    },
  ]);
});

test("files of one name in two folders keep their own problems", async () => {
  const scope = { testId: "ok" };
  const call = [{ anyArgs: true, result: "1" }];
  const tools = (calls: readonly object[]) => ({ mcpFakes: { scope, mount: "/one", tools: [{ name: "t", calls }] } });
  const folder = tempTree({
    "d1/f.json": { mcpFakes: { scope, tool: [] } },
    "d2/f.json": block(call),
    "d3/w.json": tools([...call, { args: {}, result: "2" }]),
    "d4/w.json": tools(call),
  });
  const { stdout } = await runCommand("validate", ...["d1", "d2", "d3", "d4"].map((each) => join(folder, each)));
  expect(stdout.replaceAll(/\S*mcp-fakes-[^/]*\//g, "").split("\n")).toEqual([
    'd1/f.json:1:38: error: "f.json", block "f.json": [mcp-fakes/bad-block:h] block has unknown key "tool"',
    'd1/f.json:1:2: error: "f.json", block "f.json": [mcp-fakes/bad-block:g] tools must be an array, got undefined',
    "d2/f.json: OK (0 fixture(s), 1 mcpFakes block(s))",
    "d3/w.json: OK (0 fixture(s), 1 mcpFakes block(s))",
    'd3/w.json:1:113: warning: entry "w.json:t#1" is shadowed until the preceding anyArgs entry "w.json:t#0" is consumed',
    "d4/w.json: OK (0 fixture(s), 1 mcpFakes block(s))",
    "4 files: 2 errors, 1 warning",
    "",
  ]);
});

test("a folder without a fixture is an error, beside what is right", async () => {
  const folder = tempTree({ "good/a.json": block([{ anyArgs: true, result: "1" }]), "empty/deep/a.yaml": "" });
  const { exitCode, stdout } = await runCommand("validate", join(folder, "good"), join(folder, "empty"));
  expect([exitCode, stdout.replaceAll(/\S*mcp-fakes-[^/]*\//g, "")]).toEqual([
    1,
    [
      "good/a.json: OK (0 fixture(s), 1 mcpFakes block(s))",
      "empty:1:1: error: no fixture in this folder: no file in it, at any depth, ends in .json",
      "2 files: 1 error, 0 warnings",
      "",
    ].join("\n"),
  ]);
});

test("an entry that another block's schema does not allow is an error in its own place", async () => {
  const inputSchema = { type: "object", required: ["city"] };
  const shared = { scope: "shared", tools: [{ name: "t", inputSchema, calls: [{ anyArgs: true, result: "1" }] }] };
  const own =
    '{ "mcpFakes": { "scope": { "testId": "T" },\n "tools": [{ "name": "t", "calls": [{ "args": {}, "result": "2" }] }] } }';
  const [exitCode, lines] = await validate({ "a.json": { mcpFakes: shared }, "b.json": own });
  expect([exitCode, lines[1]]).toEqual([
    1,
    'b.json:2:37: error: "b.json", block "b.json", entry "b.json:t#0": [mcp-fakes/bad-block:d] tool "t", as block "a.json" declares it: args does not fit the tool\'s inputSchema: $ must have required property \'city\' (unsafe: true allows it)',
  ]);
});

test("entries that can never answer are warned of", async () => {
  const files = {
    "fakes.json": block([
      { anyArgs: true, result: "1" },
      { args: { a: 1 }, result: "2" },
    ]),
    "mock.json": {
      tools: [{ name: "t", responses: [{ text: "always" }, { when: { args: { a: 1 } }, text: "never" }] }],
    },
    "llm.json": {
      fixtures: [
        { match: { userMessage: "hi", sequenceIndex: 0 }, response: { content: "first" } },
        { match: { userMessage: "hi" }, response: { content: "then" } },
        { match: { userMessage: "hi" }, response: { content: "never" } },
        { match: { userMessage: "ho" }, response: { content: "ho" } },
      ],
    },
  };
  expect(await validate(files)).toEqual([
    0,
    [
      "fakes.json: OK (0 fixture(s), 1 mcpFakes block(s))",
      'fakes.json:1:91: warning: entry "fakes.json:t#1" is shadowed until the preceding anyArgs entry "fakes.json:t#0" is consumed',
      "llm.json: OK (4 fixture(s), 0 mcpFakes block(s))",
      'llm.json:1:155: warning: fixtures[2] can never answer: fixtures[1] of "llm.json" before it takes every request that it would take',
      "mock.json: OK (0 fixture(s), 1 mcpFakes block(s))",
      'mock.json:1:54: warning: entry "mock.json:t.responses[1]" can never answer: entry "mock.json:t.responses[0]" before it takes every call that it would take, without end',
      "3 files: 0 errors, 3 warnings",
      "",
    ],
  ]);
});

test("a key that an object has twice is warned of: JSON keeps only its last value", async () => {
  const [entry, other] = ['{ "anyArgs": true, "result": "a" }', '{ "anyArgs": true, "result": "b" }'];
  const tool = `{ "name": "t", "calls": [${entry}],\n"calls": [${other}] }`;
  const text = `{ "mcpFakes": { "scope": "shared", "tools": [${tool}] } }`;
  expect(await validate({ "twice.json": text })).toEqual([
    0,
    [
      "twice.json: OK (0 fixture(s), 1 mcpFakes block(s))",
      'twice.json:2:1: warning: "calls" stood in this object before, at 1:61: only the last one counts',
      "1 file: 0 errors, 1 warning",
      "",
    ],
  ]);
});

test("a scripted tool call that no fake of its scenario declares is warned of, and fails under --strict", async () => {
  const files = {
    "a.json": {
      fixtures: [
        { match: { userMessage: "a" }, response: { toolCalls: [{ name: "t", arguments: {} }] } },
        { match: { userMessage: "b" }, response: { toolCalls: [{ name: "create_tiket", arguments: {} }] } },
        {
          match: { userMessage: "c" },
          scope: { testId: "other" },
          response: { blocks: [{ type: "toolCall", name: "theirs", arguments: {} }] },
        },
      ],
      ...block([{ anyArgs: true, result: "1" }]),
    },
    "b.json": block([{ anyArgs: true, result: "1" }], {
      scope: { testId: "other" },
      tools: [{ name: "theirs", calls: [{ anyArgs: true, result: "1" }] }],
    }),
  };
  const [exitCode, lines] = await validate(files, "--strict");
  expect([exitCode, lines.filter((line) => line.includes("warning:"))]).toEqual([
    1,
    ['a.json:1:153: warning: the model is scripted to call "create_tiket", which no fake of this scenario declares'],
  ]);
});

test("a scope that no test of the run has is warned of, whichever way the run was listed", async () => {
  const { url } = await startServer();
  const announced = {
    testId: "src/a.test.ts › tickets › retry",
    file: "src/a.test.ts",
    names: ["tickets", "retry"],
    attempt: 1,
  };
  await post(`${url}/__aimock/tests`, announced);
  const lists: readonly unknown[] = [
    (await send(`${url}/__aimock/tests`)).json(),
    {
      testResults: [
        {
          name: resolve("src/a.test.ts"),
          assertionResults: [{ ancestorTitles: ["tickets"], title: "retry", status: "passed" }],
        },
      ],
    },
    [{ name: "tickets > retry", file: resolve("src/a.test.ts") }],
  ];
  const files = {
    "names.json": block([{ anyArgs: true, result: "1" }], { scope: { testId: "tickets › retry" } }),
    "jest.json": block([{ anyArgs: true, result: "1" }], { scope: { testId: "tickets retry" } }),
    "full.json": block([{ anyArgs: true, result: "1" }], { scope: { testId: "src/a.test.ts › tickets › retry" } }),
    "wrong.json": {
      mcpFakes: [{ scope: { testId: "tickets › retri", context: "c" }, undeclaredTools: "deny", tools: [] }],
    },
    "llm.json": { fixturesScope: { testId: "tickts › retry" }, fixtures: [{ match: {}, response: { content: "hi" } }] },
  };
  for (const list of lists) {
    const [exitCode, lines] = await validate(files, "--tests", tempFile("tests.json", list));
    expect([exitCode, lines.filter((line) => line.includes("warning:"))]).toEqual([
      0,
      [
        'llm.json:1:19: warning: scope.testId "tickts › retry" is no test of that run; the closest is "tickets › retry"',
        'wrong.json:1:24: warning: scope.testId "tickets › retri" is no test of that run; the closest is "tickets › retry"',
      ],
    ]);
  }
});

test.each([
  [
    "[1]",
    /^mcp-fakes: --tests: FILE is neither what GET \/__aimock\/tests answers \(.*\), nor a JSON report of Vitest/,
  ],
  ["{", /^mcp-fakes: --tests: FILE:1:2: Expected property name/],
])("a list of tests that is %s is wrong use", async (content, message) => {
  const file = tempFile("tests.json", content);
  const { exitCode, stderr } = await runCommand("validate", FIXTURES, "--tests", file);
  expect(exitCode).toBe(2);
  expect(stderr.replaceAll(file, "FILE")).toMatch(message);
});
