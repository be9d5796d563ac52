import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { connect } from "./mcp.ts";

/** How a `tools/call` ended, whoever made it: a result, or the error that the client raised. */
export type Called = { readonly result: object } | { readonly error: { code: number; message: string; data: unknown } };

/** What a test needs of a client. */
export interface AnyClient {
  listTools(): Promise<{ name: string }[]>;
  call(tool: string, args?: Record<string, unknown>): Promise<Called>;
}

export interface ClientOptions {
  /** Sent with each request. */
  readonly headers?: Record<string, string>;
}

/** Opens a client that is closed when the test ends. */
export type OpenClient = (url: string, options?: ClientOptions) => Promise<AnyClient>;

const IMPLEMENTATION = { name: "test-client", version: "1.0.0" };

/** Both official clients, and one that writes its requests by hand. */
export const CLIENTS: readonly { readonly name: string; readonly open: OpenClient }[] = [
  { name: "@modelcontextprotocol/sdk", open: openV1 },
  { name: "@modelcontextprotocol/client", open: openV2 },
  { name: "raw requests", open: openRaw },
];

async function openV1(url: string, { headers = {} }: ClientOptions = {}): Promise<AnyClient> {
  const client = new ClientV1(IMPLEMENTATION);
  const transport = new TransportV1(new URL(url), { requestInit: { headers } });
  // The SDK's own transport does not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    listTools: async () => (await client.listTools()).tools,
    call: (name, args) => called(client.callTool(args === undefined ? { name } : { name, arguments: args })),
  };
}

async function openV2(url: string, { headers = {} }: ClientOptions = {}): Promise<AnyClient> {
  const client = new ClientV2(IMPLEMENTATION);
  await client.connect(new TransportV2(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return {
    listTools: async () => (await client.listTools()).tools,
    call: (name, args) => called(client.callTool(args === undefined ? { name } : { name, arguments: args })),
  };
}

async function openRaw(url: string, options: ClientOptions = {}): Promise<AnyClient> {
  const client = await connect(url, options);
  return {
    async listTools() {
      const { result } = await client.request("tools/list");
      return result?.tools as { name: string }[]; // the server under test answers a list
    },
    async call(tool, args) {
      const { result, error } = await client.call(tool, args);
      return error === undefined ? { result: result ?? {} } : { error: { ...error, data: error.data } };
    },
  };
}

/** Official clients put the code before the message of an error that they raise. */
async function called(call: Promise<object>): Promise<Called> {
  try {
    return { result: await call };
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data: unknown }; // both raise such errors
    return { error: { code, message: message.replace(/^MCP error -?\d+: /, ""), data } };
  }
}
