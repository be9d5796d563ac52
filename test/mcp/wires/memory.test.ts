import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { openEvents } from "../../_support/events.ts";
import { send } from "../../_support/http.ts";
import { connect } from "../../_support/mcp.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SESSIONS = 500;
const STREAMS = 200;

/**
 * What a session may leave behind, in bytes. One that is open takes over 6 KB, its share of the streams included; what
 * is in use after rounds that leave nothing still differs by a few hundred bytes a session, and not always upwards.
 */
const LEFT_MAX = 2048;

test("500 sessions with 200 open streams give their memory back when they close", { timeout: 120_000 }, async () => {
  const server = await startServer();
  const before = await round(server);
  await round(server);
  const after = await round(server);
  expect((after - before) / (2 * SESSIONS)).toBeLessThan(LEFT_MAX);
});

interface Server {
  readonly url: string;
  /** Bytes in use and sessions open, when all that can go has gone. */
  measure(): Promise<{ readonly heap: number; readonly sessions: number }>;
}

async function startServer(): Promise<Server> {
  const program = join(ROOT, "test/_support/programs/gc-server.ts");
  const child = spawn(process.execPath, ["--expose-gc", "--import", "jiti/register", program], { cwd: ROOT });
  onTestFinished(async () => {
    child.stdin.end();
    await once(child, "close");
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () =>
    String((await lines.next()).value)
      .split(" ")
      .slice(1);
  const [url = ""] = await next();
  return {
    url,
    async measure() {
      child.stdin.write("\n");
      const [heap, sessions] = (await next()).map(Number);
      return { heap: heap ?? 0, sessions: sessions ?? 0 };
    },
  };
}

/** Sessions come, call, hear and go; answers the heap that is left. */
async function round({ url, measure }: Server): Promise<number> {
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connect(url)));
  const abort = new AbortController();
  const headersOf = (sessionId: string) => ({ accept: "text/event-stream", "mcp-session-id": sessionId });
  await Promise.all(
    clients.slice(0, STREAMS).map(({ sessionId }) => openEvents(url, headersOf(sessionId), abort.signal)),
  );
  await Promise.all(clients.map((client, index) => client.call("echo", { index })));
  expect((await measure()).sessions).toBe(SESSIONS);
  abort.abort();
  await Promise.all(
    clients.map(({ sessionId }) => send(url, { method: "DELETE", headers: { "mcp-session-id": sessionId } })),
  );
  const { heap, sessions } = await measure();
  expect(sessions).toBe(0);
  return heap;
}
