import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { bridgeStdio } from "../../src/cli/stdio-bridge.ts";
import { LAST_ANSWERS_MS } from "../../src/mcp/wires/open-calls.ts";
import { envelope } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

/** Longer than what needs no time takes. */
const SLOW_MS = 200;

function call(id: number, name: string): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta: envelope() } })}\n`;
}

test("a bridge joins a stdio client to one test's view of a running server", async () => {
  const { llm, mcp, url } = await startMock();
  const tools = [{ name: "greet", calls: [{ anyArgs: true as const, result: "hello" }] }];
  mcp.loadFakes({ scope: { testId: "tickets › retry" }, tools });
  mcp.onToolCall("log", (_args, context) => context.log("info", "dropped: no level was asked for"));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const bridged = bridgeStdio({ url, testId: "tickets › retry", input, output });
  input.end(call(1, "greet") + call(2, "log"));
  await bridged;
  const said = String(output.read()).trim().split("\n");
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { id: 1, result: { content: [{ type: "text", text: "hello" }] } },
    { id: 2, result: { content: [] } },
  ]);
  expect(llm.fakesReport("tickets › retry").served).toHaveLength(1);
});

test("a bridge waits for the answers to what came before the end of its input, and leaves no trace of that", async () => {
  const { llm, mcp, url } = await startMock();
  mcp.onToolCall("slow", () => setTimeout(SLOW_MS, "late"));
  const [input, output, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const bridged = bridgeStdio({ url, input, output, stderr });
  input.end(call(1, "slow"));
  await bridged;
  expect(JSON.parse(String(output.read()))).toMatchObject({ id: 1, result: { content: [{ text: "late" }] } });
  expect(stderr.read()).toBe(null);
  expect(llm.getRequests().map(({ method }) => method)).not.toContain("DELETE");
});

test("a bridge says what its server has given up", async () => {
  const { mcp, url } = await startMock();
  mcp.onToolCall("wait", () => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [input, stderr] = [new PassThrough(), new PassThrough()];
  const bridged = bridgeStdio({ url, input, output: new PassThrough(), stderr });
  input.end(call(1, "wait"));
  const leave = setInterval(() => vi.advanceTimersByTime(LAST_ANSWERS_MS), 20);
  onTestFinished(() => clearInterval(leave));
  await bridged;
  expect(String(stderr.read())).toBe(
    'mcp-fakes: the input has ended, and 10 seconds later there is still no answer to tools/call "wait" (id 1): keep the input open for longer to get it\n',
  );
});

test("a bridge ends when its server does", async () => {
  const { llm, url } = await startMock();
  const input = new PassThrough();
  const bridged = bridgeStdio({ url, input, output: new PassThrough() });
  input.write(call(1, "none"));
  await expect.poll(() => llm.getRequests().length).toBeGreaterThan(1);
  await llm.stop();
  await bridged;
});

test("a bridge to a mount that is not there says so", async () => {
  const { url } = await startMock();
  await expect(bridgeStdio({ url, mount: "/none", input: new PassThrough() })).rejects.toThrow(
    `The server at ${url} does not bridge "/none": 404`,
  );
});

test("a bridge to a server that is not there says what to do", async () => {
  const { llm, url } = await startMock();
  await llm.stop();
  await expect(bridgeStdio({ url, input: new PassThrough() })).rejects.toThrow(
    `no server answers at ${url} (connect ECONNREFUSED ${new URL(url).host}): start it with mcp-fakes serve`,
  );
});
