import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Program, startCli } from "../_support/program.ts";
import { tempFile, tempFolder } from "../_support/temp.ts";

// Each test waits until a program is ended that does not want to.
vi.setConfig({ testTimeout: 60_000 });

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};

test.each<[string, (cli: Program) => void]>([
  ["its client leaves", (cli) => cli.child.stdin?.end()],
  ["it is asked to end", (cli) => cli.child.kill("SIGTERM")],
])("a deaf server behind a shell ends with its proxy when %s", async (_when, end) => {
  const server = await stubbornServer("answers");
  const cli = startCli(["proxy", tempFile("proxy.json", { upstream: server.upstream }), "--stdio"]);
  cli.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
  await cli.until(/"id":1/);
  await server.started();
  end(cli);
  expect(await cli.ended).toEqual({ code: 0, signal: null });
  await server.allEnded();
});

test.each<[string, string[], (cli: Program) => void]>([
  ["it is asked to end", [], (cli) => cli.child.kill("SIGINT")],
  ["its client leaves", ["--stdio"], (cli) => cli.child.stdin?.end()],
])("a server that says nothing ends with the proxy that waits for it when %s", async (_when, flags, end) => {
  const server = await stubbornServer("is-silent");
  const cli = startCli([
    "record",
    tempFile("p.json", { upstream: server.upstream }),
    "--cassette",
    join(tempFolder(), "c.jsonl"),
    "--record",
    "all",
    ...flags,
  ]);
  await server.started();
  end(cli);
  expect(await cli.ended).toEqual({ code: 0, signal: null });
  await server.allEnded();
});

test("init takes the lists of a deaf server, and ends it", async () => {
  const server = await stubbornServer("answers");
  const { command, args } = server.upstream;
  const cli = startCli(["init", "proxy", "-", "--from", `${command} ${args[0]} "${args[1]}"`]);
  expect(await cli.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(cli.output.stdout).overrides).toEqual({ hello: { responses: [] } });
  await server.allEnded();
});

/** A server behind a shell that stays, and the way to wait for its processes without asking for their ids. */
async function stubbornServer(manner: "answers" | "is-silent") {
  const listener = createServer((socket) => void lives.push(socket.resume().on("error", () => {})));
  const lives: Socket[] = [];
  onTestFinished(() => void listener.close());
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo; // of a TCP socket
  const file = tempFile("stubborn.mjs", STUBBORN);
  return {
    upstream: { command: "sh", args: ["-c", `'${process.execPath}' '${file}' ${port} ${manner}; true`] },
    async started() {
      if (lives.length === 0) await once(listener, "connection");
    },
    async allEnded() {
      await Promise.all(lives.map((socket) => socket.closed || once(socket, "close")));
    },
  };
}

/** Holds a connection for as long as it lives; hears neither the end of its input nor SIGTERM. */
const STUBBORN = `
import { connect } from "node:net";
import { createInterface } from "node:readline";
const [, , port, manner] = process.argv;
process.on("SIGTERM", () => {});
process.on("SIGINT", () => {});
connect(Number(port), "127.0.0.1").on("error", () => {});
const say = (id, answer) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || manner === "is-silent") return;
  if (method === "initialize") say(id, { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
  else if (method === "tools/list") say(id, { result: { tools: [{ name: "hello", inputSchema: { type: "object" } }] } });
  else say(id, { error: { code: -32601, message: "no" } });
});
setInterval(() => {}, 1000);
`;
