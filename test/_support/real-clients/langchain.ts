import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import type { Open } from "./real-client.ts";

export function langchain(over: "http" | "sse" | "stdio"): Open {
  return async ({ url, sseUrl, stdio }) => {
    const mock =
      over === "stdio"
        ? { transport: over, ...stdio }
        : { transport: over, url: over === "http" ? url : sseUrl, automaticSSEFallback: false };
    const client = new MultiServerMCPClient({ mock });
    const tools = await client.getTools();
    return {
      list: async () => tools.map(({ name }) => name),
      call: async (args, signal) => await tools[0]?.invoke(args, signal === undefined ? {} : { signal }),
      read: (uri) => client.readResource("mock", uri),
      close: () => client.close(),
    };
  };
}
