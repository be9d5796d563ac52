import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { Open, Target } from "./real-client.ts";

export type AiSdk = Pick<typeof import("@ai-sdk/mcp"), "createMCPClient">;

/** The AI SDK's own client; `from` brings another release of it. */
export function aiSdk(
  over: "http" | "sse" | "stdio",
  from: (target: Target) => AiSdk = () => ({ createMCPClient }),
): Open {
  return async (target) => {
    const { url, sseUrl, stdio } = target;
    const transport =
      over === "stdio"
        ? new Experimental_StdioMCPTransport(stdio)
        : { type: over, url: over === "http" ? url : sseUrl };
    const client = await from(target).createMCPClient({ transport });
    const tools = await client.tools();
    return {
      list: async () => Object.keys(tools),
      async call(args, abortSignal) {
        const options = { toolCallId: "1", messages: [], ...(abortSignal && { abortSignal }) };
        return await tools.greet?.execute?.(args, options);
      },
      read: (uri) => client.readResource({ uri }),
      close: () => client.close(),
    };
  };
}
