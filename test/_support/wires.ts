import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { LLMock, type MCPMock } from "../../src/index.ts";
import { watchLines } from "./wire-check.ts";

/** What a client answers when it is asked, and what it hears. */
export interface ClientSide {
  readonly elicit?: (params: Record<string, unknown>) => object;
  readonly sample?: (params: Record<string, unknown>) => object;
  readonly roots?: readonly { uri: string; name?: string }[];
}

/** An official client over one wire, with all notifications that reached it. */
export interface WiredClient {
  readonly client: Client;
  /** Method and params of each, in order. */
  readonly heard: readonly { readonly method: string; readonly params: unknown }[];
}

/** One way to reach a mock: a revision and a transport. */
export interface Wire {
  readonly name: string;
  readonly era: "session" | "stateless";
  /** Elicitation came with 2025-06-18. */
  readonly elicits: boolean;
  connect(mcp: MCPMock, side?: ClientSide): Promise<WiredClient>;
}

/** Every revision over every wire that it has. A case that runs for each must read the same on all. */
export const WIRES: readonly Wire[] = [
  ...["2025-03-26", "2025-06-18", "2025-11-25"].map((version) => httpWire(version)),
  httpWire("2026-07-28"),
  sseWire("2025-06-18"),
  ...["2025-03-26", "2025-11-25", "2026-07-28"].map((version) => stdioWire(version)),
];

function httpWire(version: string): Wire {
  const era = version === "2026-07-28" ? "stateless" : "session";
  return {
    name: `${version} over HTTP`,
    era,
    elicits: version >= "2025-06-18",
    async connect(mcp, side = {}) {
      const url = new URL(await mcp.start());
      onTestFinished(() => mcp.stop());
      return open(version, side, new StreamableHTTPClientTransport(url));
    },
  };
}

/** The old transport, over which clients negotiate any revision with sessions. */
function sseWire(version: string): Wire {
  return {
    name: `${version} over HTTP+SSE`,
    era: "session",
    elicits: true,
    async connect(mcp, side = {}) {
      const llm = new LLMock({ logLevel: "silent" });
      llm.mount("/old", mcp);
      const url = await llm.start();
      onTestFinished(() => llm.stop());
      return open(version, side, new SSEClientTransport(new URL(`${url}/old/sse`)));
    },
  };
}

function stdioWire(version: string): Wire {
  return {
    name: `${version} over stdio`,
    era: version === "2026-07-28" ? "stateless" : "session",
    elicits: version >= "2025-06-18",
    connect: (mcp, side = {}) => open(version, side, streamsTo(mcp)),
  };
}

/** A client's transport over two streams to a mock in this process. */
function streamsTo(mcp: MCPMock): Parameters<Client["connect"]>[0] {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const watch = watchLines();
  const lines = createInterface({ input: output });
  const transport: Parameters<Client["connect"]>[0] = {
    async start() {
      lines.on("line", (line) => {
        watch.fromServer(line);
        transport.onmessage?.(JSON.parse(line));
      });
      void mcp.serveStdio({ input, output }).then(() => transport.onclose?.());
    },
    async send(message) {
      watch.fromClient(JSON.stringify(message));
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
    },
  };
  return transport;
}

async function open(
  version: string,
  side: ClientSide,
  transport: Parameters<Client["connect"]>[0],
): Promise<WiredClient> {
  const heard: { method: string; params: unknown }[] = [];
  const mode = version === "2026-07-28" ? { pin: version } : ("legacy" as const);
  const client = new Client(
    { name: "wired", version: "1.0.0" },
    {
      capabilities: {
        ...(side.elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
        ...(side.sample === undefined ? {} : { sampling: {} }),
        ...(side.roots === undefined ? {} : { roots: { listChanged: true } }),
      },
      supportedProtocolVersions: [version],
      versionNegotiation: { mode },
    },
  );
  const { elicit, sample, roots } = side;
  if (elicit !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => elicit({ ...params }) as { action: "accept" }); // the test's own
  }
  if (sample !== undefined) {
    client.setRequestHandler("sampling/createMessage", ({ params }) => sample({ ...params }) as never); // the test's own
  }
  if (roots !== undefined)
    client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ ...root })) }));
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, heard };
}
