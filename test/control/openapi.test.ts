import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly components: {
    readonly parameters: { readonly testId: { readonly name: string; readonly in: string; readonly example: string } };
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const TOKEN = "a-token-of-the-test";
const TEST = { testId: "a.test.ts › works", file: "a.test.ts", names: ["works"], attempt: 1 };
const BLOCK = {
  scope: { testId: TEST.testId },
  undeclaredTools: "deny",
  tools: [
    {
      name: "get_weather",
      calls: [
        { args: { city: "Seattle" }, result: "rain" },
        { anyArgs: true, error: "no" },
      ],
    },
  ],
};

const TURN = { match: { userMessage: "hi" }, response: { content: "Hi!" }, latency: 1 };

const RUN = {
  testId: TEST.testId,
  setState: null,
  ...{ command: "git", argv: ["push"], stdin: "", stdout: "", stderr: "denied", exitCode: 1 },
  ...{ outcome: "answered", entryId: "git.default", startedAt: 1, durationMs: 1 },
};

/** One request per route and status that the document names, in an order in which each can come true. */
const REQUESTS: readonly (readonly [status: number, route: string, body?: unknown])[] = [
  [200, "GET /health"],
  [200, "GET /verdict"],
  [400, "GET /verdict?mount=/mcp"],
  [200, "DELETE /mcp/fakes?blockId=fixtures/mock/strict.mock.json"],
  [200, "GET /routes"],
  [200, "GET /limits"],
  [200, "GET /openapi.json"],
  [200, "POST /tests", TEST],
  [400, "POST /tests", {}],
  [200, "POST /error", { status: 503, body: { message: "down", code: "down" } }],
  [400, "POST /error", { status: 7 }],
  [200, "POST /fixtures", { mcpFakes: BLOCK, fixtures: [TURN, TURN], fixturesScope: { testId: TEST.testId } }],
  [400, "POST /fixtures", { fixtures: [{ match: {}, response: {} }] }],
  [200, "GET /fixtures?include=fixtures"],
  [400, "GET /fixtures?include=blocks"],
  [400, "POST /fixtures", { mcpFakes: { ...BLOCK, scope: "shared" } }],
  [200, "GET /mcp/fakes?testId=a.test.ts+%E2%80%BA+works"],
  [400, "GET /mcp/fakes?testid=x"],
  [404, "GET /mcp/fakes?mount=/nope"],
  [200, "GET /mcp/fakes/report?testId=a.test.ts+%E2%80%BA+works"],
  [400, "GET /mcp/fakes/report?mount=/mcp"],
  [200, "GET /turns?testId=a.test.ts+%E2%80%BA+works"],
  [400, "GET /turns?test=x"],
  [200, "GET /tests"],
  [200, "POST /tests/skipped", { tests: [{ testId: "a.test.ts › skipped", names: ["skipped"] }] }],
  [400, "POST /tests/skipped", { tests: [{ testId: "a.test.ts › skipped" }] }],
  [200, "GET /usage"],
  [200, "POST /cli/claim", { testId: TEST.testId, command: "git" }],
  [400, "POST /cli/claim", {}],
  [200, "POST /cli/runs", RUN],
  [400, "POST /cli/runs", {}],
  [200, "POST /tests/end", { testId: TEST.testId }],
  [404, "POST /tests/end", { testId: TEST.testId }],
  [400, "POST /tests/end", {}],
  [200, "POST /reset/test?testId=x"],
  [400, "POST /reset/test"],
  [200, "GET /journal?limit=100"],
  [400, "GET /journal?limit=-1"],
  [400, "GET /events?limit=1"],
  [200, "DELETE /mcp/fakes?testId=nobody"],
  [400, "DELETE /mcp/fakes"],
  [404, "DELETE /mcp/fakes?blockId=nothing"],
  [200, "POST /reset/journal"],
  [200, "POST /reset/fixtures"],
  [200, "DELETE /fixtures"],
  [200, "POST /reset"],
  [404, "GET /verdict"],
];

test("every answer of the control API is as its OpenAPI document says, and the document names no other", async () => {
  const { llm, mcp, url, mcpUrl } = await startMock({ token: TOKEN });
  llm.loadFixtureFile("fixtures/mock/strict.mock.json");
  mcp.onToolCall("echo", (args) => JSON.stringify(args));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const ask = (route: string, body?: unknown) => {
    const [method = "", path = ""] = route.split(" ");
    return send(`${url}/__aimock${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const document = (await ask("GET /openapi.json")).json() as Document;
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  const seen = new Set<string>();

  for (const [status, route, body] of REQUESTS) {
    const [verb = "", target = ""] = route.split(" ");
    const operation = document.paths[`/__aimock${target.split("?")[0]}`]?.[verb.toLowerCase()];
    const schema = operation?.responses[status]?.content["application/json"]?.schema;
    const reply = await ask(route, body);
    expect([route, reply.status], reply.text).toEqual([route, status]);
    if (schema === undefined) throw new Error(`${route} ${status} is not documented`);
    const validate = ajv.compile(schema);
    if (!validate(reply.json()))
      throw new Error(`${route} ${status}: ${ajv.errorsText(validate.errors)}\n${reply.text}`);
    seen.add(`${verb} ${target.split("?")[0]} ${status}`);
    if (route.startsWith("POST /fixtures") && status === 200) {
      await makeCalls(mcpUrl);
      await askModel(url);
    }
  }

  const documented = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { responses }]) =>
      Object.keys(responses).map((status) => `${verb.toUpperCase()} ${path.slice("/__aimock".length)} ${status}`),
    ),
  );
  // 401 is one guard before all routes (security.test.ts), a stream is read elsewhere, 503 needs a small limit.
  const elsewhere = documented.filter((each) => each.endsWith(" 401"));
  expect(documented.filter((each) => !seen.has(each) && !elsewhere.includes(each))).toEqual([
    "GET /events 200",
    "POST /tests 503",
    "POST /cli/claim 503",
  ]);
});

test("the parameters of the document are the ones that a refusal lists", async () => {
  const { url } = await startMock();
  const document = (await send(`${url}/__aimock/openapi.json`)).json() as Document;
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, { parameters = [] }] of Object.entries(verbs)) {
      const reply = await send(`${url}${path}?nonsense=1`, { method: verb.toUpperCase() });
      const supported = parameters.map(({ name }) => name).join(", ") || "none";
      expect([path, reply.json()]).toEqual([
        path,
        { error: `Unknown query parameter: 'nonsense'. Supported: ${supported}` },
      ]);
    }
  }
});

test("the document says what fixtures a body may hold, and how requests name their test", async () => {
  const { url } = await startMock();
  const document = (await send(`${url}/__aimock/openapi.json`)).json() as Document;
  const { components, paths } = document;
  const body = paths["/__aimock/fixtures"]?.post?.requestBody?.content["application/json"]?.schema;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = ajv.compile({ ...body, components });
  expect(fits({ mcpFakes: BLOCK, fixtures: [TURN], fixturesScope: BLOCK.scope }), ajv.errorsText(fits.errors)).toBe(
    true,
  );
  expect(fits({ mcpFakes: [{ ...BLOCK, tools: [{ name: "get_weather", calls: [{ anyArg: true }] }] }] })).toBe(false);
  expect(fits({ fixtures: [{ ...TURN, match: { userMesage: "hi" } }] })).toBe(false);

  const { name, in: where, example } = components.parameters.testId;
  expect([where, name]).toEqual(["header", "X-Test-Id"]);
  await post(`${url}/mcp`, { jsonrpc: "2.0", id: 1, method: "ping" }, { [name]: example });
  const [record] = (await send(`${url}/__aimock/journal`)).json() as { testId: string }[];
  expect(record?.testId).toBe("weather › seattle");
});

/** A queued error, an answer and a miss. */
async function askModel(url: string): Promise<void> {
  for (const content of ["hi", "hi", "bye"]) {
    const body = { model: "gpt-4o", messages: [{ role: "user", content }] };
    await post(`${url}/v1/chat/completions`, body, { "X-Test-Id": encodeURIComponent(TEST.testId) });
  }
}

/** One call of each kind of outcome, so that every member of the journal and the report holds something. */
async function makeCalls(mcpUrl: string): Promise<void> {
  const client = await connect(mcpUrl, { headers: { "X-Test-Id": encodeURIComponent(TEST.testId) } });
  await client.call("get_weather", { city: "Seattle" });
  await client.call("get_weather", {});
  await client.call("get_weather", {});
  await client.call("delete_account", {});
  await client.call("echo", { a: 1 }, { "X-AIMock-MCP-Undeclared": "allow" });
  const untagged = await connect(mcpUrl);
  await untagged.call("nothing", {});
}
