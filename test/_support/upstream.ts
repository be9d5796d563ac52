import { resolve } from "node:path";
import { Client, type RequestOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { MCPMock } from "../../src/index.ts";
import { connectUpstream } from "../../src/upstream/client.ts";
import { listenerFor, mockBefore } from "../../src/upstream/proxy.ts";
import type { UpstreamConfig } from "../../src/upstream/schema.ts";
import { CLI } from "./program.ts";

const MODULES = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol");

/** A real server that offers something of everything. */
export const EVERYTHING = {
  command: process.execPath,
  args: [`${MODULES}/server-everything/dist/index.js`, "stdio"],
};

/** A real server over files of one folder. */
export function filesystem(folder: string): { command: string; args: string[] } {
  return { command: process.execPath, args: [`${MODULES}/server-filesystem/dist/index.js`, folder] };
}

/** Servers may list other tools to clients that can do less. */
const ALL_CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };

/** The official client of a program that speaks MCP over stdio, closed when the test ends. */
export async function stdioClient(
  server: { command: string; args: string[]; env?: Record<string, string> },
  capabilities: object = ALL_CAPABILITIES,
): Promise<Client> {
  const client = new Client({ name: "test-client", version: "1.0.0" }, { capabilities });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ ...server, stderr: "pipe" }));
  return client;
}

/** The official client of `mcp-fakes <args> --stdio`. */
export function cliClient(
  args: string[],
  env: Record<string, string> = {},
  capabilities: object = ALL_CAPABILITIES,
): Promise<Client> {
  return stdioClient({ command: process.execPath, args: [CLI, ...args, "--stdio"], env }, capabilities);
}

/** The official client of a URL, closed when the test ends. */
export async function httpClient(url: string): Promise<Client> {
  const client = new Client({ name: "test-client", version: "1.0.0" }, { capabilities: ALL_CAPABILITIES });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** Takes an answer as it came over the wire. */
const AS_IT_CAME = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as const;

/** The result, or the error's code and message, as JSON text. */
export async function answerTo(
  client: Client,
  method: string,
  params: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<string> {
  try {
    return JSON.stringify(await client.request({ method, params }, AS_IT_CAME, options));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${"code" in error ? error.code : ""} ${error.message}`;
  }
}

/** A proxy in this process, as the command makes it, which lets go of its server when the test ends. */
export async function proxyBefore(config: UpstreamConfig): Promise<MCPMock> {
  let mock: MCPMock | null = null;
  const upstream = await connectUpstream(
    config,
    listenerFor(() => mock, process.stderr),
  );
  onTestFinished(() => upstream.close());
  mock = mockBefore(upstream, upstream.told);
  return mock;
}
