import type { ChildProcess } from "node:child_process";
import { load } from "./load.ts";
import { answerOf, median, startPeer, usageOf } from "./peer.ts";

export interface CallRow {
  readonly server: string;
  readonly "calls/s": number;
  /** Processor time of the server alone: steadier than the rate where other work shares the machine. */
  readonly "server µs/call": number;
  /** By calls per second. */
  readonly "× bare": string;
  /** By the server's processor time. */
  readonly "× bare, server": string;
}

interface Peer {
  readonly name: string;
  readonly file: string;
  readonly env?: Record<string, string>;
  /** How many test ids its calls are spread over; each id makes ten calls. 0 sends none. */
  readonly testIds: number;
  /** Whether its calls are of 2026-07-28, which has no sessions. */
  readonly stateless?: true;
  /** What is asked instead of `tools/call`, and a part of its answer. */
  readonly asks?: { readonly method: string; readonly answer: string };
}

const MANY_BLOCKS = 10_000;

export const FAKE: Peer = { name: "mcp-fakes, a fake", file: "mcp-fakes.ts", testIds: Number.POSITIVE_INFINITY };

const BARE: Peer = { name: "bare node:http", file: "bare.ts", testIds: 0 };

/** A faked `tools/call`, beside who else answers it. */
export const PEERS: readonly Peer[] = [
  BARE,
  FAKE,
  { ...FAKE, name: "mcp-fakes, a fake, 2026-07-28", stateless: true },
  {
    name: `mcp-fakes, ${MANY_BLOCKS} blocks x 10`,
    file: "mcp-fakes.ts",
    env: { BLOCKS: String(MANY_BLOCKS) },
    testIds: MANY_BLOCKS,
  },
  { name: "aimock MCPMock, a handler", file: "aimock.ts", testIds: 0 },
  { name: "official SDK server, a handler", file: "sdk.ts", testIds: 0 },
];

/** The parts of a faked call: each row does what the one before does, and more. */
export const STEPS: readonly Peer[] = [
  BARE,
  { name: "a mount that answers a constant", file: "constant.ts", testIds: 0 },
  { ...FAKE, name: "ping in a session", asks: { method: "ping", answer: '"result":{}' } },
  { ...FAKE, name: "tools/call, a fake" },
];

interface Running {
  readonly peer: Peer;
  readonly child: ChildProcess;
  readonly port: number;
  readonly session: string;
  calls: number;
  readonly rates: number[];
  readonly costs: number[];
}

/** Rounds go from server to server, so that what else the machine does falls on all of them alike. */
export async function measureCalls(
  peers: readonly Peer[],
  { rounds, callsPerRound }: { rounds: number; callsPerRound: number },
): Promise<CallRow[]> {
  const running = await Promise.all(peers.map(startCalling));
  for (let round = -1; round < rounds; round++) {
    for (const server of running) await measure(server, callsPerRound, round < 0);
  }
  for (const { child } of running) child.disconnect();
  const [bare] = running;
  return running.map(({ peer, rates, costs }) => ({
    server: peer.name,
    "calls/s": Math.round(median(rates)),
    "server µs/call": Math.round(median(costs) * 10) / 10,
    "× bare": medianRatio(rates, bare?.rates ?? []).toFixed(2),
    "× bare, server": medianRatio(bare?.costs ?? [], costs).toFixed(2),
  }));
}

/** Of rounds that stood beside each other: what disturbs one, disturbs its neighbour. */
function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, round) => value / (under[round] ?? Number.NaN)));
}

/** Starts a peer and, unless it is the bare one, opens the session that all its calls belong to. */
export async function startCalling(peer: Peer): Promise<Running> {
  const child = startPeer(peer.file, peer.env);
  const { port } = await answerOf<{ port: number }>(child);
  const hasSessions = !["bare.ts", "constant.ts"].includes(peer.file) && peer.stateless !== true;
  const session = hasSessions ? await openSession(port) : "";
  return { peer, child, port, session, calls: 0, rates: [], costs: [] };
}

async function openSession(port: number): Promise<string> {
  const post = (message: object, session = "") =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: headersOf(session),
      body: JSON.stringify(message),
    });
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
  const opened = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  const session = opened.headers.get("mcp-session-id") ?? "";
  await opened.text();
  await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  return session;
}

function headersOf(session: string): Record<string, string> {
  const sessionHeader: Record<string, string> = session === "" ? {} : { "mcp-session-id": session };
  return { "content-type": "application/json", accept: "application/json, text/event-stream", ...sessionHeader };
}

/** Makes calls as fast as they are answered, and checks every answer. Answers the seconds that took. */
export async function callAll(server: Running, calls: number): Promise<number> {
  const requests = Array.from({ length: calls }, () => requestBytes(server));
  const plan = { port: server.port, connections: 8, next: () => requests.pop() };
  const right = server.peer.asks?.answer ?? "TICKET-42";
  const { seconds, wrong } = await load(plan, (answer) => answer.includes(right));
  if (wrong > 0) throw new Error(`${server.peer.name}: ${wrong} of ${calls} answers were wrong`);
  return seconds;
}

async function measure(server: Running, calls: number, isWarmUp: boolean): Promise<void> {
  const before = await usageOf(server.child);
  const seconds = await callAll(server, calls);
  const after = await usageOf(server.child);
  if (isWarmUp) return;
  server.rates.push(calls / seconds);
  server.costs.push((after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / calls);
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const STATELESS_HEADERS = ["mcp-protocol-version: 2026-07-28", "mcp-method: tools/call", "mcp-name: create_ticket"];

function requestBytes(server: Running): Buffer {
  const call = server.calls++;
  const isStateless = server.peer.stateless === true;
  const params = { name: "create_ticket", arguments: { title: "Refund" }, ...(isStateless ? { _meta: ENVELOPE } : {}) };
  const method = server.peer.asks?.method ?? "tools/call";
  const body = JSON.stringify({ jsonrpc: "2.0", id: call, method, params });
  const testId = Math.floor(call / 10);
  const lines = [
    "POST /mcp HTTP/1.1",
    "host: 127.0.0.1",
    ...Object.entries(headersOf(server.session)).map(([name, value]) => `${name}: ${value}`),
    ...(isStateless ? STATELESS_HEADERS : []),
    ...(server.peer.testIds === 0 ? [] : [`x-test-id: test-${testId}`]),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  if (server.peer.testIds > 0 && testId >= server.peer.testIds)
    throw new Error(`${server.peer.name} has too few blocks for this many calls`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
