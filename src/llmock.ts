import { createMetricsPage, type MetricsPage } from "./control/metrics.ts";
import { createControl } from "./control/routes.ts";
import { loadErrorOf } from "./errors.ts";
import type { FakesReport } from "./fakes/report.ts";
import type { PathKind } from "./fixtures/files.ts";
import type { LlmFixture, LlmFixtureOptions, LlmResponse } from "./fixtures/llm-types.ts";
import { readFixtures } from "./fixtures/read.ts";
import type { McpFakeScope } from "./fixtures/types.ts";
import { type Exchange, jsonReply, type Mount, type Reply } from "./http/exchange.ts";
import { createListener, type Listener } from "./http/listener.ts";
import { createMounts } from "./http/mounts.ts";
import { urlOf } from "./http/origin.ts";
import { untagPath } from "./http/tagged-path.ts";
import { type CommandStates, createCommandStates } from "./journal/commands.ts";
import { type JournalEntry, toJournalEntry } from "./journal/entry.ts";
import { createJournal } from "./journal/journal.ts";
import { UNSERVED } from "./journal/refusals.ts";
import { reportOn } from "./journal/report.ts";
import { createTestRegistry } from "./journal/tests.ts";
import { type ModelTurn, toTurn, turnsOf } from "./journal/turns.ts";
import { createModelMount } from "./llm/mount.ts";
import { createTurnScripts, type TurnScripts, turnListOf } from "./llm/scripts.ts";
import { createTurnStore, type TurnStore } from "./llm/store.ts";
import { createToolCheck } from "./llm/tool-check.ts";
import { createLogger, type Logger } from "./logger.ts";
import { type CallLogFile, openCallLog } from "./mcp/call-log-file.ts";
import { CONTROL_PREFIX, createFakeMounts, type FakeMounts } from "./mcp/fake-mounts.ts";
import type { MCPMockHost, StdioOptions } from "./mcp/mock-host.ts";
import { identityOf, targetsIn } from "./mcp/wires/http-replies.ts";
import { type LLMockOptions, type NormalOptions, normalizeOptions } from "./options.ts";

/** How paths are read. */
export interface LoadOptions {
  /** What paths are relative to; the working directory without it. */
  cwd?: string;
  /** What a path must be; a file or a folder without it. */
  kind?: PathKind;
}

/**
 * The host of one port: mounts (MCP mocks and others), their journal, the fixtures that they answer from, and the
 * control API under `/__aimock`. Source: seed, Mounted Mode.
 *
 * @example
 * ```ts
 * const llm = new LLMock({ port: 0 });
 * llm.loadFixtureFile("weather/seattle.json");
 * const url = await llm.start(); // fakes are served at `${url}/mcp`
 * ```
 */
export class LLMock {
  readonly #options: NormalOptions;
  readonly #mounts = createMounts();
  readonly #host: MCPMockHost;
  readonly #fakes: FakeMounts;
  readonly #turns: TurnStore;
  readonly #scripts: TurnScripts;
  readonly #commands: CommandStates;
  readonly #models: Mount;
  readonly #checkTools = createToolCheck((scope) => this.#fakes.toolsOf(scope));
  readonly #listener: Listener;
  readonly #metrics: MetricsPage | null;
  #logger: Logger;
  #url: string | null = null;
  #log: CallLogFile | null = null;

  /** Throws a `TypeError` that names every unknown option and every bad value. */
  constructor(options: LLMockOptions = {}) {
    this.#options = normalizeOptions(options);
    this.#logger = createLogger(this.#options.logLevel);
    const { host, port, limits, token, metrics, latency, chunkSize, strict, script } = this.#options;
    const tests = createTestRegistry({ max: limits.max.announcedTests });
    const journal = createJournal({ limits, attemptOf: tests.attemptOf });
    journal.subscribe(tests.notice);
    this.#host = { journal, tests, limits, logger: () => this.#logger, script };
    this.#fakes = createFakeMounts(this.#mounts, this.#host);
    this.#turns = createTurnStore({
      cap: limits.max.testIds,
      aliases: tests.aliases,
      evicting: () => limits.hit("testIds"),
    });
    this.#scripts = createTurnScripts(this.#turns, () => this.#warnOfUnknownTools());
    this.#models = createModelMount({
      store: this.#turns,
      hasEnded: tests.hasEnded,
      pace: { latency, chunkSize },
      strict,
      limits,
      logger: () => this.#logger,
    });
    this.#commands = createCommandStates({ max: limits.max.commandTests });
    const mounts = () => this.#mounts.entries().map(({ path }) => path);
    const steered = {
      ...this.#host,
      fakes: this.#fakes,
      turns: this.#turns,
      scripts: this.#scripts,
      commands: this.#commands,
      token,
      mounts,
    };
    const control = createControl(steered);
    this.#metrics = metrics ? createMetricsPage(steered) : null;
    this.#listener = createListener({
      host,
      port,
      limits,
      answer: (exchange) =>
        exchange.path.startsWith(CONTROL_PREFIX) ? control(exchange) : this.#answer(untagPath(exchange)),
      record: journal.record,
      crashed: (exchange, error) => this.#crashed(exchange, error),
      ...(this.#metrics === null ? {} : { observe: this.#metrics.observe }),
    });
  }

  /** The server's URL without a trailing slash. Throws when it is not started. */
  get url(): string {
    if (this.#url === null) throw new Error("LLMock is not started: its url is known once start() has resolved");
    return this.#url;
  }

  /**
   * Serves `mount` at `path` and below. Throws a `FixtureLoadError` when fakes that were loaded for the path cannot be
   * served by it. After `start()`, a path that was mounted for fakes already stays as it is, with a warning.
   */
  mount(path: string, mount: Mount): this {
    if (!path.startsWith("/"))
      throw new TypeError(`LLMock.mount: the path must start with "/", got ${JSON.stringify(path)}`);
    this.#fakes.mount(path, mount, this.#url !== null);
    return this;
  }

  /** Makes sure that an MCP mock answers at `path`. */
  ensureMcpMount(path: string): this {
    this.#fakes.ensure(path);
    return this;
  }

  /**
   * Loads one fixture file, relative to the working directory. Throws a `FixtureLoadError` that holds every problem,
   * and then has loaded nothing.
   */
  loadFixtureFile(path: string): this {
    return this.loadFixtures(path, { kind: "file" });
  }

  /** Loads every `.json` file of a folder and its subfolders. Throws as `loadFixtureFile` does. */
  loadFixtureDir(path: string): this {
    return this.loadFixtures(path, { kind: "folder" });
  }

  /**
   * Loads files and folders, all or none, relative to `cwd`. Throws as `loadFixtureFile` does.
   *
   * @example llm.loadFixtures(["./fixtures", "./more/tickets.json"], { cwd: import.meta.dirname })
   */
  loadFixtures(paths: string | readonly string[], options: LoadOptions = {}): this {
    return this.#load(paths, { ...options, replacesFiles: false });
  }

  /**
   * Puts files and folders in the place of all that were loaded before, all or none. Entries of blocks that have not
   * changed stay used; fixtures from code and the control API stay. Throws as `loadFixtureFile` does, and then the
   * files from before are still served.
   *
   * @example llm.replaceFixtures("./fixtures") // after an edit
   */
  replaceFixtures(paths: string | readonly string[], options: LoadOptions = {}): this {
    return this.#load(paths, { ...options, replacesFiles: true });
  }

  #load(
    paths: string | readonly string[],
    { cwd = process.cwd(), kind = "either", replacesFiles }: LoadOptions & { replacesFiles: boolean },
  ): this {
    const { files, problems, empty } = readFixtures(paths, { cwd, kind });
    const sources = files.flatMap((file) => file.mcpFakes);
    const options = { origin: "file", replacesFiles } as const;
    const add = sources.length > 0 || replacesFiles ? this.#fakes.prepare(sources, options) : null;
    const turns = this.#scripts.prepare(files.map(turnListOf), options);
    const warnings = add?.warnings ?? [];
    const [first, ...more] = [...problems, ...turns.errors, ...(add?.errors ?? [])];
    if (first !== undefined) throw loadErrorOf([first, ...more], warnings);
    add?.commit();
    turns.commit();
    for (const path of empty) this.#logger.warn(`fixtures: ${path} holds no .json file, at any depth`);
    for (const { message } of warnings) this.#logger.warn(message);
    return this;
  }

  /**
   * Adds one scripted turn of a model. Throws a `FixtureLoadError` that holds every problem.
   *
   * @example llm.addFixture({ match: { userMessage: "hello" }, response: { content: "Hi!" } })
   */
  addFixture(fixture: LlmFixture): this {
    return this.addFixtures([fixture]);
  }

  /** Adds scripted turns, all or none. Throws as `addFixture` does. */
  addFixtures(fixtures: readonly LlmFixture[]): this {
    const turns = this.#scripts.prepare([{ source: null, fixtures }], { origin: "code" });
    const [first, ...more] = turns.errors;
    if (first !== undefined) throw loadErrorOf([first, ...more]);
    turns.commit();
    return this;
  }

  /**
   * Scripts the answer to a user message that holds `text`, or matches it.
   *
   * @example llm.onMessage(/weather in \w+/, { content: "It is raining." })
   */
  onMessage(text: string | RegExp, response: LlmResponse, options: LlmFixtureOptions = {}): this {
    return this.addFixture({ ...options, match: { userMessage: text }, response });
  }

  /** Scripts the answer to the result of a tool call. @example llm.onToolResult("call_1", { content: "Done." }) */
  onToolResult(toolCallId: string, response: LlmResponse, options: LlmFixtureOptions = {}): this {
    return this.addFixture({ ...options, match: { toolCallId }, response });
  }

  /** Marks the entries and counts of one test id unused, or of all, on every mount and for models. */
  resetMatchCounts(testId?: string): this {
    this.#turns.reset(testId);
    for (const { fakes } of this.#fakes.mocks()) fakes.reset(testId);
    return this;
  }

  /** Unloads all fixtures: fakes and scripted turns. */
  clearFixtures(): this {
    this.#fakes.clear();
    this.#turns.clear();
    return this;
  }

  /** Unloads all fixtures, and forgets the journal and how commands stand. */
  reset(): this {
    this.clearFixtures();
    this.#host.journal.clear();
    this.#commands.clear();
    return this;
  }

  /** Sends the server's lines to another logger. */
  setLogger(logger: Logger): this {
    this.#logger = logger;
    return this;
  }

  /** All exchanges, oldest first, as the journal shows them. */
  getRequests(): readonly JournalEntry[] {
    return this.#host.journal.query().map(toJournalEntry);
  }

  /** The requests to models, oldest first: all of them, or those of one test id or context. */
  getTurns({ testId, context }: { testId?: string; context?: string } = {}): readonly ModelTurn[] {
    const records = turnsOf(this.#host, testId);
    return records.filter((record) => context === undefined || record.context === context).map(toTurn);
  }

  /** What was served, what failed and what is left for a test id and context, over all mounts. */
  fakesReport(testId: string | null = null, context: string | null = null): FakesReport {
    return reportOn({ ...this.#host, mocks: this.#fakes.mocks(), turns: this.#turns }, { testId, context });
  }

  /**
   * The MCP mocks of this port, and the scope of each block of fakes that is loaded for them.
   *
   * @example llm.loadedFakes() // [{ mount: "/mcp", scopes: [{ testId: "weather › seattle" }] }]
   */
  loadedFakes(): readonly { readonly mount: string; readonly scopes: readonly McpFakeScope[] }[] {
    return this.#fakes.mocks().map(({ mount, fakes }) => ({ mount, scopes: fakes.scopes() }));
  }

  /** Opens the port. Resolves to the URL; rejects when the port cannot be had. A second call answers the same URL. */
  async start(): Promise<string> {
    await this.#metrics?.load();
    this.#log ??= this.#openLog();
    this.#url ??= urlOf(this.#options.host, await this.#listener.start());
    this.#warnOfUnknownTools();
    return this.#url;
  }

  /**
   * Serves the mock at `mount` to one client over two streams, until the input ends; the port need not be open. Rejects
   * when no mock is mounted there.
   *
   * @example await llm.serveStdio({ mount: "/mcp", testId: "tickets › retry" })
   */
  async serveStdio({ mount = "/mcp", ...options }: StdioOptions & { mount?: string } = {}): Promise<void> {
    const mocks = this.#fakes.mocks();
    const mock = mocks.find((each) => each.mount === mount);
    if (mock === undefined) {
      const mounted = mocks.map((each) => each.mount).join(", ");
      throw new Error(`LLMock.serveStdio: no MCP mock is mounted at "${mount}"; mounted: ${mounted || "none"}`);
    }
    this.#log ??= this.#openLog();
    await mock.parts.serveStdio(options);
  }

  /** Closes every stream, session and connection, within a second. */
  async stop(): Promise<void> {
    for (const { parts } of this.#fakes.mocks()) parts.closeSessions();
    await this.#listener.stop();
    this.#log?.close();
    this.#log = null;
    this.#url = null;
  }

  #openLog(): CallLogFile | null {
    const { log } = this.#options;
    if (log === null) return null;
    return openCallLog(log, { journal: this.#host.journal, mocks: this.#fakes.mocks, logger: () => this.#logger });
  }

  /** Before the start, code may still register what a scripted turn calls. */
  #warnOfUnknownTools(): void {
    if (this.#url === null) return;
    for (const warning of this.#checkTools(this.#turns.fixtures())) this.#logger.warn(warning);
  }

  #answer(exchange: Exchange): Reply | Promise<Reply> {
    const reply = this.#metrics?.answer(exchange) ?? this.#mounts.handle(exchange);
    if (reply instanceof Promise) return reply.then((settled) => settled ?? this.#askModel(exchange));
    return reply ?? this.#askModel(exchange);
  }

  /** The paths of models come last, so that a mount may take any of them over. */
  #askModel(exchange: Exchange): Reply | Promise<Reply> {
    const reply = this.#models.handle(exchange, exchange.path);
    if (reply instanceof Promise) return reply.then((settled) => settled ?? this.#notFound(exchange));
    return reply ?? this.#notFound(exchange);
  }

  #notFound(exchange: Exchange): Reply {
    const { method, path, body } = exchange;
    const mounts = this.#mounts.entries().map((entry) => entry.path);
    const served = mounts.length === 0 ? "nothing is mounted" : `mounted: ${mounts.join(", ")}`;
    const reason = `Not found: ${method} ${path} (${served})`;
    const identity = identityOf(exchange);
    // What no test asked, a browser's favicon above all, is not worth a record.
    if (identity?.testId !== null) {
      exchange.note({ service: UNSERVED, identity, body: null, refused: { reason, asked: targetsIn(body) } });
    }
    return jsonReply(404, { error: { message: reason, type: "not_found" } });
  }

  #crashed(exchange: Exchange, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#logger.error(`${exchange.method} ${exchange.path} crashed: ${text}`);
    exchange.note({ service: "mount", identity: null, body: null, error: text });
  }
}
