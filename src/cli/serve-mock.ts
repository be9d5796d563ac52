import type { Readable } from "node:stream";
import { type Command, Option } from "commander";
import type { MCPMock } from "../mcp/mcp-mock.ts";
import type { Terminal } from "./command.ts";
import { createServer, listen, numberOf } from "./listen.ts";

/** The flags of the commands that serve one MCP server: a proxy, a recorder, a replay. */
export function addMockFlags(command: Command): Command {
  return command
    .addOption(new Option("--stdio", "serve over standard input and output in place of a port").conflicts(OF_PORTS))
    .option("-p, --port <n>", "port; 0 for a free one", "4010")
    .option("--host <address>", "address to bind", "127.0.0.1")
    .option("--log <file>", "append a line of JSON for each call (default: MOCKMCP_LOG)")
    .option("--token <text>", "what the control API asks for; needed off loopback (default: MCP_FAKES_TOKEN)")
    .option("--json", "print the ready line as JSON: { url, mcpUrl }");
}

/** The flags that would do nothing beside `--stdio`. */
const OF_PORTS = ["port", "host", "token", "json"];

interface ServedTo extends Pick<Terminal, "stdout"> {
  /** What `--stdio` reads; default `process.stdin`. */
  readonly input?: Readable | undefined;
  readonly stopped: Promise<void>;
}

/** Serves a mock until the input ends, or until the program is `stopped`. */
export async function serveMock(
  mock: MCPMock,
  flags: Readonly<Record<string, unknown>>,
  { input, stdout, stopped }: ServedTo,
): Promise<void> {
  const { token = process.env.MCP_FAKES_TOKEN } = flags;
  const port = numberOf(flags.port);
  const given = Object.entries({ host: flags.host, port, log: flags.log, token });
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const llm = createServer({ logLevel: "error", ...options }).mount("/mcp", mock);
  if (flags.stdio === true) {
    await Promise.race([llm.serveStdio(input && { input }), stopped]);
  } else {
    const url = await listen(llm, port);
    const mcpUrl = `${url}/mcp`;
    stdout.write(flags.json === true ? `${JSON.stringify({ url, mcpUrl })}\n` : `[mcp-fakes] listening on ${mcpUrl}\n`);
    await stopped;
  }
  await llm.stop();
}
