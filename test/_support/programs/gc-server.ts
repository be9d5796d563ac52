import { createInterface } from "node:readline";
import { LLMock, MCPMock } from "../../../src/index.ts";

/** A server that tells, for each line on stdin, how much of its heap is in use when nothing is left to collect. */
const collect = globalThis.gc;
if (collect === undefined) throw new Error("start this program with --expose-gc");
const mcp = new MCPMock();
mcp.onToolCall("echo", (args) => JSON.stringify(args));
// The journal keeps what it is told to keep, and is soon full.
const llm = new LLMock({ logLevel: "silent", journalMax: 100 });
llm.mount("/mcp", mcp);
console.log(`URL ${await llm.start()}/mcp`);
for await (const _ of createInterface({ input: process.stdin })) {
  await collect({ execution: "async" });
  collect();
  console.log(`HEAP ${process.memoryUsage().heapUsed} ${mcp.health().sessions}`);
}
await llm.stop();
