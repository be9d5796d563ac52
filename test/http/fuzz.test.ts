import fc from "fast-check";
import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { connect, MCP_HEADERS } from "../_support/mcp.ts";
import { startMock } from "../_support/server.ts";

/** A fixed seed: the same run draws the same inputs every time. */
const RUNS = { numRuns: 150, seed: 7 };

/** JSON near enough to what is expected to get past the first checks. */
const member = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: value }, fc.jsonValue()).map((drawn) => ({ [name]: drawn }));
const objectOf = (...members: fc.Arbitrary<object>[]) =>
  fc.subarray(members).chain((chosen) => fc.tuple(...chosen).map((parts) => Object.assign({}, ...parts) as object));

const call = objectOf(
  member("args", fc.dictionary(fc.string(), fc.jsonValue())),
  member("anyArgs", fc.constant(true)),
  member("result", fc.oneof(fc.string(), fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))),
  member("error", fc.string()),
  member("id", fc.string()),
);
const tool = objectOf(
  member("name", fc.constantFrom("a", "b", "")),
  member("calls", fc.array(call)),
  member("inputSchema", fc.constant({ type: "object" })),
);
const scope = fc.oneof(fc.constant("shared"), objectOf(member("testId", fc.string()), member("context", fc.string())));
const block = objectOf(
  member("scope", scope),
  member("mount", fc.constantFrom("/mcp", "/other", "/mcp/", "/__aimock/x")),
  member("tools", fc.array(tool)),
  member("undeclaredTools", fc.constantFrom("allow", "deny")),
);
const message = objectOf(
  member("jsonrpc", fc.constant("2.0")),
  member("id", fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
  member("method", fc.constantFrom("tools/call", "tools/list", "resources/read", "prompts/get", "initialize", "ping")),
  member("params", objectOf(member("name", fc.constantFrom("a", "b")), member("arguments", fc.jsonValue()))),
);

test("no block that is posted ends in a 5xx, and each is added or refused with a reason", async () => {
  const { url } = await startMock();
  await fc.assert(
    fc.asyncProperty(fc.oneof(block, fc.array(block), fc.jsonValue()), async (mcpFakes) => {
      const reply = await send(`${url}/__aimock/fixtures`, { method: "POST", body: JSON.stringify({ mcpFakes }) });
      const answer = reply.json() as { mcpFakesAdded?: number; error?: string };
      if (reply.status === 200) expect(answer.mcpFakesAdded).toBeGreaterThan(0);
      else
        expect([reply.status, answer.error]).toEqual([
          400,
          expect.stringMatching(/^(Validation failed|Invalid JSON: .+)$/),
        ]);
    }),
    RUNS,
  );
});

test("no message ends in a 5xx, and each request is answered", async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.loadFakes({ scope: "shared", tools: [{ name: "a", calls: [{ args: {}, result: "" }] }] });
  mcp.onToolCall("b", (args) => args);
  const client = await connect(mcpUrl, { protocolVersion: "2025-03-26" });
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.array(message), fc.jsonValue()), async (sent) => {
      const reply = await client.post(sent);
      expect(reply.status).toBeLessThan(500);
      if (reply.status === 200) expect(JSON.stringify(reply.json())).toContain('"jsonrpc":"2.0"');
    }),
    RUNS,
  );
});

test("no bytes, header or query end in a 5xx", async () => {
  const { url } = await startMock();
  const headerValue = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("/mcp", "/__aimock/fixtures", "/__aimock/tests", "/__aimock/tests/end", "/__aimock/journal"),
      fc.constantFrom("GET", "POST", "DELETE", "PUT"),
      fc.webQueryParameters(),
      headerValue,
      fc.uint8Array({ maxLength: 200 }),
      async (path, method, query, value, body) => {
        const headers = { ...MCP_HEADERS, "X-Test-Id": value, "mcp-session-id": value };
        const reply = await send(`${url}${path}?${query}`, { method, headers, body: Buffer.from(body) });
        expect(reply.status).toBeLessThan(500);
      },
    ),
    RUNS,
  );
});

test("no announcement ends in a 5xx", async () => {
  const { url } = await startMock();
  const announcement = objectOf(
    member("testId", fc.string()),
    member("file", fc.string()),
    member("names", fc.array(fc.string())),
    member("attempt", fc.integer()),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(announcement, fc.jsonValue()), async (body) => {
      const reply = await send(`${url}/__aimock/tests`, { method: "POST", body: JSON.stringify(body) });
      expect([200, 400]).toContain(reply.status);
    }),
    RUNS,
  );
});
