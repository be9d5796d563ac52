import type { Command } from "commander";
import { connectUpstream, type UpstreamListener } from "../upstream/client.ts";
import { readProxyFile } from "../upstream/proxy.ts";
import type { ExitCode, Terminal } from "./command.ts";
import { addMockFlags } from "./serve-mock.ts";
import { serveProxy } from "./serve-proxy.ts";

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
  const open = async (listener: UpstreamListener) => {
    const upstream = await connectUpstream(file.upstream, listener);
    return { ...upstream, backend: upstream };
  };
  await serveProxy({ path: String(path), file, open }, flags, terminal);
  return 0;
}
