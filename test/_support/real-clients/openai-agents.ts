import { MCPServerSSE, MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents";
import type { Open } from "./real-client.ts";

export function openaiAgents(over: "http" | "sse" | "stdio"): Open {
  return async ({ url, sseUrl, stdio }) => {
    const server =
      over === "http"
        ? new MCPServerStreamableHttp({ url, name: "mock" })
        : over === "sse"
          ? new MCPServerSSE({ url: sseUrl, name: "mock" })
          : new MCPServerStdio({ ...stdio, name: "mock" });
    await server.connect();
    return {
      list: async () => (await server.listTools()).map(({ name }) => name),
      call: (args, signal) => server.callTool("greet", args, null, signal === undefined ? {} : { signal }),
      read: (uri) => server.readResource(uri),
      close: () => server.close(),
    };
  };
}
