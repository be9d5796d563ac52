import type { Command } from "commander";
import type { MCPMock } from "../mcp/mcp-mock.ts";
import { connectUpstream } from "../upstream/client.ts";
import { addOverrides, listenerFor, mockBefore, readProxyFile } from "../upstream/proxy.ts";
import type { ExitCode, Terminal } from "./command.ts";
import { patiently } from "./patiently.ts";
import { addMockFlags, serveMock } from "./serve-mock.ts";
import { PROGRAMS_STOP_MS, untilStopped } from "./until-stopped.ts";

/** `mcp-fakes proxy`: a real server with some of its tools scripted. Source: scripting sheet, 4. */
export function describe(command: Command): Command {
  return addMockFlags(
    command.argument("<file>", "says where the server is and which tools are answered here"),
  ).addHelpText(
    "after",
    `
Example:
  $ mcp-fakes proxy proxy.json --stdio

  { "upstream": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"] },
    "overrides": { "echo": { "default": { "text": "MOCKED echo" } } } }`,
  );
}

export async function run(
  [path]: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const file = readProxyFile(String(path));
  let mock: MCPMock | null = null;
  // From here on: a stop while the server starts ends the server too.
  const stopped = untilStopped(PROGRAMS_STOP_MS);
  const connecting = connectUpstream(
    file.upstream,
    listenerFor(() => mock, terminal.stderr),
  );
  const { stderr } = terminal;
  const upstream = await patiently(connecting, { what: "the real server to answer", stderr });
  try {
    mock = mockBefore(upstream, upstream.told);
    addOverrides(mock, String(path), file);
    await serveMock(mock, flags, { stdout: terminal.stdout, stopped });
  } finally {
    await upstream.close();
  }
  return 0;
}
