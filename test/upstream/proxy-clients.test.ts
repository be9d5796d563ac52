import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { MCPMock } from "../../src/index.ts";
import type { ProtocolVersion as Version } from "../../src/mcp/versions.ts";
import { startServer } from "../_support/server.ts";
import { proxyBefore } from "../_support/upstream.ts";
import { WIRES, type Wire } from "../_support/wires.ts";

// What a server says to its clients beside its answers, and what they say to it, through a proxy: whatever eras meet.

vi.setConfig({ testTimeout: 20_000 });

const SERVED = ["HTTP", "stdio"].flatMap((transport) => [
  wireOf(`2025-11-25 over ${transport}`),
  wireOf(`2026-07-28 over ${transport}`),
]);

const MEETINGS = SERVED.flatMap((wire) =>
  (["2025-11-25", "2026-07-28"] as const).map((version) => ({ wire, version })),
);

function name({ wire, version }: { wire: Wire; version: Version }): string {
  return `${wire.name}, before a server of ${version}`;
}

async function realServer(version: Version): Promise<{ real: MCPMock; config: { url: string } }> {
  const real = new MCPMock({ protocolVersions: [version] });
  real.addResource({ uri: "file:///a", name: "A" }, { text: "a" });
  real.onToolCall("log", (_args, { log }) => {
    log("info", "low");
    log("error", "high");
    return "logged";
  });
  real.onToolCall("ask", async ({ who }: { who: string }, { elicit }) => {
    const requestedSchema = { type: "object", properties: {} };
    const { content } = await elicit({ message: `for ${who}`, requestedSchema });
    return `${who} was asked ${content?.seen}`;
  });
  const { url } = await startServer({}, (llm) => llm.mount("/mcp", real));
  return { real, config: { url: `${url}/mcp` } };
}

for (const { wire, version } of MEETINGS) {
  test(`${name({ wire, version })}: updates reach the client that subscribed, and no other`, async () => {
    const { real, config } = await realServer(version);
    const proxy = await proxyBefore(config);
    const [one, other] = [await wire.connect(proxy), await wire.connect(proxy)];
    if (wire.era === "stateless") {
      await one.client.listen({ resourceSubscriptions: ["file:///a"], toolsListChanged: true });
      await other.client.listen({ toolsListChanged: true });
    } else {
      await one.client.subscribeResource({ uri: "file:///a" });
    }
    real.notify.resourceUpdated("file:///a");
    await expect.poll(() => one.heard).toMatchObject([{ method: "notifications/resources/updated" }]);
    real.notify.toolsChanged();
    for (const { heard } of [one, other]) {
      await expect.poll(() => heard.at(-1)?.method).toBe("notifications/tools/list_changed");
    }
    expect([one.heard.length, other.heard.length]).toEqual([2, 1]);
  });
}

for (const { wire, version } of MEETINGS) {
  test(`${name({ wire, version })}: a question reaches the client of its own call`, async () => {
    const { config } = await realServer(version);
    const proxy = await proxyBefore(config);
    const called = ["Ann", "Bob", "Cid"].map(async (who) => {
      const { client } = await wire.connect(proxy, {
        elicit: ({ message }) => ({ action: "accept", content: { seen: `${message} at ${who}'s` } }),
      });
      const { content } = await client.callTool({ name: "ask", arguments: { who } });
      return content;
    });
    expect(await Promise.all(called)).toEqual(
      ["Ann", "Bob", "Cid"].map((who) => [{ type: "text", text: `${who} was asked for ${who} at ${who}'s` }]),
    );
  });
}

for (const { wire, version } of MEETINGS) {
  test(`${name({ wire, version })}: the server hears which log lines are wanted`, async () => {
    const { real, config } = await realServer(version);
    const { client, heard } = await wire.connect(await proxyBefore(config));
    const wanted = wire.era === "stateless" ? { _meta: { "io.modelcontextprotocol/logLevel": "error" } } : {};
    if (wire.era === "session") await client.setLoggingLevel("error");
    await client.callTool({ name: "log", ...wanted });
    await expect.poll(() => heard).toMatchObject([{ params: { level: "error", data: "high" } }]);
    const told = real.getRequests().map(({ mcp }) => JSON.stringify(mcp?.params));
    expect(told.filter((params) => /"(level|io.modelcontextprotocol\/logLevel)":"error"/.test(params))).toHaveLength(1);
  });
}

const ASKING_SERVER = {
  command: process.execPath,
  args: ["--import", "jiti/register", join(import.meta.dirname, "../_support/programs/asking-server.ts")],
};

test("over stdio each session has a server of its own, so that a question needs no call named", async () => {
  const proxy = await proxyBefore(ASKING_SERVER);
  const answers = (["accept", "decline"] as const).map(async (action) => {
    const { client } = await wireOf("2025-11-25 over HTTP").connect(proxy, { elicit: () => ({ action }) });
    const calls = [1, 2].map(() => client.callTool({ name: "ask", arguments: { together: 2 } }));
    return (await Promise.all(calls)).map(({ content }) => content);
  });
  const said = (text: string) => [{ type: "text", text }];
  expect(await Promise.all(answers)).toEqual([
    [said("accept"), said("accept")],
    [said("decline"), said("decline")],
  ]);
});

test("over stdio a question is refused when clients without sessions have several calls on their way", async () => {
  const proxy = await proxyBefore(ASKING_SERVER);
  const { client } = await wireOf("2026-07-28 over HTTP").connect(proxy, { elicit: () => ({ action: "accept" }) });
  const ask = async (together: number) => {
    const { content } = await client.callTool({ name: "ask", arguments: { together } });
    return JSON.stringify(content);
  };
  expect(await ask(1)).toContain("accept");
  const [first] = await Promise.all([ask(2), ask(2)]);
  expect(first).toContain(
    "2 calls of clients without sessions are on their way, and the server does not say which one it asks about",
  );
});

test("a client that can do less is shown to the server as it is", async () => {
  const { real, config } = await realServer("2025-11-25");
  const { client } = await wireOf("2025-11-25 over stdio").connect(await proxyBefore(config), { roots: [] });
  await client.listTools();
  const opened = real.getRequests().filter(({ mcp }) => mcp?.method === "initialize");
  expect(opened.map(({ mcp }) => mcp?.params)).toMatchObject([
    { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
    { capabilities: { roots: {} } },
  ]);
  expect(JSON.stringify(opened[1]?.mcp?.params)).not.toContain("sampling");
  expect([...real.getSessions()]).toHaveLength(1);
});

test("a session's connection ends with it, and the server hears that the roots have changed", async () => {
  const { real, config } = await realServer("2025-11-25");
  const proxy = await proxyBefore(config);
  const wire = wireOf("2025-11-25 over stdio");
  const { client } = await wire.connect(proxy, { roots: [], sample: () => ({}), elicit: () => ({}) });
  await client.listTools();
  await client.sendRootsListChanged();
  await expect
    .poll(() => real.getRequests().map(({ mcp }) => mcp?.method))
    .toContain("notifications/roots/list_changed");
  await client.close();
  await expect.poll(() => real.getSessions().size).toBe(0);
});

function wireOf(wanted: string): Wire {
  const wire = WIRES.find(({ name }) => name === wanted);
  if (wire === undefined) throw new Error(`no wire ${wanted}`);
  return wire;
}
