import { describe, expect, test } from "vitest";
import { createDeferred } from "../../src/deferred.ts";
import { MCPMock, type McpCallContext } from "../../src/index.ts";
import { WIRES } from "../_support/wires.ts";

const SAMPLE = { messages: [{ role: "user", content: { type: "text", text: "Capital of France?" } }], maxTokens: 10 };
const SCHEMA = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

describe.each(WIRES)("$name", ({ connect, era }) => {
  test("progress reaches the client that asked for it, before the answer", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.onToolCall("work", async (_args, context) => {
      context.progress(1, 2, "halfway");
      context.progress(2, 2);
      // The client forgets who asked for progress when the answer comes in the same breath.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "done";
    });
    const { client } = await connect(mcp);
    const seen: object[] = [];
    const result = await client.callTool({ name: "work" }, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { progress: 1, total: 2, message: "halfway" },
      { progress: 2, total: 2 },
    ]);
    expect(result.content).toEqual([{ type: "text", text: "done" }]);
  });

  test("log lines reach the client at and above the level that it set", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.onToolCall("work", (_args, context) => {
      context.log("info", "too little", "worker");
      context.log("warning", { disk: "full" }, "worker");
      return "done";
    });
    const { client, heard } = await connect(mcp);
    const meta = { "io.modelcontextprotocol/logLevel": "warning" };
    if (era === "session") await client.setLoggingLevel("warning");
    await client.callTool({ name: "work", ...(era === "session" ? {} : { _meta: meta }) });
    expect(heard).toEqual([
      { method: "notifications/message", params: { level: "warning", data: { disk: "full" }, logger: "worker" } },
    ]);
  });

  test("a handler sees the request that it answers", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.onToolCall("look", (_args, { request }) => {
      const { method, params, era, clientInfo, clientCapabilities } = request;
      return JSON.stringify({ method, args: params.arguments, era, clientInfo, clientCapabilities });
    });
    const { client } = await connect(mcp, { roots: [] });
    const { content } = await client.callTool({ name: "look", arguments: { a: 1 } });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
      method: "tools/call",
      args: { a: 1 },
      era,
      clientInfo: { name: "wired", version: "1.0.0" },
      clientCapabilities: { roots: { listChanged: true } },
    });
  });

  test("a call that the client gives up is cancelled in its handler", async () => {
    const mcp = new MCPMock({ sse: true });
    const reasons: string[] = [];
    const started = createDeferred<void>();
    mcp.onToolCall("wait", async (_args, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reasons.push(String(signal.reason));
    });
    const { client } = await connect(mcp);
    const abort = new AbortController();
    const call = client.callTool({ name: "wait" }, { signal: abort.signal });
    await started.promise;
    abort.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await expect.poll(() => reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/^Error: The call was cancelled: /);
    expect((await client.listTools()).tools).toHaveLength(1);
  });
});

describe.each(WIRES.filter((wire) => wire.elicits))("$name", ({ connect }) => {
  test("a question to the user is answered in the middle of a call", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.onToolCall("greet", async (_args, context) => {
      const { action, content } = await context.elicit({ message: "Name?", requestedSchema: SCHEMA });
      return `${action}: ${content?.name}`;
    });
    const asked: object[] = [];
    const { client } = await connect(mcp, {
      elicit: (params) => {
        asked.push(params);
        return { action: "accept", content: { name: "Ada" } };
      },
    });
    expect((await client.callTool({ name: "greet" })).content).toEqual([{ type: "text", text: "accept: Ada" }]);
    expect(asked).toEqual([expect.objectContaining({ message: "Name?", requestedSchema: SCHEMA })]);
  });

  test("questions asked together, and one after the other, are all answered", async () => {
    const mcp = new MCPMock({ sse: true });
    mcp.onToolCall("plan", async (_args, context) => {
      const [{ content }, { roots }] = await Promise.all([context.sample(SAMPLE), context.roots()]);
      const { action } = await context.elicit({ message: "Sure?", requestedSchema: SCHEMA });
      return JSON.stringify([content, roots, action]);
    });
    const roots = [{ uri: "file:///home", name: "Home" }];
    const sampled = { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" };
    const { client } = await connect(mcp, { elicit: () => ({ action: "decline" }), sample: () => sampled, roots });
    const { content } = await client.callTool({ name: "plan" });
    expect(content).toEqual([{ type: "text", text: JSON.stringify([sampled.content, roots, "decline"]) }]);
  });

  test("a prompt and a resource may ask as well", async () => {
    const mcp = new MCPMock({ sse: true });
    const ask = async (context: McpCallContext) =>
      (await context.elicit({ message: "Topic?", requestedSchema: SCHEMA })).content?.name;
    mcp.addPrompt({ name: "write" }, async (_args, context) => ({
      messages: [{ role: "user", content: { type: "text", text: `About ${await ask(context)}` } }],
    }));
    mcp.addResource({ uri: "note://1", name: "Note" }, async (_uri, context) => ({ text: `On ${await ask(context)}` }));
    const { client } = await connect(mcp, { elicit: () => ({ action: "accept", content: { name: "tea" } }) });
    expect((await client.getPrompt({ name: "write" })).messages).toEqual([
      { role: "user", content: { type: "text", text: "About tea" } },
    ]);
    expect((await client.readResource({ uri: "note://1" })).contents).toEqual([{ uri: "note://1", text: "On tea" }]);
  });
});
