import { describe, expect, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";
import { WIRES } from "../_support/wires.ts";

/** A mock with five of everything, two on a page. */
function five(): MCPMock {
  const mcp = new MCPMock({ pageSize: 2, sse: true });
  for (const letter of "abcde") {
    mcp.addTool({ name: letter, title: letter.toUpperCase(), icons: [{ src: "data:," }] });
    mcp.addResource({ uri: `file:///${letter}`, name: letter }, { text: letter });
    mcp.addResourceTemplate({ uriTemplate: `${letter}://{id}`, name: letter }, ({ id }) => ({
      text: `${letter}${id}`,
    }));
    mcp.addPrompt({ name: letter, _meta: { from: "test" } });
  }
  return mcp;
}

describe.each(WIRES)("$name", ({ connect }) => {
  test("a client finds all items of all lists, page by page", async () => {
    const { client } = await connect(five());
    const { tools } = await client.listTools();
    expect(tools.map(({ name, title }) => [name, title])).toEqual(
      [..."abcde"].map((each) => [each, each.toUpperCase()]),
    );
    expect((await client.listResources()).resources).toHaveLength(5);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(5);
    expect((await client.listPrompts()).prompts.map(({ _meta }) => _meta)).toEqual(Array(5).fill({ from: "test" }));
  });

  test("a template answers the URIs that fit it, with its variables", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.addResourceTemplate(
      { uriTemplate: "ticket://{id}/notes{?lang,draft}", name: "Notes" },
      (variables, context) => ({
        text: JSON.stringify({ ...variables, uri: context.request.params.uri }),
        mimeType: "application/json",
      }),
    );
    const { client } = await connect(mcp);
    const uri = "ticket://a%20b/notes?lang=de";
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: "application/json", text: JSON.stringify({ id: "a b", lang: "de", uri }) },
    ]);
    await expect(client.readResource({ uri: "ticket://a/b/notes" })).rejects.toThrow("ticket://a/b/notes");
  });

  test("arguments of prompts and variables of templates are completed", async () => {
    const mcp = new MCPMock({ sse: true });
    const languages = ["perl", "python", "pytorch"];
    mcp.addPrompt({ name: "review", arguments: [{ name: "language" }] });
    mcp.addResourceTemplate({ uriTemplate: "doc://{name}", name: "Doc" }, () => ({ text: "" }));
    mcp.onComplete({ prompt: "review" }, ({ value }) => languages.filter((each) => each.startsWith(value)));
    mcp.onComplete({ template: "doc://{name}" }, () => Array.from({ length: 120 }, (_, index) => `doc${index}`));
    const { client } = await connect(mcp);
    const prompt = { type: "ref/prompt" as const, name: "review" };
    expect((await client.complete({ ref: prompt, argument: { name: "language", value: "py" } })).completion).toEqual({
      values: ["python", "pytorch"],
      total: 2,
      hasMore: false,
    });
    const ref = { type: "ref/resource" as const, uri: "doc://{name}" };
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "" } });
    expect([completion.values.length, completion.total, completion.hasMore]).toEqual([100, 120, true]);
  });

  test("a mock without a capability has none of its methods", async () => {
    const mcp = new MCPMock({ capabilities: { tools: {} }, sse: true });
    mcp.addPrompt({ name: "review" });
    const { client } = await connect(mcp);
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    await expect(client.request({ method: "prompts/get", params: { name: "review" } })).rejects.toThrow();
  });
});

test("a cursor that no page gave out is refused", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addTool({ name: "a" });
  const client = await connect(mcpUrl);
  for (const cursor of [
    "2",
    Buffer.from("prompts:1").toString("base64url"),
    Buffer.from("tools:9").toString("base64url"),
  ]) {
    expect((await client.request("tools/list", { cursor })).error).toEqual({
      code: -32602,
      message: `Invalid cursor "${cursor}": use the nextCursor of an earlier page`,
    });
  }
});

test.each<[string, unknown, string]>([
  [
    "no known kind of reference",
    { ref: { type: "ref/tool", name: "x" } },
    'ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }',
  ],
  [
    "no value",
    { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a" } },
    "argument must have a name and a value, both strings",
  ],
  [
    "an unknown prompt",
    { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "" } },
    'nothing is registered as "x"',
  ],
])("a completion with %s is refused", async (_what, params, why) => {
  const { mcpUrl } = await startMock();
  const { error } = await (await connect(mcpUrl)).request("completion/complete", params);
  expect(error).toEqual({ code: -32602, message: `Invalid params: ${why}` });
});

test("a URI that a template would be matched with for ever is refused, and the server goes on", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.addResourceTemplate({ uriTemplate: "x://{a}-{b}-{c}-{d}-{e}-{f}/end", name: "X" }, ({ f = "" }) => ({ text: f }));
  const client = await connect(mcpUrl);
  const { error } = await client.request("resources/read", { uri: `x://${"-a".repeat(500)}` });
  expect(error?.message).toMatch(
    /could not be looked up: the pattern .+ took more than 1000 ms on a text of 1004 characters/,
  );
  expect((await client.request("resources/read", { uri: "x://1-2-3-4-5-6/end" })).result).toMatchObject({
    contents: [{ text: "6" }],
  });
});

test("a template with an operator that is not supported is refused when it is registered", () => {
  expect(() =>
    new MCPMock({ sse: true }).addResourceTemplate({ uriTemplate: "a://{/x}", name: "A" }, () => ({ text: "" })),
  ).toThrow('URI template "a://{/x}": "{/x}" is not supported; use {name}, {+name}, {name*} or {?a,b}');
});
