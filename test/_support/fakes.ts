import { createFakeStore, type FakeStore } from "../../src/fakes/store.ts";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import { loadFixtureFileWithServices } from "../../src/fixtures/loaders.ts";
import type { McpFakeBlock, McpFakeCall } from "../../src/fixtures/types.ts";
import type { Identity } from "../../src/identity.ts";

/** Who asks; what is left out was not sent. */
export function asking(sent: Partial<Identity> = {}): Identity {
  return { testId: null, context: null, undeclared: null, ...sent };
}

/** A store at `/mcp` that holds these blocks as `code#1`, `code#2`, … */
export function storeOf(...blocks: McpFakeBlock[]): FakeStore {
  const store = emptyStore();
  for (const block of blocks) store.add(blockSources(block, null), "code");
  return store;
}

/** A store at `/mcp` without blocks. */
export function emptyStore(options: Partial<Parameters<typeof createFakeStore>[0]> = {}): FakeStore {
  return createFakeStore({ mount: () => "/mcp", cap: 0, aliases: () => [], ...options });
}

/** A store at `/mcp` that holds a file of `fixtures/`, named as there. */
export function storeOfFile(name: string): FakeStore {
  const store = emptyStore();
  store.add(loadFixtureFileWithServices(name, { cwd: "fixtures" }).mcpFakes, "file");
  return store;
}

/** A shared block with one tool. */
export function sharedTool(name: string, ...calls: McpFakeCall[]): McpFakeBlock {
  return { scope: "shared", tools: [{ name, calls }] };
}
