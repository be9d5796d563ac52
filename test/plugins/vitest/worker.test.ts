import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const CONFIG = 'import { mcpFakes } from "mcp-fakes/vitest";\n\nexport default { plugins: [mcpFakes()] };\n';

/** Writes down every script that its worker has loaded, and leaves 50 streams open. */
const TEST = `import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { mcp } from "mcp-fakes/vitest";

test("uses all that a test may use", async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  expect(mcp).not.toHaveConsumedAllFakes();
  expect(mcp.calls).toEqual([]);
  mcp.verify("off");

  const urls = [];
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  await session.post("Debugger.enable");
  writeFileSync("loaded.json", JSON.stringify(urls));

  const stream = { headers: { accept: "text/event-stream", "mcp-protocol-version": "2025-11-25" } };
  const post = { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" } };
  const clientInfo = { name: "agent", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  for (let index = 0; index < 50; index++) {
    const opened = await fetch(mcp.url, { ...post, body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }) });
    const { status } = await fetch(mcp.url, { headers: { ...stream.headers, "mcp-session-id": opened.headers.get("mcp-session-id") } });
    expect(status).toBe(200);
  }
});
`;

test("a worker loads nothing of the server, and open streams hold no run up", { timeout: 60_000 }, async () => {
  const consumer = createConsumer(null, { "vitest.config.ts": CONFIG, "a.test.js": TEST });
  const { exitCode, output } = await consumer.vitest();
  expect(output).toContain(" Test Files  1 passed (1)\n");
  expect(output).not.toMatch(/close timed out|prevents/);
  expect(exitCode).toBe(0);

  const loaded: string[] = JSON.parse(readFileSync(join(consumer.folder, "loaded.json"), "utf8"));
  const packages = loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const ofVitest =
    /^(vitest|vite|@vitest\/.*|pathe|chai|tinyrainbow|magic-string|@jridgewell\/.*|es-module-lexer|expect-type|std-env|@standard-schema\/spec)$/;
  expect([...new Set(packages)].filter((name) => !ofVitest.test(name))).toEqual(["mcp-fakes"]);

  const own = loaded.filter((url) => url.includes("/node_modules/mcp-fakes/"));
  const texts = own.map((url) =>
    readFileSync(join(consumer.folder, url.replace(/.*(?=node_modules\/mcp-fakes)/, "")), "utf8"),
  );
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.filter((text) => /class (LLMock|MCPMock)\b|createListener/.test(text))).toEqual([]);
});
