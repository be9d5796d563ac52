import { LLMock } from "mcp-fakes";
import { tellReady } from "./ready.ts";

/** What every request costs before anybody reads it: the listener's checks, and a mount that answers the same each time. */
const result = { content: [{ type: "text", text: "TICKET-42" }], isError: false };
const reply = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, result }),
};

const llm = new LLMock({ logLevel: "error" });
llm.mount("/mcp", { handle: () => reply });
tellReady(Number(new URL(await llm.start()).port));
