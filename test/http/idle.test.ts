import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { startMock } from "../_support/server.ts";

const MINUTE = 60_000;

test("a connection stays open between requests, and is closed when nobody has asked anything for a minute", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const { url } = await startMock();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  const ask = async () => {
    socket.write(`GET /__aimock/health HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    const [answer] = await once(socket, "data");
    return String(answer).split("\r\n", 1)[0];
  };
  for (let minute = 0; minute < 3; minute++) {
    expect(await ask()).toBe("HTTP/1.1 200 OK");
    vi.advanceTimersByTime(MINUTE);
  }
  const closed = once(socket, "close");
  vi.advanceTimersByTime(MINUTE);
  vi.useRealTimers();
  await closed;
  expect(socket.readableEnded).toBe(true);
});
