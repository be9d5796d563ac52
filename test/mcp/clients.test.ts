import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { type JournalEntry, type LLMock, MCPMock } from "../../src/index.ts";
import { fetchNode } from "../_support/node-binary.ts";
import { fetchedOrSkipped, fetchTool, type OnDemand } from "../_support/on-demand.ts";
import { openExchanges } from "../_support/open-exchanges.ts";
import { CLI } from "../_support/program.ts";
import { aiSdk } from "../_support/real-clients/ai-sdk.ts";
import { langchain } from "../_support/real-clients/langchain.ts";
import { client, clientOver, sdkOver } from "../_support/real-clients/official.ts";
import { openaiAgents } from "../_support/real-clients/openai-agents.ts";
import { drive, type Open, type Seen, type Target } from "../_support/real-clients/real-client.ts";
import { startServer } from "../_support/server.ts";

vi.setConfig({ testTimeout: 300_000 });

/** A client over one transport; how it came to be here. */
interface Row {
  readonly name: string;
  readonly over: string;
  readonly runs: Open | FetchedClient;
}

interface FetchedClient {
  /** What `drive-client` calls it. */
  readonly program: string;
  readonly node: 22 | null;
  readonly tool: OnDemand;
}

const MASTRA: OnDemand = {
  spec: ["@mastra/mcp@2.0.0", "@mastra/core@1.71.0", "zod@4.6.7"],
  home: "mastra",
  program: "@mastra/mcp/dist/index.cjs",
};
const AI_SDK: OnDemand = {
  spec: ["@ai-sdk/mcp@2.0.99", "zod@4.6.7"],
  home: "ai-sdk-2",
  program: "@ai-sdk/mcp/dist/index.js",
};
const REMOTE: OnDemand = { spec: "mcp-remote@0.15.1", home: "mcp-remote", program: "mcp-remote/dist/proxy.js" };

const OVER = ["http", "sse", "stdio"] as const;
const TRANSPORTS = { http: "HTTP", sse: "HTTP+SSE", stdio: "stdio" };
const PIN = { pin: "2026-07-28" };

const ROWS: readonly Row[] = [
  ...OVER.map((over) => ({ name: "@modelcontextprotocol/sdk 1", over: TRANSPORTS[over], runs: sdkOver[over] })),
  ...OVER.map((over) => row("@modelcontextprotocol/client 2, legacy", over, client("legacy", clientOver[over]))),
  ...(["http", "stdio"] as const).map((over) =>
    row("@modelcontextprotocol/client 2, auto", over, client("auto", clientOver[over])),
  ),
  ...(["http", "stdio"] as const).map((over) =>
    row("@modelcontextprotocol/client 2, pinned", over, client(PIN, clientOver[over])),
  ),
  ...OVER.map((over) => row("@ai-sdk/mcp 1", over, aiSdk(over))),
  row("@ai-sdk/mcp 2", "http", { program: "ai-sdk-2", node: 22, tool: AI_SDK }),
  ...OVER.map((over) => row("@langchain/mcp-adapters 1", over, langchain(over))),
  ...OVER.map((over) => row("@openai/agents 0.14", over, openaiAgents(over))),
  row("@mastra/mcp 2", "http", { program: "mastra-http", node: 22, tool: MASTRA }),
  row("@mastra/mcp 2", "stdio", { program: "mastra-stdio", node: 22, tool: MASTRA }),
  row("mcp-remote 0.15", "http", { program: "mcp-remote", node: null, tool: REMOTE }),
];

function row(name: string, over: keyof typeof TRANSPORTS, runs: Row["runs"]): Row {
  return { name, over: TRANSPORTS[over], runs };
}

test.for(ROWS)("$name over $over lists, calls, reads, meets an error, gives up and closes", async (row, { skip }) => {
  const run = await fetchedOrSkipped(runnerOf(row.runs), skip);
  const { llm, mcp, target } = await startGreeter();
  const seen = await run(target);
  expect(seen).toEqual({
    tools: ["greet"],
    answer: expect.stringContaining("Hello, Ada"),
    resource: expect.stringContaining("Read me first"),
    error: expect.stringContaining("no such person"),
    cancelled: "given up",
  });
  await expect.poll(openExchanges, { timeout: 10_000 }).toBe(0);
  const told = toldOf(row, llm, mcp);
  expect(readFileSync("docs/clients.md", "utf8")).toContain(told);
});

/** A mock that greets one person, knows another not, and never answers a third. */
async function startGreeter(): Promise<{ llm: LLMock; mcp: MCPMock; target: Omit<Target, "home"> }> {
  const mcp = new MCPMock({ sse: true });
  mcp.addResource({ uri: "docs://readme", name: "Readme", mimeType: "text/plain" }, { text: "Read me first" });
  mcp.loadFakes({
    scope: "shared",
    tools: [
      {
        name: "greet",
        description: "Greets a person",
        inputSchema: { type: "object", properties: { person: { type: "string" } }, required: ["person"] },
        calls: [
          { args: { person: "Ada" }, result: "Hello, Ada" },
          { args: { person: "nobody" }, error: "no such person" },
          { args: { person: "slow" }, timeout: true },
        ],
      },
    ],
  });
  const { llm, url } = await startServer({}, (server) => server.mount("/mcp", mcp));
  const stdio = { command: process.execPath, args: [CLI, "serve", "--stdio", "--url", url] };
  return { llm, mcp, target: { url: `${url}/mcp`, sseUrl: `${url}/mcp/sse`, stdio } };
}

/** In this process, or in one of its own; rejects when it cannot be fetched. */
async function runnerOf(runs: Row["runs"]): Promise<(target: Omit<Target, "home">) => Promise<Seen>> {
  if (typeof runs === "function") return async (target) => drive(await runs({ ...target, home: "" }));
  const { program, node, tool } = runs;
  const command = node === null ? process.execPath : await fetchNode(node);
  const entry = await fetchTool(tool);
  const home = entry.slice(0, entry.indexOf("/node_modules/"));
  return async (target) => {
    const path = join(import.meta.dirname, "../_support/programs/drive-client.ts");
    const args = ["--import", "jiti/register", path, program, JSON.stringify({ ...target, home })];
    const { stdout } = await promisify(execFile)(command, args, { timeout: 120_000 });
    const [, seen = ""] = /^SEEN (.*)$/m.exec(stdout) ?? [];
    return JSON.parse(seen);
  };
}

/** What the server noticed of a client, as a row of the table in docs/clients.md. */
function toldOf({ name, over }: Row, llm: LLMock, mcp: MCPMock): string {
  const entries = llm.getRequests();
  const methods = entries.flatMap((entry) => entry.mcp?.method ?? []);
  const opening = methods.slice(0, methods.indexOf("tools/list")).filter((each) => !each.startsWith("notifications/"));
  const stream = entries.some(({ method, path, response }) => isStream({ method, path }) && response.status === 200);
  const cells = [
    name,
    over,
    versionsOf(entries).join(", "),
    [...new Set(opening)].join(", ") || "—",
    over === "HTTP" ? (stream ? "yes" : "no") : "—",
    givingUpOf(entries),
    endOf(entries, mcp),
  ];
  return `| ${cells.join(" | ")} |`;
}

function isStream({ method, path }: Pick<JournalEntry, "method" | "path">): boolean {
  return method === "GET" && path === "/mcp";
}

/** The revisions in which calls were made. */
function versionsOf(entries: readonly JournalEntry[]): string[] {
  return [
    ...new Set(entries.flatMap(({ mcp, answer }) => (mcp === null ? [] : (versionOf(mcp.params, answer) ?? [])))),
  ];
}

function versionOf(params: unknown, answer: unknown): string | undefined {
  const { _meta } = (params ?? {}) as { _meta?: Record<string, string> }; // as clients send it
  const { result } = (answer ?? {}) as { result?: { protocolVersion?: string } };
  return result?.protocolVersion ?? _meta?.["io.modelcontextprotocol/protocolVersion"];
}

function givingUpOf(entries: readonly JournalEntry[]): string {
  if (entries.some(({ mcp }) => mcp?.method === "notifications/cancelled")) return "says so";
  return entries.some(({ mcp, response }) => mcp?.method === "tools/call" && response.status === 0)
    ? "closes the connection"
    : "says nothing";
}

function endOf(entries: readonly JournalEntry[], mcp: MCPMock): string {
  if (entries.some(({ method }) => method === "DELETE")) return "DELETE";
  return mcp.health().sessions > 0 ? "leaves its session" : "leaves nothing";
}
