import { Client as ClientV2, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Open, Target } from "./real-client.ts";

const IMPLEMENTATION = { name: "matrix", version: "1.0.0" };

type TransportV1 = Parameters<ClientV1["connect"]>[0];

/** The official client of 1.x, over the transport that `reach` makes. */
export function sdk(reach: (target: Target) => HttpV1 | SseV1 | StdioV1): Open {
  return async (target) => {
    const client = new ClientV1(IMPLEMENTATION);
    await client.connect(reach(target) as TransportV1); // see ../clients.ts
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (args, signal) =>
        client.callTool({ name: "greet", arguments: args }, undefined, signal === undefined ? {} : { signal }),
      read: (uri) => client.readResource({ uri }),
      close: () => client.close(),
    };
  };
}

export const sdkOver = {
  http: sdk(({ url }) => new HttpV1(new URL(url))),
  sse: sdk(({ sseUrl }) => new SseV1(new URL(sseUrl))),
  stdio: sdk(({ stdio }) => new StdioV1(stdio)),
};

type Mode = "legacy" | "auto" | { pin: string };

/** The official client of 2.x. */
export function client(mode: Mode, reach: (target: Target) => Parameters<ClientV2["connect"]>[0]): Open {
  return async (target) => {
    const own = new ClientV2(IMPLEMENTATION, { versionNegotiation: { mode } });
    await own.connect(reach(target));
    return {
      list: async () => (await own.listTools()).tools.map(({ name }) => name),
      call: (args, signal) => own.callTool({ name: "greet", arguments: args }, signal === undefined ? {} : { signal }),
      read: (uri) => own.readResource({ uri }),
      close: () => own.close(),
    };
  };
}

export const clientOver = {
  http: ({ url }: Target) => new StreamableHTTPClientTransport(new URL(url)),
  sse: ({ sseUrl }: Target) => new SSEClientTransport(new URL(sseUrl)),
  stdio: ({ stdio }: Target) => new StdioClientTransport(stdio),
};
