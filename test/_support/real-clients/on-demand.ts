import { createRequire } from "node:module";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type AiSdk, aiSdk } from "./ai-sdk.ts";
import { sdk } from "./official.ts";
import type { Open, RealClient, Target } from "./real-client.ts";

// The clients that run in a program of their own, on a Node that they can run on.

/** The newest AI SDK, which needs Node 22. */
const aiSdk2 = aiSdk("http", ({ home }) => fetched(home)("@ai-sdk/mcp") as AiSdk);

interface MastraTool {
  execute(args: object, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

/** As far as it is used here. */
interface Mastra {
  MCPClient: new (options: {
    servers: object;
    timeout: number;
  }) => {
    listTools(): Promise<Record<string, MastraTool>>;
    readonly resources: { read(server: string, uri: string): Promise<unknown> };
    disconnect(): Promise<void>;
  };
}

function mastra(server: (target: Target) => object): Open {
  return async (target): Promise<RealClient> => {
    const { MCPClient } = fetched(target.home)("@mastra/mcp") as Mastra;
    const client = new MCPClient({ servers: { mock: server(target) }, timeout: 20_000 });
    const tools = await client.listTools();
    return {
      list: async () => Object.keys(tools).map((name) => name.replace(/^mock_/, "")),
      call: async (args, abortSignal) => await tools.mock_greet?.execute(args, abortSignal && { abortSignal }),
      read: (uri) => client.resources.read("mock", uri),
      close: () => client.disconnect(),
    };
  };
}

const mastraOver = {
  http: mastra(({ url }) => ({ url: new URL(url) })),
  stdio: mastra(({ stdio }) => stdio),
};

/** A program that stands between a stdio client, here the official one, and the server. */
const mcpRemote = sdk(
  ({ url, home }) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(home, "node_modules/mcp-remote/dist/proxy.js"), url, "--allow-http", "--transport", "http-only"],
      env: { MCP_REMOTE_CONFIG_DIR: join(home, "config") },
      stderr: "ignore",
    }),
);

function fetched(home: string): NodeJS.Require {
  return createRequire(join(home, "node_modules", "x.js"));
}

/** By the name that the program is given. */
export const ON_DEMAND: Readonly<Record<string, Open>> = {
  "ai-sdk-2": aiSdk2,
  "mastra-http": mastraOver.http,
  "mastra-stdio": mastraOver.stdio,
  "mcp-remote": mcpRemote,
};
