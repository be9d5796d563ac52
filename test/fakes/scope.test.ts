import { expect, test } from "vitest";
import { toolTarget } from "../../src/fakes/target.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import type { McpFakeBlock, McpFakeScope } from "../../src/fixtures/types.ts";
import type { Identity } from "../../src/identity.ts";
import { asking, emptyStore, storeOf, storeOfFile } from "../_support/fakes.ts";

const SCOPES: Record<string, McpFakeScope> = {
  both: { testId: "T", context: "C" },
  test: { testId: "T" },
  context: { context: "C" },
  shared: "shared",
};

test.each<[asked: Partial<Identity>, answering: string[]]>([
  [{ testId: "T", context: "C" }, ["both", "test", "context", "shared"]],
  [{ testId: "T" }, ["test", "shared"]],
  [{ testId: "T", context: "other" }, ["test", "shared"]],
  [{ context: "C" }, ["context", "shared"]],
  [{ testId: "other", context: "C" }, ["context", "shared"]],
  [{ testId: "t" }, ["shared"]],
  [{}, ["shared"]],
])("%j is answered by %j, the most specific that declares the tool", (asked, answering) => {
  // Taken away one by one, each scope in turn is the most specific.
  const left = Object.keys(SCOPES).reverse();
  const answered = [];
  for (let scopes = left; scopes.length > 0; scopes = scopes.slice(0, -1)) {
    const store = storeOf(...scopes.map((name) => tool(SCOPES[name] ?? "shared", name)));
    const outcome = store.claim(toolTarget("t"), {}, asking(asked));
    if (outcome.kind === "answered" && outcome.answer.kind === "result") answered.push(outcome.answer.result.content);
  }
  const texts = answered.map((content) => JSON.stringify(content).split('"')[7]);
  expect([...new Set(texts)]).toEqual(answering);
});

test("only the most specific level's entries are used: it is never left for a wider one", () => {
  const store = storeOf(tool("shared", "wide"), tool({ testId: "T" }, "narrow"));
  const call = () => store.claim(toolTarget("t"), {}, asking({ testId: "T" })).kind;
  expect([call(), call()]).toEqual(["answered", "exhausted"]);
});

test("blocks of one level are one list, in load order", () => {
  const store = storeOf(tool({ testId: "T" }, "first"), tool({ testId: "T" }, "second"));
  const call = () => store.claim(toolTarget("t"), {}, asking({ testId: "T" }));
  expect([call(), call()]).toMatchObject([{ entry: { id: "code#1:t#0" } }, { entry: { id: "code#2:t#0" } }]);
});

test("an announced test answers to its names, in load order with its own id, and uses them up for itself", () => {
  const aliases = (id: string) =>
    id.startsWith("a.test.ts") || id.startsWith("b.test.ts") ? ["suite › t", "suite › t", "suite t"] : [];
  const store = emptyStore({ aliases });
  for (const scope of ["suite t", "a.test.ts › suite › t", "suite › t"]) {
    store.add(blockSources(tool({ testId: scope }, scope), null), "code");
  }
  const call = (testId: string) => {
    const outcome = store.claim(toolTarget("t"), {}, asking({ testId }));
    return outcome.kind === "answered" ? outcome.entry.id : outcome.kind;
  };
  const calls = (testId: string) => [1, 2, 3, 4].map(() => call(testId));
  expect(calls("a.test.ts › suite › t")).toEqual(["code#1:t#0", "code#2:t#0", "code#3:t#0", "exhausted"]);
  expect(calls("b.test.ts › suite › t")).toEqual(["code#1:t#0", "code#3:t#0", "exhausted", "exhausted"]);
  expect(store.claim(toolTarget("t"), {}, asking({ testId: "a.test.ts › suite › t" }))).toMatchObject({
    matching: ["code#1:t#0", "code#2:t#0", "code#3:t#0"],
  });
  expect(calls("c.test.ts › suite › t")).toEqual(["unfaked", "unfaked", "unfaked", "unfaked"]);
});

test("an alias is one level with the id itself, with a context too", () => {
  const store = emptyStore({ aliases: () => ["name"] });
  store.add(blockSources(tool({ testId: "id" }, "plain"), null), "code");
  store.add(blockSources(tool({ testId: "name", context: "C" }, "with context"), null), "code");
  expect(store.claim(toolTarget("t"), {}, asking({ testId: "id", context: "C" }))).toMatchObject({
    entry: { id: "code#2:t#0" },
  });
  expect(store.claim(toolTarget("t"), {}, asking({ testId: "id" }))).toMatchObject({ entry: { id: "code#1:t#0" } });
  expect(store.contextsOf("id")).toEqual(["C"]);
});

test("a closed world refuses tools that no block of the request declares", () => {
  const store = storeOfFile("account/read-only.json");
  const test = { testId: "account › read only" };
  store.add(
    blockSources({ scope: "shared", tools: [{ name: "ping", calls: [{ anyArgs: true, result: "pong" }] }] }, null),
    "code",
  );
  expect(store.claim(toolTarget("delete_account"), {}, asking(test))).toEqual({
    kind: "not_declared",
    declaredTools: ["get_account", "ping"],
  });
  expect(store.claim(toolTarget("ping"), {}, asking(test)).kind).toBe("answered");
  expect(store.claim(toolTarget("delete_account"), {}, asking()).kind).toBe("unfaked");
});

test("a block without tools closes the world alone", () => {
  const store = storeOf({ scope: { context: "C" }, undeclaredTools: "deny", tools: [] });
  expect(store.claim(toolTarget("any"), {}, asking({ context: "C" }))).toEqual({
    kind: "not_declared",
    declaredTools: [],
  });
});

test("a request's own policy wins over its blocks, also without any", () => {
  const store = storeOfFile("account/read-only.json");
  const policy = (asked: Partial<Identity>) => store.policy(asking(asked));
  const testId = "account › read only";
  expect([policy({ testId }), policy({ testId, undeclared: "allow" })]).toEqual(["deny", "allow"]);
  expect([policy({}), policy({ undeclared: "deny" })]).toEqual(["allow", "deny"]);
  expect(store.claim(toolTarget("x"), {}, asking({ undeclared: "deny" }))).toEqual({
    kind: "not_declared",
    declaredTools: [],
  });
});

test("a test's tools are listed by first declaration and described by the most specific block, then by the others", () => {
  const schema = (name: string) => ({ type: "object", properties: { [name]: {} } });
  const calls = [{ anyArgs: true as const, result: "ok" }];
  const store = storeOf(
    { scope: "shared", tools: [{ name: "b", description: "shared", inputSchema: schema("shared"), calls }] },
    { scope: "shared", tools: [{ name: "a", calls }] },
    { scope: { context: "C" }, tools: [{ name: "b", description: "context", calls }] },
    {
      scope: { testId: "T" },
      tools: [
        { name: "b", inputSchema: schema("test"), calls },
        { name: "c", calls },
      ],
    },
    { scope: { testId: "T" }, tools: [{ name: "b", description: "test", calls }] },
    { scope: { testId: "T" }, tools: [{ name: "b", description: "too late", title: "B", calls }] },
  );
  expect([...store.listed("tool", asking({ testId: "T", context: "C" })).values()]).toEqual([
    { name: "b", inputSchema: schema("test"), description: "test", title: "B" },
    { name: "a", inputSchema: { type: "object" } },
    { name: "c", inputSchema: { type: "object" } },
  ]);
  expect([...store.listed("tool", asking()).values()]).toEqual([
    { name: "b", inputSchema: schema("shared"), description: "shared" },
    { name: "a", inputSchema: { type: "object" } },
  ]);
});

function tool(scope: McpFakeScope, result: string): McpFakeBlock {
  return { scope, tools: [{ name: "t", calls: [{ anyArgs: true, result }] }] };
}
