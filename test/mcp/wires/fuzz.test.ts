import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MCPMock } from "../../../src/index.ts";
import { send } from "../../_support/http.ts";
import { envelope, MCP_HEADERS } from "../../_support/mcp.ts";
import { startMock } from "../../_support/server.ts";

const RUNS = { numRuns: 150 };

const METHODS = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "no/such",
];

/** Requests of either era, with parameters of any shape. */
const request = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: fc.oneof(fc.integer(), fc.string()),
  method: fc.constantFrom(...METHODS),
  params: fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        _meta: fc.oneof(fc.constant(envelope()), fc.jsonValue()),
        name: fc.oneof(fc.constant("echo"), fc.jsonValue()),
        arguments: fc.jsonValue(),
        inputResponses: fc.jsonValue(),
        requestState: fc.oneof(fc.string(), fc.jsonValue()),
        cursor: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  ),
});

test("no request of either era ends in a 5xx or without an answer", { timeout: 30_000 }, async () => {
  const { mcp, mcpUrl } = await startMock();
  mcp.onToolCall("echo", (args) => JSON.stringify(args));
  const version = fc.constantFrom(undefined, "2026-07-28", "2025-06-18", "v999");
  await fc.assert(
    fc.asyncProperty(request, version, async (message, named) => {
      const mirrored = named === undefined ? {} : { "mcp-protocol-version": named, "mcp-method": message.method };
      const headers = { ...MCP_HEADERS, ...mirrored };
      const reply = await send(mcpUrl, { method: "POST", headers, body: JSON.stringify(message) });
      expect(reply.status).toBeLessThan(500);
      expect(reply.json()).toMatchObject({ jsonrpc: "2.0" });
    }),
    RUNS,
  );
  expect(mcp.health().status).toBe("ok");
});

test("each line of a stdio client that asks something is answered, whatever came before", {
  timeout: 30_000,
}, async () => {
  const noise = fc.oneof(fc.string(), fc.json(), fc.constant("{"), fc.constant("[]"));
  // A message with that key is refused as a whole: the answer names no id.
  const asking = request.filter((message) => !JSON.stringify(message).includes("__proto__"));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(noise, asking)), async (said) => {
      const mcp = new MCPMock();
      mcp.onToolCall("echo", (args) => JSON.stringify(args));
      const [input, output] = [new PassThrough(), new PassThrough()];
      const served = mcp.serveStdio({ input, output });
      const last = { jsonrpc: "2.0", method: "server/discover", params: { _meta: envelope() } };
      // An id of its own for each, since answers are told apart by nothing else.
      const lines = [...said, last].map((each, index) =>
        typeof each === "string" ? each : JSON.stringify({ ...each, id: `asked-${index}` }),
      );
      input.end(`${lines.map((line) => line.replace(/[\r\n\u2028\u2029]/g, " ")).join("\n")}\n`);
      await served;
      const answered = String(output.read())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id);
      const asked = [...said, last].flatMap((each, index) => (typeof each === "string" ? [] : [`asked-${index}`]));
      expect(answered.filter((id) => id !== null).sort()).toEqual(asked.sort());
    }),
    RUNS,
  );
});
