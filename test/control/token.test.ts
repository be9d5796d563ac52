import { expect, test } from "vitest";
import { LLMock } from "../../src/index.ts";
import { send } from "../_support/http.ts";
import { connect } from "../_support/mcp.ts";
import { startMock, startServer } from "../_support/server.ts";

const TOKEN = "correct-horse-battery";

test.each(["0.0.0.0", "::", "192.168.1.5", "my-machine"])("a server on %s does not start without a token", (host) => {
  expect(() => new LLMock({ host })).toThrow(
    new TypeError(
      `LLMock options: host "${host}" can be reached from other machines, so a token is needed: set token (on the command line --token or MCP_FAKES_TOKEN), or bind 127.0.0.1`,
    ),
  );
});

test.each(["short", "has a space in its middle", "unprintable-\u0007-unprintable", 17])(
  "a token that is easy to guess or cannot be sent is refused: %j",
  (token) => {
    expect(() => new LLMock({ token: token as string })).toThrow(
      new TypeError(
        `LLMock options: token must be a string of at least 16 visible ASCII characters, got ${JSON.stringify(token)}`,
      ),
    );
  },
);

test.each([
  ["no Authorization", undefined],
  ["another token", "Bearer correct-horse-batterz"],
  ["the start of the token", "Bearer correct-horse"],
  ["the token and more", "Bearer correct-horse-battery-staple"],
  ["another scheme", "Basic correct-horse-battery"],
  ["an empty token", "Bearer "],
])("with %s every control request is 401", async (_what, authorization) => {
  const { url } = await startMock({ token: TOKEN, metrics: true });
  const headers = authorization === undefined ? {} : { authorization };
  for (const [method, path] of [
    ["GET", "/__aimock/health"],
    ["GET", "/__aimock/journal"],
    ["POST", "/__aimock/reset"],
    ["GET", "/__aimock/nothing"],
    ["GET", "/metrics"],
  ] as const) {
    const reply = await send(url + path, { method, headers });
    expect([reply.status, reply.headers["www-authenticate"], reply.json()]).toEqual([
      401,
      "Bearer",
      { error: "This server asks for its token: send Authorization: Bearer <token>" },
    ]);
  }
});

test("with the token the control API answers, and MCP asks for none", async () => {
  const { url, mcpUrl } = await startMock({ token: TOKEN, metrics: true });
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await send(`${url}/__aimock/health`, { headers })).json()).toEqual({ status: "ok" });
  expect((await send(`${url}/metrics`, { headers })).status).toBe(200);
  expect(await (await connect(mcpUrl)).request("ping")).toMatchObject({ result: {} });
});

test("a server on every address answers any Host", async () => {
  const { url } = await startServer({ host: "0.0.0.0", token: TOKEN });
  const local = url.replace("0.0.0.0", "127.0.0.1");
  const headers = { Host: "mock.internal:4010", authorization: `Bearer ${TOKEN}` };
  expect((await send(`${local}/__aimock/health`, { headers })).json()).toEqual({ status: "ok" });
});
