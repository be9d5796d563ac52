import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { post, send } from "../_support/http.ts";
import { connect, type RawClient } from "../_support/mcp.ts";
import { type Program, startServe } from "../_support/program.ts";
import { tempFile, tempFolder, tempTree } from "../_support/temp.ts";

// Each test waits for a file system's events, which take their time on a loaded machine.
vi.setConfig({ testTimeout: 60_000 });

const LOADED = "[mcp-fakes] the fixtures have changed and are loaded anew\n";

/** A block whose tools each answer once, with these texts in order. */
function fakes(tools: Readonly<Record<string, readonly string[]>>): { mcpFakes: object } {
  const calls = (texts: readonly string[]) => texts.map((result) => ({ anyArgs: true, result }));
  return {
    mcpFakes: { scope: "shared", tools: Object.entries(tools).map(([name, texts]) => ({ name, calls: calls(texts) })) },
  };
}

async function answerOf(client: RawClient, tool: string): Promise<unknown> {
  const { result, error } = await client.call(tool);
  const [content] = (result?.content ?? []) as { text: string }[];
  return content?.text ?? error?.data?.aimock.code ?? error?.message;
}

function write(folder: string, name: string, value: unknown): void {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
}

/** Waits until the server has said so many times that it took, or refused, a change. */
async function until({ output }: Program, line: string, times = 1): Promise<void> {
  await expect.poll(() => output.stderr.split(line).length - 1, { timeout: 15_000 }).toBe(times);
}

test("a change in any source is served; what did not change stays used", async () => {
  const folder = tempTree({
    "one/a.json": fakes({ a: ["a1", "a2"] }),
    "one/same.json": fakes({ same: ["s1", "s2"] }),
    "two.json": fakes({ b: ["b1"] }),
  });
  const server = await startServe(["--watch", join(folder, "one"), join(folder, "two.json")]);
  const client = await connect(`${server.url}/mcp?testId=t`);
  for (const tool of ["a", "same", "b"]) await client.call(tool);

  write(folder, "two.json", fakes({ b: ["b1 changed"] }));
  await until(server, LOADED);
  expect([await answerOf(client, "b"), await answerOf(client, "same")]).toEqual(["b1 changed", "s2"]);

  write(folder, "one/new.json", fakes({ c: ["c1"] }));
  rmSync(join(folder, "one/a.json"));
  await until(server, LOADED, 2);
  expect([await answerOf(client, "c"), await answerOf(client, "a"), await answerOf(client, "same")]).toEqual([
    "c1",
    "Unknown tool: a",
    "MCP_FAKE_EXHAUSTED",
  ]);
});

test("a change with problems is refused whole, and all of them are shown", async () => {
  const folder = tempTree({ "a.json": fakes({ a: ["a1"] }), "b.json": fakes({ b: ["b1"] }) });
  const server = await startServe(["--watch", folder]);
  const client = await connect(`${server.url}/mcp`);

  write(folder, "a.json", fakes({ a: ["a1 changed"] }));
  write(folder, "b.json", { mcpFakes: { tools: [] } });
  await until(server, "what was loaded before is still served");
  expect(server.output.stderr).toContain(
    [
      'error: "b.json", block "b.json": [mcp-fakes/bad-block:a] block has no scope',
      'error: "b.json", block "b.json": [mcp-fakes/bad-block:g] tools is empty; an empty tools array (tools: []) is allowed only on a scoped (not "shared") block with undeclaredTools "deny"',
      "mcp-fakes: the change is refused: 2 problems in the fixtures; what was loaded before is still served",
      "",
    ].join("\n"),
  );
  expect([await answerOf(client, "a"), await answerOf(client, "b")]).toEqual(["a1", "b1"]);

  write(folder, "b.json", fakes({ b: ["b2"] }));
  await until(server, LOADED);
  expect([await answerOf(client, "a"), await answerOf(client, "b")]).toEqual(["a1 changed", "b2"]);
});

test("a folder that is deleted while it is watched stays served, and is taken again when it is back", async () => {
  const folder = tempTree({ "fixtures/a.json": fakes({ a: ["a1", "a2"] }) });
  const server = await startServe(["--watch", join(folder, "fixtures")]);
  const client = await connect(`${server.url}/mcp`);

  renameSync(join(folder, "fixtures"), join(folder, "elsewhere"));
  await until(server, "what was loaded before is still served");
  expect(await answerOf(client, "a")).toBe("a1");

  mkdirSync(join(folder, "fixtures"));
  cpSync(join(folder, "elsewhere"), join(folder, "fixtures"), { recursive: true });
  write(folder, "fixtures/b.json", fakes({ b: ["b1"] }));
  await expect.poll(() => answerOf(client, "b"), { timeout: 15_000 }).toBe("b1");
});

test("a reload leaves alone what the control API added, and swaps the turns of models", async () => {
  const folder = tempTree({ "llm.json": { fixtures: [{ match: {}, response: { content: "before" } }] } });
  const server = await startServe(["--watch", folder]);
  await post(`${server.url}/__aimock/fixtures`, fakes({ added: ["by hand"] }));
  const ask = async () => {
    const body = { model: "m", messages: [{ role: "user", content: "hello" }] };
    return await post(`${server.url}/v1/chat/completions`, body);
  };
  expect(await ask()).toMatchObject({ choices: [{ message: { content: "before" } }] });

  write(folder, "llm.json", { fixtures: [{ match: {}, response: { content: "after" } }] });
  await until(server, LOADED);
  expect(await ask()).toMatchObject({ choices: [{ message: { content: "after" } }] });
  expect((await send(`${server.url}/__aimock/fixtures`)).json()).toEqual({ count: 1 });
  expect(await answerOf(await connect(`${server.url}/mcp`), "added")).toBe("by hand");
});

test("in an empty folder, ./fixtures is served once it is there", async () => {
  const folder = tempFolder();
  const server = await startServe(["--watch"], { cwd: folder });
  mkdirSync(join(folder, "fixtures"));
  write(folder, "fixtures/a.json", fakes({ a: ["a1"] }));
  const client = await connect(`${server.url}/mcp`);
  await expect.poll(() => answerOf(client, "a"), { timeout: 15_000 }).toBe("a1");
});

test("a config file that watches, but names no fixtures, starts the server and says so", async () => {
  const server = await startServe(["--config", tempFile("config.json", { watch: true })]);
  await until(server, "[mcp-fakes] nothing is watched: the config file names no fixtures\n");
});
