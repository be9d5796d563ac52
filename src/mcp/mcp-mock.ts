import { loadErrorOf, type McpFakeWarning } from "../errors.ts";
import type { Origin } from "../fakes/model.ts";
import type { FakesReport } from "../fakes/report.ts";
import { createFakeStore } from "../fakes/store.ts";
import type { McpFakeBlockSnapshot } from "../fakes/views.ts";
import { type BlockSource, blockSources } from "../fixtures/block-sources.ts";
import type { McpFakeBlock } from "../fixtures/types.ts";
import type { Exchange, Mount, Reply } from "../http/exchange.ts";
import { createListener, type Listener } from "../http/listener.ts";
import { urlOf } from "../http/origin.ts";
import { type JournalEntry, toJournalEntry } from "../journal/entry.ts";
import { reportOn } from "../journal/report.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Logger } from "../logger.ts";
import type { Backend } from "./backend.ts";
import type { Session } from "./era-session.ts";
import { createOwnHost, MCP_MOCK, type MCPMockParts, type StdioOptions } from "./mock-host.ts";
import { type MCPMockOptions, type NormalMockOptions, normalizeMockOptions } from "./mock-options.ts";
import { createNotify, type McpNotify } from "./notices.ts";
import { toProfile, withFileServer } from "./profile.ts";
import {
  createRegistry,
  type McpCompletionHandler,
  type McpCompletionRef,
  type McpPromptDefinition,
  type McpPromptHandler,
  type McpResourceContent,
  type McpResourceDefinition,
  type McpResourceHandler,
  type McpResourceTemplateDefinition,
  type McpResourceTemplateHandler,
  type McpToolDefinition,
  type McpToolHandler,
} from "./registry.ts";
import { createMcpServer, type McpServer } from "./server.ts";
import { serveLines } from "./wires/stdio.ts";

/**
 * A mock MCP server: tools, resources and prompts registered in code, and scenario fakes that answer `tools/call`
 * per test. Stand-alone with `start()`, or mounted on an `LLMock` to share its port, journal and control API.
 * Source: seed, MCPMock.
 *
 * @example
 * ```ts
 * const mcp = new MCPMock();
 * mcp.addTool({ name: "search", description: "Search the web" });
 * mcp.onToolCall("search", (args) => `Results for ${JSON.stringify(args)}`);
 * const url = await mcp.start();
 * ```
 */
export class MCPMock implements Mount {
  readonly [MCP_MOCK]: MCPMockParts;
  /** Tells clients that something has changed: over their streams, in whatever way their revision has for it. */
  readonly notify: McpNotify;
  readonly #options: NormalMockOptions;
  readonly #registry = createRegistry();
  readonly #server: McpServer;
  #host = createOwnHost();
  #logger: Logger | null = null;
  #listener: Listener | null = null;
  #mount = "/";

  /**
   * Throws a `TypeError` that names every unknown option and every bad value. `backend` is for this package's own
   * proxies: what answers where fakes and registrations do not.
   */
  constructor(options: MCPMockOptions = {}, backend: Backend | null = null) {
    this.#options = normalizeMockOptions(options);
    const fakes = createFakeStore({
      mount: () => this.#mount,
      cap: this.#host.limits.max.testIds,
      faults: this.#options.faults,
      evicting: () => this.#host.limits.hit("testIds"),
      aliases: (testId) => this.#host.tests.aliases(testId),
      settings: () => this.#host.script,
      registered: (tool) => this.#registry.tools.get(tool)?.definition,
    });
    this[MCP_MOCK] = {
      fakes,
      serverName: () => String(this.#server.profile.serverInfo.name),
      toolNames: () => [...this.#registry.tools.keys()],
      attach: (host, mount) => {
        this.#host = host;
        this.#mount = mount;
        fakes.setCap(host.limits.max.testIds);
      },
      serveStdio: (given) => this.serveStdio(given),
      closeSessions: () => this.#server.close(STOPPED),
      passOn: (...said) => this.#server.passOn(...said),
    };
    this.#server = createMcpServer({
      profile: withFileServer(toProfile(this.#options), {
        isNamed: options.serverInfo !== undefined,
        told: () => fakes.server,
      }),
      registry: this.#registry,
      fakes,
      logger: () => this.#logger ?? this.#host.logger(),
      limits: () => this.#host.limits,
      hasEnded: (testId) => this.#host.tests.hasEnded(testId),
      opened: (call) => this.#host.tests.opened(call),
      mount: () => this.#mount,
      backend,
    });
    this.notify = createNotify(this.#server.notices);
  }

  /**
   * Registers a tool, or replaces the one of its name. Without a handler it answers with empty content.
   * Throws a `TypeError` for a definition without a name, or one that JSON cannot carry, and a `FixtureLoadError` when a
   * loaded fake could not be served by such a tool.
   */
  addTool(definition: McpToolDefinition): this {
    this.#registry.addTool(definition, (name, listed) => {
      const [first, ...others] = this[MCP_MOCK].fakes.breachesOf(name, listed);
      if (first !== undefined) throw loadErrorOf([first, ...others]);
    });
    return this;
  }

  /**
   * Answers the calls of a tool in code, wherever no fake does. The handler gets the call's arguments and its context
   * (progress, log lines, questions to the client); what it returns takes the forms of a fake's `result`, what it
   * throws becomes a tool error (`isError: true`).
   *
   * @example mcp.onToolCall("search", (args: { query: string }) => `Results for ${args.query}`)
   */
  onToolCall<Args = JsonObject>(name: string, handler: McpToolHandler<Args>): this;
  onToolCall(name: string, handler: McpToolHandler<Json>): this {
    this.#registry.onToolCall(name, handler);
    return this;
  }

  /**
   * Registers a resource: its content, or a handler that answers each read.
   *
   * @example mcp.addResource({ uri: "file:///a.md", name: "A", mimeType: "text/markdown" }, { text: "# A" })
   */
  addResource(definition: McpResourceDefinition, content: McpResourceContent | McpResourceHandler): this {
    this.#registry.addResource(definition, content);
    return this;
  }

  /**
   * Registers a family of resources. The handler gets the variables of the template.
   *
   * @example mcp.addResourceTemplate({ uriTemplate: "ticket://{id}", name: "Ticket" }, ({ id }) => ({ text: `Ticket ${id}` }))
   */
  addResourceTemplate(definition: McpResourceTemplateDefinition, handler: McpResourceTemplateHandler): this {
    this.#registry.addResourceTemplate(definition, handler);
    return this;
  }

  /**
   * Completes the arguments of a prompt, or the variables of a resource template.
   *
   * @example mcp.onComplete({ prompt: "review" }, ({ value }) => ["python", "pytorch"].filter((each) => each.startsWith(value)))
   */
  onComplete(ref: McpCompletionRef, handler: McpCompletionHandler): this {
    this.#registry.onComplete(ref, handler);
    return this;
  }

  /** Registers a prompt. Its handler gets the arguments as strings; without one, the prompt has no messages. */
  addPrompt(definition: McpPromptDefinition, handler?: McpPromptHandler): this {
    this.#registry.addPrompt(definition, handler);
    return this;
  }

  /**
   * Adds blocks of fakes, all or none. Throws a `McpFakesAddError` with every problem of the input.
   *
   * @example mcp.loadFakes({ scope: "shared", tools: [{ name: "ping", calls: [{ anyArgs: true, result: "pong" }] }] })
   */
  loadFakes(blocks: McpFakeBlock | readonly McpFakeBlock[]): { warnings: readonly McpFakeWarning[] } {
    const { warnings } = this.addMcpFakes(blockSources(blocks, null), { kind: "code" });
    return { warnings };
  }

  /** Adds blocks as the loaders return them. Throws as `loadFakes` does. */
  addMcpFakes(
    sources: readonly BlockSource[],
    origin: { kind: Origin },
  ): { blocks: number; warnings: readonly McpFakeWarning[] } {
    return this[MCP_MOCK].fakes.add(sources, origin.kind);
  }

  /** The blocks that apply to a test id and context, and which of their entries are used. */
  fakesSnapshot(testId: string | null = null, context: string | null = null): readonly McpFakeBlockSnapshot[] {
    return this[MCP_MOCK].fakes.snapshot({ testId, context, undeclared: null });
  }

  /** What was served, what failed and what is left for a test id and context, on this mock alone. */
  fakesReport(testId: string | null = null, context: string | null = null): FakesReport {
    const mocks = [{ mount: this.#mount, fakes: this[MCP_MOCK].fakes }];
    return reportOn({ ...this.#host, mocks, turns: null }, { testId, context });
  }

  /** Marks the entries of one test id unused, or of all. */
  resetScenarioState(testId?: string): void {
    this[MCP_MOCK].fakes.reset(testId);
  }

  /** Unloads all fakes of this mock; what code registered stays. */
  clearMcpFakes(): void {
    this[MCP_MOCK].fakes.clear();
  }

  /** Sends this mock's lines to another logger. */
  setLogger(logger: Logger): void {
    this.#logger = logger;
  }

  /** Starts a server of its own, which answers on any path. Resolves to its URL; rejects when the port is taken. */
  async start(): Promise<string> {
    const { host, port } = this.#options;
    this.#listener ??= createListener({
      host,
      port,
      limits: this.#host.limits,
      answer: (exchange) => this.#answer(exchange, exchange.path) ?? this.#server.http(exchange, "/"),
      record: (exchange, facts, sent) => this.#host.journal.record(exchange, facts, sent),
      crashed: (exchange, error) => this.#host.logger().error(`${exchange.method} ${exchange.path} crashed: ${error}`),
    });
    return urlOf(host, await this.#listener.start());
  }

  /**
   * Serves one client over two streams, one message a line, until the input ends. Resolves when what was asked before is
   * answered; what has no answer ten seconds later is given up, and the log names it.
   *
   * @example await mcp.serveStdio() // the whole program of a stdio server: process.stdin and process.stdout
   */
  serveStdio({ input = process.stdin, output = process.stdout, testId, context }: StdioOptions = {}): Promise<void> {
    const identity = { testId: testId ?? null, context: context ?? null, undeclared: null };
    let lines = 0;
    return serveLines({
      input,
      output,
      open: (ends) => this.#server.pipe({ ...ends, transport: "stdio", mount: this.#mount, identity, headers: {} }),
      record: (line, facts) => {
        const seen = { id: `stdio-${++lines}`, method: "STDIO", target: this.#mount, headers: {}, body: line };
        this.#host.journal.record({ ...seen, startedAt: Date.now() }, [facts], { status: 200, chars: 0 });
      },
      warn: (text) => this.#host.logger().error(text),
    });
  }

  /** Stops the server that `start()` started, with every stream and connection. */
  async stop(): Promise<void> {
    this.#server.close(STOPPED);
    await this.#listener?.stop();
    this.#listener = null;
  }

  /** How many tools, resources, prompts and sessions there are. */
  health(): { status: "ok"; tools: number; resources: number; prompts: number; sessions: number } {
    const { tools, resources, prompts } = this.#registry;
    const { sessions } = this.#server;
    return {
      status: "ok",
      tools: tools.size,
      resources: resources.size,
      prompts: prompts.size,
      sessions: sessions.size,
    };
  }

  /** The open sessions by id. */
  getSessions(): ReadonlyMap<string, Pick<Session, "id" | "version" | "client" | "initialized">> {
    return this.#server.sessions;
  }

  /** This mock's exchanges, oldest first, as the journal shows them. */
  getRequests(): readonly JournalEntry[] {
    const mine = this.#host.journal.query({ service: "mcp" });
    return mine.filter((record) => record.mcp === null || record.mcp.mount === this.#mount).map(toJournalEntry);
  }

  /** Clears tools, resources, prompts, sessions and fakes. */
  reset(): void {
    this.#registry.clear();
    this.#server.close("the server was reset");
    this[MCP_MOCK].fakes.clear();
  }

  /** Answers a request at this mock's own path, or at one of its old transport's; other paths belong to other mounts. */
  handle(exchange: Exchange, rest: string): Reply | undefined | Promise<Reply | undefined> {
    return rest === "" || rest === "/" ? this.#server.http(exchange, this.#mount) : this.#answer(exchange, rest);
  }

  /** The endpoints below a mock's own path. */
  #answer(exchange: Exchange, rest: string): Reply | undefined | Promise<Reply> {
    const { method } = exchange;
    const pipe = rest === "/stdio" ? this.#server.bridge : this.#server.sse;
    const isServed = rest === "/stdio" || this.#options.sse;
    if (isServed && method === "GET" && (rest === "/stdio" || rest === "/sse")) return pipe.get(exchange);
    if (isServed && method === "POST" && (rest === "/stdio" || rest === "/message")) return pipe.post(exchange);
    if (method === "DELETE" && rest === "/stdio") return pipe.end(exchange);
    return undefined;
  }
}

const STOPPED = "the server stopped";
