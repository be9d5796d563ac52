import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { FAULTS } from "../../src/fakes/fault.ts";

/** A client that is closed when the test ends. What it asks for, it waits for as long as it is told. */
export interface OfficialClient {
  list(timeout?: number): Promise<{ readonly name: string }[]>;
  call(tool: string, timeout?: number): Promise<unknown>;
}

const IMPLEMENTATION = { name: "official", version: "1.0.0" };

/** How long to wait for what never comes, in milliseconds. */
export const SOON = 500;

const PATIENT = 30_000;

/** Both official clients, and the newer one in the era without sessions. */
export const OFFICIAL_CLIENTS: readonly {
  readonly name: string;
  open(url: string, timeout?: number): Promise<OfficialClient>;
}[] = [
  { name: "sdk 1.x", open: openV1 },
  { name: "client 2.x", open: (url, timeout) => openV2(url, "legacy", timeout) },
  { name: "client 2.x, stateless", open: (url, timeout) => openV2(url, { pin: "2026-07-28" }, timeout) },
];

async function openV1(url: string, timeout = PATIENT): Promise<OfficialClient> {
  const client = new ClientV1(IMPLEMENTATION);
  const transport = new TransportV1(new URL(url)) as Parameters<ClientV1["connect"]>[0]; // see clients.ts
  await client.connect(transport, { timeout });
  onTestFinished(() => client.close());
  return {
    list: async (timeout = PATIENT) => (await client.listTools({}, { timeout })).tools,
    call: (name, timeout = PATIENT) => client.callTool({ name }, undefined, { timeout }),
  };
}

async function openV2(url: string, mode: "legacy" | { pin: string }, timeout = PATIENT): Promise<OfficialClient> {
  const client = new ClientV2(IMPLEMENTATION, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(url)), { timeout });
  onTestFinished(() => client.close());
  return {
    list: async (timeout = PATIENT) => (await client.listTools({}, { timeout })).tools,
    call: (name, timeout = PATIENT) => client.callTool({ name }, { timeout }),
  };
}

/** The faults that keep an answer from its client, whatever was asked. */
export const LOSING_FAULTS = FAULTS.filter(
  (fault) => !["expire-session", "tool-gone", "no-structured-content", "bad-structured-content"].includes(fault),
);
