import { LLMock, MCPMock, type McpFakeBlock } from "mcp-fakes";
import { tellReady } from "./ready.ts";

/** Ours, answering from fakes: `BLOCKS` blocks of ten entries, each scoped to a test of its own, or one shared block. */
const blocks = Number(process.env.BLOCKS ?? 1);
const tools: McpFakeBlock["tools"] = [
  {
    name: "create_ticket",
    calls: Array.from({ length: 10 }, () => ({ args: { title: "Refund" }, result: "TICKET-42" })),
  },
];

const fakes: McpFakeBlock[] =
  blocks === 1
    ? [{ scope: "shared", tools }]
    : Array.from({ length: blocks }, (_, index) => ({ scope: { testId: `test-${index}` }, tools }));

const llm = new LLMock({ fixtureCountsMax: 0, logLevel: "error" });
const mcp = new MCPMock();
mcp.loadFakes(fakes);
llm.mount("/mcp", mcp);
tellReady(Number(new URL(await llm.start()).port));
