import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, control } from "../../src/control/client.ts";
import { createExchange, type WireAnswer, type WireRequest } from "../../src/control/wire.ts";
import { startServer } from "../_support/server.ts";

// What the plugins' workers make of answers: those of this package's server, and those that a proxy has laid out anew.

const GET: WireRequest = { method: "GET", path: "/__aimock/tests", body: null };

/** A server that answers each request with the next of these texts, in these pieces; `null` closes in place of an answer. */
async function serve(answers: readonly (readonly string[] | null)[]) {
  const requests: string[] = [];
  const left = [...answers];
  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("data", async (bytes) => {
      requests.push(bytes.toString());
      const pieces = left.shift() ?? null;
      if (pieces === null) return socket.destroy();
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, "latin1", resolve));
      if (pieces.at(-1) === "") socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const sockets: net.Socket[] = [];
  const exchange = createExchange((options) => {
    const socket = net.connect(options);
    sockets.push(socket);
    return socket;
  });
  return {
    url,
    requests,
    sockets,
    ask: (request: WireRequest, token: string | null = null) =>
      new Promise<WireAnswer>((resolve) => exchange({ url, token }, request, resolve)),
  };
}

const OK = "HTTP/1.1 200 OK\r\n";

test.each([
  { what: "with its length", pieces: [`${OK}Content-Length: 4\r\n\r\n"hi"`] },
  { what: "in pieces", pieces: ["HT", `TP/1.1 200 OK\r\ncontent-length: 4\r`, '\n\r\n"h', 'i"'] },
  { what: "in chunks", pieces: [`${OK}transfer-encoding: chunked\r\n\r\n1\r\n"\r\n3;x=y\r\nh`, 'i"\r', "\n0\r\n\r\n"] },
  { what: "until the connection ends", pieces: [`${OK}\r\n"h`, 'i"', ""] },
  {
    what: "after an early word",
    pieces: [`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 4\r\n\r\n"hi"`],
  },
])("an answer $what is read whole", async ({ pieces }) => {
  const { ask } = await serve([pieces]);
  expect(await ask(GET)).toEqual({ status: 200, body: '"hi"' });
});

test("a request that is too large is told with its size and the limit", async () => {
  const { url } = await startServer();
  const calls = [{ anyArgs: true as const, result: "x".repeat(5 * 1024 * 1024) }];
  const request = control.addFakes({ scope: "shared", tools: [{ name: "big", calls }] }, "T");
  await expect(ask({ url, token: null }, request)).rejects.toThrow(
    /\. The request has 52\d{5} bytes, and a server takes 4194304 unless it was given another limit$/,
  );
});

test("a letter of several bytes may come in two pieces", async () => {
  const [first = "", second = ""] =
    Buffer.from('"é"')
      .toString("latin1")
      .match(/^..|.+$/gs) ?? [];
  const { ask } = await serve([[`${OK}content-length: 4\r\n\r\n${first}`, second]]);
  expect(await ask(GET)).toEqual({ status: 200, body: '"é"' });
});

test("requests go over one connection, with their length and the token", async () => {
  const answer = [`${OK}content-length: 2\r\n\r\n{}`];
  const { ask, url, requests, sockets } = await serve([answer, answer]);
  await ask({ method: "POST", path: "/__aimock/tests", body: '{"testId":"é"}' }, "a-token\n");
  await ask({ method: "POST", path: "/__aimock/reset", body: null });
  const host = url.replace("http://", "");
  expect(requests).toEqual([
    `POST /__aimock/tests HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer a-token?\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{"testId":"é"}`,
    `POST /__aimock/reset HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`,
  ]);
  expect(sockets).toHaveLength(1);
});

test.each([
  { what: "says that it closes", first: [`${OK}connection: close\r\ncontent-length: 2\r\n\r\n{}`] },
  { what: "sends more than was asked for", first: [`${OK}content-length: 2\r\n\r\n{}${OK}`] },
  { what: "answers in chunks", first: [`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: y\r\n\r\n`] },
])("no second request goes to a server that $what, over the same connection", async ({ first }) => {
  const { ask, sockets } = await serve([first, [`${OK}content-length: 1\r\n\r\n2`]]);
  expect(await ask(GET)).toEqual({ status: 200, body: "{}" });
  expect(await ask(GET)).toEqual({ status: 200, body: "2" });
  expect(sockets).toHaveLength(2);
});

test("a kept connection that is closed at that moment is no failure", async () => {
  const answer = [`${OK}content-length: 2\r\n\r\n{}`];
  const { ask, requests, sockets } = await serve([answer, null, answer]);
  await ask(GET);
  expect(await ask(GET)).toEqual({ status: 200, body: "{}" });
  expect(requests).toHaveLength(3);
  expect(sockets).toHaveLength(2);
});

test("one that was closed before is not used", async () => {
  const { ask, sockets } = await serve([[`${OK}content-length: 2\r\n\r\n{}`, ""], [`${OK}content-length: 1\r\n\r\n2`]]);
  await ask(GET);
  const [first] = sockets;
  if (first?.closed === false) await once(first, "close");
  expect(await ask(GET)).toEqual({ status: 200, body: "2" });
});

test.each([
  { what: "closes a new connection", pieces: null, failure: "it closed the connection" },
  { what: "breaks off", pieces: [`${OK}content-length: 9\r\n\r\n{}`, ""], failure: "its answer broke off" },
  { what: "speaks something else", pieces: ["SSH-2.0-x\r\n"], failure: "it speaks no HTTP/1.1" },
])("a server that $what is told of", async ({ pieces, failure }) => {
  const { ask } = await serve([pieces]);
  expect(await ask(GET)).toEqual({ failure });
});

test("so is one that is not there", async () => {
  const exchange = createExchange(net.connect);
  const server = { url: "http://127.0.0.1:1", token: null };
  const answer = await new Promise((resolve) => exchange(server, GET, resolve));
  expect(answer).toEqual({ failure: "connect ECONNREFUSED 127.0.0.1:1" });
});
