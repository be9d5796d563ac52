import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";

const TIMEOUT = { timeout: 60_000 };

/** Uses a fake that each test id may use once, and tells where its server is. */
const TEST = `import { expect, inject, test } from "vitest";
import { mcp } from "mcp-fakes/vitest";

test("weather", async () => {
  await mcp.fake("get_weather", { args: {}, result: "rain" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = (message, more) => fetch(mcp.url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const clientInfo = { name: "agent", version: "1.0.0" };
  const opened = await send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") };
  await send({ method: "notifications/initialized" }, session);
  await send({ id: 1, method: "tools/call", params: { name: "get_weather", arguments: {} } }, session);
  expect(mcp).toHaveCalledToolTimes("get_weather", 1);
  console.log(\`server \${new URL(mcp.url).port}\`);
});
`;

/** How many servers two projects had, given as the rest of \`test.projects\`. */
async function serversOf(projects: string, files: Record<string, string>): Promise<{ runs: number; servers: number }> {
  const config = `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes()], test: { projects: ${projects} } };
`;
  const { exitCode, output } = await createConsumer(null, { "vitest.config.ts": config, ...files }).vitest();
  expect(output).toContain(" Test Files  2 passed (2)\n");
  expect(exitCode).toBe(0);
  const ports = [...output.matchAll(/^server (\d+)$/gm)].map(([, port]) => port);
  return { runs: ports.length, servers: new Set(ports).size };
}

test("projects with the same options and other files share one server", TIMEOUT, async () => {
  const projects = `[
    { extends: true, test: { name: "one", include: ["one/**/*.test.js"] } },
    { extends: true, test: { name: "two", include: ["two/**/*.test.js"] } },
  ]`;
  const files = { "one/a.test.js": TEST, "two/a.test.js": TEST };
  expect(await serversOf(projects, files)).toEqual({ runs: 2, servers: 1 });
});

test("projects that run the same file share one server and keep apart", TIMEOUT, async () => {
  const projects = '[{ extends: true, test: { name: "one" } }, { extends: true, test: { name: "two" } }]';
  expect(await serversOf(projects, { "a.test.js": TEST })).toEqual({ runs: 2, servers: 1 });
});

test("so do projects with files of the same name below their own roots", TIMEOUT, async () => {
  const config = 'import { mcpFakes } from "mcp-fakes/vitest";\n\nexport default { plugins: [mcpFakes()] };\n';
  const files = {
    "one/vitest.config.ts": config,
    "one/a.test.js": TEST,
    "two/vitest.config.ts": config,
    "two/a.test.js": TEST,
  };
  expect(await serversOf('["one", "two"]', files)).toEqual({ runs: 2, servers: 1 });
});

test("projects with other options have a server each", TIMEOUT, async () => {
  const projects = `[
    { plugins: [mcpFakes({ mount: "/mcp" })], test: { name: "one", include: ["one/**/*.test.js"] } },
    { plugins: [mcpFakes({ mount: ["/mcp", "/crm"] })], test: { name: "two", include: ["two/**/*.test.js"] } },
  ]`;
  const files = { "one/a.test.js": TEST, "two/a.test.js": TEST };
  expect(await serversOf(projects, files)).toEqual({ runs: 2, servers: 2 });
});

test("a project that does not take the plugin over is told how to", TIMEOUT, async () => {
  const { exitCode, output } = await createConsumer(null, {
    "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes()], test: { projects: [{ test: { name: "one" } }] } };
`,
    "a.test.js": TEST,
  }).vitest();
  expect(output).toContain(
    "mcp-fakes is not running here. Add it to the runner's configuration: in vitest.config.ts " +
      'plugins: [mcpFakes()] from "mcp-fakes/vitest", in jest.config withMcpFakes() from "mcp-fakes/jest". ' +
      "If it is there already, this project does not take it over: Vitest's projects need `extends: true`, " +
      "or the plugin in each of them; Jest's that are paths need it in their own configuration.\n",
  );
  expect(exitCode).toBe(1);
});
