import type { Backend } from "../mcp/backend.ts";
import type { MCPMock } from "../mcp/mcp-mock.ts";
import { LAST_ANSWERS_MS } from "../mcp/wires/open-calls.ts";
import type { UpstreamListener } from "../upstream/client.ts";
import type { UpstreamTold } from "../upstream/connection.ts";
import { addOverrides, listenerFor, mockBefore, unlistedTools } from "../upstream/proxy.ts";
import type { ProxyFile } from "../upstream/schema.ts";
import type { Terminal } from "./command.ts";
import { patiently } from "./patiently.ts";
import { type ReadAhead, readAhead } from "./read-ahead.ts";
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
  proxy: Proxy,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<void> {
  if (flags.stdio !== true) return await serve(proxy, flags, { ...terminal, ahead: null });
  const ahead = readAhead(terminal.stdin);
  try {
    await serve(proxy, flags, { ...terminal, ahead });
  } finally {
    ahead.close();
  }
}

// --- internal ---

const GIVEN_UP = "the input has ended, and the real server has not answered yet: it is given up";

async function serve(
  { path, file, open }: Proxy,
  flags: Readonly<Record<string, unknown>>,
  { ahead, stdout, stderr }: Pick<Terminal, "stdout" | "stderr"> & { readonly ahead: ReadAhead | null },
): Promise<void> {
  let mock: MCPMock | null = null;
  const opening = open(listenerFor(() => mock, stderr));
  const inVain =
    ahead && waitedInVain(ahead, opening).then(() => void stderr.write(`mcp-fakes: ${path}: ${GIVEN_UP}\n`));
  // From here on: a stop while the server starts ends the server too.
  const stopped = untilStopped(PROGRAMS_STOP_MS, inVain);
  const server = await patiently(opening, { what: "the real server to answer", stderr });
  try {
    mock = mockBefore(server.backend, server.told);
    addOverrides(mock, path, file);
    for (const warning of await warningsOf(file, server)) stderr.write(`mcp-fakes: ${path}: ${warning}\n`);
    await serveMock(mock, flags, { input: ahead?.input, stdout, stopped });
  } finally {
    await server.close();
  }
}

/** Resolves when a client has left before the server was there; what it asked for is waited for, for a while. */
function waitedInVain({ ended }: ReadAhead, opening: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    opening.then(settled, settled);
    const unlessSettled = () => {
      if (!isSettled) resolve();
    };
    void ended.then(({ isEmpty }) => {
      if (isEmpty) unlessSettled();
      else setTimeout(unlessSettled, LAST_ANSWERS_MS).unref();
    });
  });
}

/** A server may list tools later, so that one which it does not list now is no error. */
async function warningsOf(file: ProxyFile, server: Server): Promise<readonly string[]> {
  if (file.overrides === undefined && file.expectations === undefined) return [];
  const listed = await server.toolNames().catch(() => null);
  return listed === null ? [] : unlistedTools(file, listed);
}
