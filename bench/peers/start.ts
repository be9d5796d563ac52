import { LLMock } from "mcp-fakes";

/** Starts a server on the fixtures of `FIXTURES`, as the global set-up of a run does, and tells how long it took. */
const began = performance.now();
const llm = new LLMock({ logLevel: "error" });
llm.loadFixtures(String(process.env.FIXTURES));
await llm.start();
process.send?.({ ms: performance.now() - began });
await llm.stop();
