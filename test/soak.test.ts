import { Agent, request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { connect, MCP_HEADERS } from "./_support/mcp.ts";
import { startMock } from "./_support/server.ts";

const IDS = 500;
const CALLS_PER_ROUND = 10_000;
const CLIENTS = 8;
const MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** One call over a kept connection; answers the whole body. */
function call(agent: Agent, url: string, { session, testId }: { session: string; testId: string }): Promise<string> {
  const params = { name: "tool", arguments: { id: testId } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { ...MCP_HEADERS, "mcp-session-id": session, "x-test-id": testId, "content-length": body.length };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test("20,000 calls over 500 test ids: every answer right, and the memory as before", { timeout: 240_000 }, async () => {
  const calls = (2 * CALLS_PER_ROUND) / IDS;
  const { mcp, mcpUrl } = await startMock({ fixtureCountsMax: IDS });
  for (let id = 0; id < IDS; id++) {
    const results = Array.from({ length: calls }, (_, index) => ({ args: { id: `t${id}` }, result: `${id}:${index}` }));
    mcp.loadFakes({ scope: { testId: `t${id}` }, tools: [{ name: "tool", calls: results }] });
  }
  const { sessionId: session } = await connect(mcpUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const wrong: string[] = [];

  /** Each test id makes its calls in turn, `CLIENTS` test ids side by side. */
  async function round(from: number): Promise<number> {
    const client = async (first: number) => {
      for (let id = first; id < IDS; id += CLIENTS) {
        for (let index = from; index < from + calls / 2; index++) {
          const text = await call(agent, mcpUrl, { session, testId: `t${id}` });
          if (!text.includes(`"${id}:${index}"`)) wrong.push(text);
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, first) => client(first)));
    collect();
    return process.memoryUsage().heapUsed;
  }

  const before = await round(0); // fills the journal to its cap
  const after = await round(calls / 2);
  agent.destroy();
  expect(wrong).toEqual([]);
  expect((after - before) / MIB).toBeLessThan(15);
});
