import { setTimeout } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/client";
import type { UpstreamConfig } from "./schema.ts";

/** The way to a real server. */
export interface OpenTransport {
  readonly transport: Transport;
  /** Tells the server that its session is over, before the transport is closed. */
  endSession(): Promise<void>;
}

/** Opens what leads to a server; `print` gets what a program says on stderr. */
export async function openTransport(config: UpstreamConfig, print: (text: string) => void): Promise<OpenTransport> {
  // Loaded when needed: most servers have no other behind them.
  if ("command" in config) {
    const { createProgramTransport } = await import("./program-transport.ts");
    return { transport: createProgramTransport(config, print), async endSession() {} };
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const http = new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: config.headers ?? {} },
  });
  return {
    transport: http,
    // A server that is gone, or keeps no sessions, has none to end; one that does not answer is not waited for.
    endSession: () =>
      Promise.race([http.terminateSession().catch(() => {}), setTimeout(END_MS_MAX, undefined, { ref: false })]),
  };
}

/** What a server is called in messages: its URL, or the command that starts it. */
export function nameOf(config: UpstreamConfig): string {
  return "url" in config ? config.url : [config.command, ...(config.args ?? [])].join(" ");
}

// --- internal ---

const END_MS_MAX = 500;
