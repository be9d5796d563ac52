import { expect, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { connect } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { tempFile } from "../_support/temp.ts";
import { httpClient } from "../_support/upstream.ts";

test("a file's server, resources, templates and prompts are served as given", async () => {
  const { url } = await startServer({}, (llm) => llm.loadFixtureFile("fixtures/mock/docs.mock.json"));
  const client = await httpClient(`${url}/mcp`);

  expect(client.getServerVersion()).toEqual({ name: "mock-docs", version: "2.1.0" });
  expect(client.getInstructions()).toBe("Read before you write.");
  expect((await client.listResources()).resources).toEqual([
    { uri: "docs://readme", name: "README", mimeType: "text/markdown" },
    { uri: "docs://logo", name: "Logo", mimeType: "image/png" },
  ]);
  expect(await client.readResource({ uri: "docs://readme" })).toMatchObject({
    contents: [{ uri: "docs://readme", mimeType: "text/markdown", text: "# Hello" }],
  });
  expect(await client.readResource({ uri: "docs://logo" })).toMatchObject({ contents: [{ blob: "iVBORw0KGgo=" }] });
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
    { uriTemplate: "docs://pages/{id}" },
  ]);
  expect(await client.readResource({ uri: "docs://pages/7" })).toMatchObject({
    contents: [{ uri: "docs://pages/7", mimeType: "text/plain", text: "Page 7" }],
  });
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: "summarize", description: "Summarizes a text" }]);
  expect(await client.getPrompt({ name: "summarize", arguments: { text: "it" } })).toMatchObject({
    description: "Summarizes a text",
    messages: [{ role: "user", content: { text: "Summarize: it" } }],
  });
  await expect(client.getPrompt({ name: "summarize" })).rejects.toThrow("missing required argument text");
});

test("what a scoped file offers is its test's alone, and code wins over a file", async () => {
  const resources = [{ uri: "docs://a", name: "A", text: "from the file" }];
  const mcp = new MCPMock({ serverInfo: { name: "code", version: "1" } });
  const { url } = await startServer({}, (llm) => {
    llm.mount("/mcp", mcp);
    llm.loadFixtureFile(tempFile("a.json", { scope: { testId: "a" }, server: { name: "file" }, resources }));
  });
  const read = async (testId: string) =>
    (await (await connect(`${url}/mcp?testId=${testId}`)).request("resources/read", { uri: "docs://a" })) as object;

  expect(await read("a")).toMatchObject({ result: { contents: [{ text: "from the file" }] } });
  expect(await read("b")).toMatchObject({ error: { message: "Unknown resource: docs://a" } });
  mcp.addResource({ uri: "docs://a", name: "A" }, { text: "from code" });
  expect(await read("a")).toMatchObject({ result: { contents: [{ text: "from code" }] } });
  expect((await httpClient(`${url}/mcp`)).getServerVersion()).toMatchObject({ name: "code" });
});

test("a template that is none is refused with its place", async () => {
  const resourceTemplates = [{ uriTemplate: "docs://{#id}", name: "x", text: "y" }];
  const path = tempFile("a.json", { resourceTemplates });
  await expect(startServer({}, (llm) => llm.loadFixtureFile(path))).rejects.toThrow(
    "$.resourceTemplates[0].uriTemplate",
  );
});
