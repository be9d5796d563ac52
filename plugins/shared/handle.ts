import process from "node:process";
import { fileURLToPath } from "node:url";
import { ask, control, type JournalQuery, refusedFor } from "../../src/control/client.ts";
import type { McpFakeWarning } from "../../src/errors.ts";
import type { FakesReport } from "../../src/fakes/report.ts";
import type { McpFakeBlockSnapshot } from "../../src/fakes/views.ts";
import type {
  McpFakeBlock,
  McpFakeCall,
  McpFakePromptCall,
  McpFakeRead,
  McpFakeScope,
} from "../../src/fixtures/types.ts";
import type { JournalEntry } from "../../src/journal/entry.ts";
import type { PromptUse, ResourceRead, ToolCall } from "../../src/journal/report.ts";
import type { ModelTurn } from "../../src/journal/turns.ts";
import { taggedBase } from "../../src/tagged-base.ts";
import { changedByJson } from "./as-given.ts";
import { type RunningTest, requireRunningTest, requireTest } from "./current-test.ts";
import { firstPlaceIn } from "./fake-places.ts";
import { messagesOf, toCalls, toPrompts, toReads } from "./messages.ts";
import { isVerify, type Verify } from "./options.ts";
import { reworded, usageError } from "./own-errors.ts";
import { askNow } from "./sync-client.ts";
import { runFacts } from "./worker-state.ts";

/** The command line, once built. */
const CLI = fileURLToPath(new URL("./cli.mjs", import.meta.url));

/** How the handle is known, in whichever copy of this module it was made. */
export const HANDLE: unique symbol = Symbol.for("mcp-fakes/handle");

/** Base URLs for clients of language models. */
export interface LlmUrls {
  readonly url: string;
  readonly openai: string;
  readonly anthropic: string;
  readonly gemini: string;
}

/** A block that may leave out its scope: then it is for the running test alone. Without a mount it is for the first. */
export type TestFakeBlock = Omit<McpFakeBlock, "scope"> & { scope?: McpFakeScope };

/** What `mcp.fake` answers for: a tool by its name, a resource, a prompt. */
type FakeTarget = string | { readonly resource: string } | { readonly prompt: string };

/** What a target is answered with. One signature, not three: the compiler then words a mistake by the one that was meant. */
type FakeEntry<Target extends FakeTarget> = Target extends string
  ? McpFakeCall
  : Target extends { readonly resource: string }
    ? McpFakeRead
    : McpFakePromptCall;

/**
 * The running test's view of the run's server. `url`, `urlOf` and `llm` belong to the run and work everywhere in a
 * worker; every other member belongs to the running test and throws outside of one. What reads is synchronous, what
 * changes the server returns a promise.
 *
 * @example
 * ```ts
 * test("retry on timeout", async () => {
 *   await runAgent({ mcpUrl: mcp.url, task: "open a refund ticket" });
 *   expect(mcp).toHaveConsumedAllFakes();
 * });
 * ```
 */
export interface McpHandle {
  readonly [HANDLE]: true;
  /** URL of the (first) MCP mount, `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  /** URL of another mount. */
  urlOf(mount: string): string;
  /** `url` with `?testId=…`, for a client in another process. */
  readonly taggedUrl: string;
  /** URL of another mount with `?testId=…`. */
  taggedUrlOf(mount: string): string;
  /** `X-Test-Id`, for a client that the plugin cannot reach. */
  readonly headers: { readonly "X-Test-Id": string };
  /**
   * Variables for a process that the test starts: `MCP_FAKES_URL` is `taggedUrl`, and the base URLs of models carry the
   * test id in their path, so that the process need not send it. `MCP_FAKES_TEST_ID` is the value of `X-Test-Id`.
   */
  readonly env: Readonly<
    Record<"MCP_FAKES_URL" | "MCP_FAKES_TEST_ID" | "OPENAI_BASE_URL" | "ANTHROPIC_BASE_URL", string>
  >;
  /**
   * A stdio MCP server that is this test's view of the (first or given) mount: start it with `command`, `args` and `env`,
   * as an agent's configuration would. The test id is in `args`, since stdio clients pass on little of their environment.
   */
  stdio(mount?: string): { readonly command: string; readonly args: string[]; readonly env: McpHandle["env"] };
  /** `<file> › <describe> › … › <test>`. */
  readonly testId: string;
  /**
   * Adds calls for one tool, reads of one resource or uses of one prompt of the (first) mount, at least one, scoped to
   * this test, until its attempt ends.
   *
   * @throws {Error} with every problem of them; then nothing was added.
   *
   * @example
   * await mcp.fake("get_weather", { args: { city: "Seattle" }, result: { tempF: 60 } });
   * await mcp.fake({ resource: "file:///readme.md" }, { result: "# Readme" });
   * await mcp.fake({ prompt: "summarize" }, { args: { text: "it" }, result: "Summarize: it" });
   */
  fake<Target extends FakeTarget>(
    target: Target,
    ...entries: readonly FakeEntry<Target>[]
  ): Promise<{ warnings: readonly McpFakeWarning[] }>;
  /** Adds blocks until this test's attempt ends, all or none; one without `scope` is for this test, one without `mount` for the first. One whose scope names another test is refused. Throws as `fake` does. */
  loadFakes(blocks: TestFakeBlock | readonly TestFakeBlock[]): Promise<{ warnings: readonly McpFakeWarning[] }>;
  /** This test's tool calls so far, oldest first. */
  readonly calls: readonly ToolCall[];
  /** This test's reads of resources so far, oldest first. */
  readonly reads: readonly ResourceRead[];
  /** This test's uses of prompts so far, oldest first. */
  readonly prompts: readonly PromptUse[];
  /** This test's requests to models so far, oldest first: what was asked, what the model said, which turn of the script. */
  readonly turns: readonly ModelTurn[];
  /** This test's exchanges with the server, those of its earlier attempts too. */
  journal(filter?: Omit<JournalQuery, "testId">): readonly JournalEntry[];
  /** The blocks that apply to this test, by mount, and which of their entries are used. */
  fakes(): readonly { mount: string; blocks: readonly McpFakeBlockSnapshot[] }[];
  /** What was served, what failed and what is left of this test's fakes. */
  report(): FakesReport;
  /** Marks this test's entries unused and forgets its calls. */
  reset(): Promise<void>;
  /** Says what turns this test red at its end. */
  verify(mode: Verify): void;
  readonly llm: LlmUrls;
}

/** The handle that tests import. */
export const mcp: McpHandle = {
  [HANDLE]: true,
  get url() {
    return urlOf(runFacts().mount);
  },
  urlOf,
  get taggedUrl() {
    return tagged(runFacts().mount, requireTest("mcp.taggedUrl"));
  },
  taggedUrlOf: (mount) => tagged(mount, requireTest("mcp.taggedUrlOf()")),
  get headers() {
    return { "X-Test-Id": encodeURIComponent(requireTest("mcp.headers").id) };
  },
  get env() {
    const { id } = requireTest("mcp.env");
    const base = taggedBase(runFacts().url, id);
    return {
      MCP_FAKES_URL: mcp.taggedUrl,
      MCP_FAKES_TEST_ID: mcp.headers["X-Test-Id"],
      OPENAI_BASE_URL: `${base}/v1`,
      ANTHROPIC_BASE_URL: base,
    };
  },
  stdio(mount = runFacts().mount) {
    const { id } = requireTest("mcp.stdio()");
    const served = ["--url", runFacts().url, "--mount", mount, "--test-id", id];
    return { command: process.execPath, args: [CLI, "serve", "--stdio", ...served], env: mcp.env };
  },
  get testId() {
    return requireTest("mcp.testId").id;
  },
  fake(target: FakeTarget, ...entries: readonly unknown[]) {
    const test = requireRunningTest("mcp.fake()");
    return awaited(add(blockOf(target, entries), { test, what: "mcp.fake()" }), test);
  },
  loadFakes(blocks) {
    const test = requireRunningTest("mcp.loadFakes()");
    return awaited(add(blocks, { test, what: "mcp.loadFakes()" }), test);
  },
  get calls() {
    return messagesOf(requireTest("mcp.calls")).flatMap(toCalls);
  },
  get reads() {
    return messagesOf(requireTest("mcp.reads")).flatMap(toReads);
  },
  get prompts() {
    return messagesOf(requireTest("mcp.prompts")).flatMap(toPrompts);
  },
  get turns() {
    return askNow(control.turns(requireTest("mcp.turns").id));
  },
  journal: (filter = {}) => askNow(control.journal({ ...filter, testId: requireTest("mcp.journal()").id })),
  fakes: () => askNow(control.fakes(requireTest("mcp.fakes()").id)).mounts,
  report: () => askNow(control.report(requireTest("mcp.report()").id)),
  async reset() {
    const { id } = requireRunningTest("mcp.reset()");
    await ask(runFacts(), control.resetTest(id));
  },
  verify(mode) {
    if (!isVerify(mode))
      throw usageError(`mcp.verify() takes "all", "failures" or "off", got ${JSON.stringify(mode)}.`);
    requireRunningTest("mcp.verify()").verify = mode;
  },
  get llm() {
    return llmUrls();
  },
};

/** Lets the test's end wait too, whether the test does or not. */
function awaited<T>(added: Promise<T>, { adding }: RunningTest): Promise<T> {
  adding.add(added.catch(() => {}));
  return added.then((value) => value); // a promise of its own: a refusal that nobody looks at is still told
}

/** The entries' types are those of the overloads; whatever came instead, the server says what is wrong with it. */
function blockOf(target: FakeTarget, entries: readonly unknown[]): TestFakeBlock {
  if (!isTarget(target)) {
    const allowed = 'the name of a tool, { resource: "<uri>" } or { prompt: "<name>" }';
    throw usageError(`mcp.fake() takes ${allowed} first, got ${JSON.stringify(target)}.`);
  }
  if (typeof target === "string") return { tools: [{ name: target, calls: entries as McpFakeCall[] }] };
  if ("resource" in target) return { resources: [{ uri: target.resource, reads: entries as McpFakeRead[] }] };
  return { prompts: [{ name: target.prompt, calls: entries as McpFakePromptCall[] }] };
}

function isTarget(target: unknown): boolean {
  if (typeof target === "string") return true;
  const [key, ...others] = typeof target === "object" && target !== null ? Object.keys(target) : [];
  return (key === "resource" || key === "prompt") && others.length === 0;
}

function urlOf(mount: string): string {
  if (!mount.startsWith("/")) throw usageError(`A mount is a path that starts with "/", got ${JSON.stringify(mount)}.`);
  return `${runFacts().url}${mount}`;
}

function tagged(mount: string, { id }: RunningTest): string {
  return `${urlOf(mount)}?testId=${encodeURIComponent(id)}`;
}

function llmUrls(): LlmUrls {
  const { url } = runFacts();
  return { url, openai: `${url}/v1`, anthropic: url, gemini: url };
}

async function add(
  given: TestFakeBlock | readonly TestFakeBlock[],
  { test, what }: { test: RunningTest; what: string },
): Promise<{ warnings: readonly McpFakeWarning[] }> {
  const refusal = usageError(""); // made here, where the stack still leads to the test
  const place = firstPlaceIn(refusal);
  const { mount } = runFacts();
  const scoped = (block: TestFakeBlock): McpFakeBlock => ({ scope: { testId: test.id }, mount, ...block });
  const changed = changedByJson(given);
  if (changed.length > 0)
    throw reworded(refusal, `${what} added nothing, since JSON cannot carry all of it:\n${bullets(changed)}`);
  const added = isList(given) ? given.map(scoped) : scoped(given);
  try {
    const { blocks, warnings } = await ask(runFacts(), control.addFakes(added, test.id));
    if (place !== null) test.added.push(...blocks.map((block) => ({ ...block, place })));
    return { warnings };
  } catch (error) {
    const problems = refusedFor(error).map(inOwnWords);
    if (problems.length === 0) throw error;
    throw reworded(refusal, `${what} added nothing, since not all of it can be honoured:\n${bullets(problems)}`);
  }
}

/** A problem without the names that the server gave to what the test wrote: the place in its own words is enough. */
function inOwnWords(problem: string): string {
  const place = /^(?:<no file>|"[^"]*")(?:, block "[^"]*?(?:\[(\d+)\])?")?(?:, entry "(?:[^"\\]|\\.)*")?: \[[^\]]+\] /;
  const text = problem.replace(place, (_, index) => (index ? `block ${Number(index) + 1} of its mount: ` : ""));
  const hint = HINTS.find(({ about }) => about.test(text));
  return hint === undefined ? text : text + hint.add;
}

/** What helps beyond the server's texts, which the wire has fixed. */
const HINTS: readonly { readonly about: RegExp; readonly add: string }[] = [
  {
    about: /^(block \d+ of its mount: )?scope\.testId .* names another test than /,
    add: ". Leave scope out to mean this test",
  },
  {
    about: /^(block \d+ of its mount: )?block has unknown key "fixtures(Scope)?"$/,
    add: ". Scripted turns of models are no fakes: they come from fixture files (option fixtures) and the set-up module (option setup)",
  },
  { about: / args \/ anyArgs$/, add: ", or conditions: partialArgs, argsMatch, argsSchema" },
  { about: / needs exactly one of result \/ error$/, add: ", or protocolError, timeout; fault alone or beside one" },
  {
    about: / result(\.content must be an array| has unknown key)/,
    add:
      ". An object with one of the keys content, isError, structuredContent, _meta is a whole tool result; " +
      "data that has such a key goes into structuredContent, beside a content of its own",
  },
];

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}`).join("\n");
}

/** Tells read-only arrays too, which `Array.isArray` does not. */
function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
