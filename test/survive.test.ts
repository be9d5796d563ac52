import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { post, send } from "./_support/http.ts";
import { connect, textOf } from "./_support/mcp.ts";
import { startServe } from "./_support/program.ts";
import { startMock } from "./_support/server.ts";
import { tempFile } from "./_support/temp.ts";

// What goes wrong around a server must not reach the calls of others.

test("a handler that throws, one that never answers and one that floods leave other calls alone", async () => {
  const { mcp, mcpUrl, llm } = await startMock();
  mcp.onToolCall("throws", () => Promise.reject(new Error("no luck")));
  mcp.onToolCall("silent", () => new Promise(() => {}));
  mcp.onToolCall("floods", async (_args, { progress, log }) => {
    for (let told = 0; told < 20_000; told++) {
      progress(told);
      log("error", "x".repeat(100));
    }
    return "flooded";
  });
  mcp.onToolCall("works", (args: { number: number }) => String(args.number));
  const client = await connect(mcpUrl);
  const silent = client.call("silent").catch(() => "ended with the server");
  const flood = client.post({ jsonrpc: "2.0", id: "f", method: "tools/call", params: { name: "floods" } });

  expect((await client.call("throws")).result).toMatchObject({ isError: true, content: [{ text: "no luck" }] });
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  const answers = await Promise.all(numbers.map(async (number) => textOf(await client.call("works", { number }))));
  expect(answers).toEqual(numbers.map(String));
  expect((await flood).text).toContain('"text":"flooded"');
  await llm.stop();
  await silent;
});

test("calls that came while the server's thread was blocked are all answered, each with its own answer", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("blocks", () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    return "done";
  });
  mcp.onToolCall("works", (args: { number: number }) => String(args.number));
  const client = await connect(mcpUrl);
  const blocked = client.call("blocks");
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const answers = numbers.map(async (number) => textOf(await client.call("works", { number })));
  expect(textOf(await blocked)).toBe("done");
  expect(await Promise.all(answers)).toEqual(numbers.map(String));
});

test("a log whose disk is full is told once, and the server answers on without it", async () => {
  const fixture = tempFile("a.json", {
    mcpFakes: { scope: "shared", tools: [{ name: "t", calls: [{ anyArgs: true, times: 3, result: "fine" }] }] },
  });
  const server = await startServe(["--log", "/dev/full", fixture]);
  const client = await connect(`${server.url}/mcp`);
  for (let call = 0; call < 3; call++) expect(textOf(await client.call("t"))).toBe("fine");
  expect(server.output.stderr.match(/ENOSPC/g)).toHaveLength(1);
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test("1,000 tests that were announced and never ended are kept apart, and go with the server", async () => {
  const { llm, mcp, url } = await startMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "t", calls: [{ args: {}, result: "once" }] }] });
  const ids = Array.from({ length: 1000 }, (_, index) => `f.test.ts › ${index}`);
  for (const testId of ids) {
    const announcement = { testId, file: "f.test.ts", names: [testId], attempt: 1 };
    expect(await post(`${url}/__aimock/tests`, announcement)).toMatchObject({ started: true });
  }
  const called = async (testId: string) => {
    const client = await connect(`${url}/mcp?testId=${encodeURIComponent(testId)}`);
    return textOf(await client.call("t"));
  };
  expect(await Promise.all(ids.slice(-20).map(called))).toEqual(Array.from({ length: 20 }, () => "once"));
  const { tests } = (await send(`${url}/__aimock/tests`)).json() as { tests: { state: string }[] };
  expect(tests.filter(({ state }) => state === "running")).toHaveLength(1000);
  await Promise.race([llm.stop(), setTimeout(1000).then(() => Promise.reject(new Error("it does not stop")))]);
});
