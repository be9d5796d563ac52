import type { FakeStore } from "../fakes/store.ts";
import type { ScriptSettings } from "../fixtures/mock/settings.ts";
import type { Mount } from "../http/exchange.ts";
import { createJournal, type Journal } from "../journal/journal.ts";
import { createTestRegistry, type TestRegistry } from "../journal/tests.ts";
import { createLimits, type Limits } from "../limits.ts";
import { type Logger, SILENT } from "../logger.ts";
import { scriptSettings } from "../options.ts";
import type { McpServer } from "./server.ts";
import type { StdioStreams } from "./wires/stdio.ts";

/** What a mock shares with the server that it is mounted on. */
export interface MCPMockHost {
  readonly journal: Journal;
  readonly tests: TestRegistry;
  logger(): Logger;
  readonly limits: Limits;
  /** What fixtures of the second dialect do not say themselves. */
  readonly script: ScriptSettings;
}

/** How the server that a mock is mounted on reaches it. */
export interface MCPMockParts {
  readonly fakes: FakeStore;
  /** What the server calls itself. */
  serverName(): string;
  /** The tools that code registered. */
  toolNames(): readonly string[];
  attach(host: MCPMockHost, mount: string): void;
  serveStdio(options: StdioOptions): Promise<void>;
  closeSessions(): void;
  /** Passes on what the server behind said unasked, see `McpServer.passOn`. */
  passOn: McpServer["passOn"];
}

/** A mock is known by this key and not by its class: a test run may hold two copies of this module. */
export const MCP_MOCK: unique symbol = Symbol.for("mcp-fakes.MCPMock");

/** The parts of a mock, or `undefined` for any other mount. */
export function mockParts(mount: Mount | undefined): MCPMockParts | undefined {
  return (mount as { [MCP_MOCK]?: MCPMockParts } | undefined)?.[MCP_MOCK]; // a mount of the user's own may be any object
}

/** A client over two streams. */
export interface StdioOptions extends StdioStreams {
  /** Which test's view of the mock it gets; default none. */
  readonly testId?: string;
  readonly context?: string;
}

/** A mock that is mounted nowhere keeps a journal of its own, and is silent. */
export function createOwnHost(): MCPMockHost {
  const limits = createLimits();
  const tests = createTestRegistry({ max: limits.max.announcedTests });
  return {
    tests,
    journal: createJournal({ limits, attemptOf: tests.attemptOf }),
    logger: () => SILENT,
    limits,
    script: scriptSettings(),
  };
}
