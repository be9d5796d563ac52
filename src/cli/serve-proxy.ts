import type { Backend } from "../mcp/backend.ts";
import type { MCPMock } from "../mcp/mcp-mock.ts";
import type { UpstreamListener } from "../upstream/client.ts";
import type { UpstreamTold } from "../upstream/connection.ts";
import { addOverrides, listenerFor, mockBefore, unlistedTools } from "../upstream/proxy.ts";
import type { ProxyFile } from "../upstream/schema.ts";
import type { Terminal } from "./command.ts";
import { patiently } from "./patiently.ts";
import { serveMock } from "./serve-mock.ts";
import { PROGRAMS_STOP_MS, untilStopped } from "./until-stopped.ts";

/** What stands behind a proxy. */
interface Server {
  readonly backend: Backend;
  readonly told: UpstreamTold;
  toolNames(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A proxy file, and where it lies. */
interface Proxy {
  readonly path: string;
  readonly file: ProxyFile;
  open(listener: UpstreamListener): Promise<Server>;
}

/** Serves what a proxy file scripts, before the server that it opens, until the program is stopped. */
export async function serveProxy(
  { path, file, open }: Proxy,
  flags: Readonly<Record<string, unknown>>,
  { stdout, stderr }: Terminal,
): Promise<void> {
  let mock: MCPMock | null = null;
  // From here on: a stop while the server starts ends the server too.
  const stopped = untilStopped(PROGRAMS_STOP_MS);
  const opening = open(listenerFor(() => mock, stderr));
  const server = await patiently(opening, { what: "the real server to answer", stderr });
  try {
    mock = mockBefore(server.backend, server.told);
    addOverrides(mock, path, file);
    for (const warning of await warningsOf(file, server)) stderr.write(`mcp-fakes: ${path}: ${warning}\n`);
    await serveMock(mock, flags, { stdout, stopped });
  } finally {
    await server.close();
  }
}

// --- internal ---

/** A server may list tools later, so that one which it does not list now is no error. */
async function warningsOf(file: ProxyFile, server: Server): Promise<readonly string[]> {
  if (file.overrides === undefined && file.expectations === undefined) return [];
  const listed = await server.toolNames().catch(() => null);
  return listed === null ? [] : unlistedTools(file, listed);
}
