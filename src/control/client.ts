import net from "node:net";
import type { McpFakeWarning } from "../errors.ts";
import type { FakesReport } from "../fakes/report.ts";
import type { McpFakeBlockSnapshot } from "../fakes/views.ts";
import type { McpFakeBlock } from "../fixtures/types.ts";
import type { JournalEntry } from "../journal/entry.ts";
import type { PromptUse, ResourceRead, ToolCall } from "../journal/report.ts";
import type {
  AnnouncedTest,
  PendingCall,
  RefusedCall,
  SkippedTest,
  StrayCall,
  TestAnnouncement,
} from "../journal/tests.ts";
import type { ModelTurn } from "../journal/turns.ts";
import type { Usage } from "../journal/usage.ts";
import { LIMITS } from "../limits.ts";
import { type ControlServer, createExchange, type WireAnswer, type WireRequest } from "./wire.ts";

/** A request to the control API, and what its answer looks like. */
export interface ControlRequest<Answer> extends WireRequest {
  /** Never there; carries the type. */
  readonly answer?: Answer;
}

/** Which records `control.journal` asks for; all given fields must hold. */
export interface JournalQuery {
  path?: string;
  method?: string;
  status?: number;
  service?: string;
  testId?: string;
  requestId?: string;
  limit?: number;
  offset?: number;
}

/** The routes that the plugins use. Source: product page, "Control API"; sheet of the wire, 8. */
export const control = {
  startTest: (test: TestAnnouncement) => post<{ started: true; testId: string }>("/tests", test),
  endTest: (testId: string) =>
    post<{
      report: FakesReport;
      calls: ToolCall[];
      reads: ResourceRead[];
      prompts: PromptUse[];
      turns: ModelTurn[];
      pending: PendingCall[];
    }>("/tests/end", { testId }),
  tests: () =>
    get<{
      tests: (AnnouncedTest & { calls: number })[];
      untagged: StrayCall[];
      late: StrayCall[];
      unfinished: StrayCall[];
      refused: RefusedCall[];
    }>("/tests", {}),
  /** Names tests that the run passes over. */
  skipTests: (tests: readonly SkippedTest[] | null) => post<{ noted: true }>("/tests/skipped", { tests }),
  usage: () => get<Usage>("/usage", {}),
  resetTest: (testId: string) => post<{ reset: true }>(`/reset/test${query({ testId })}`, null),
  /** Adds blocks; with an owner they are removed when that test's attempt ends. */
  addFakes: (mcpFakes: McpFakeBlock | readonly McpFakeBlock[], owner: string) =>
    post<{
      added: number;
      mcpFakesAdded: number;
      blocks: { mount: string; blockId: string }[];
      warnings: McpFakeWarning[];
    }>(`/fixtures${query({ owner })}`, {
      mcpFakes,
    }),
  journal: (filter: JournalQuery) => get<JournalEntry[]>("/journal", { ...filter }),
  fakes: (testId: string) =>
    get<{ testId: string; context: null; mounts: { mount: string; blocks: McpFakeBlockSnapshot[] }[] }>("/mcp/fakes", {
      testId,
    }),
  /** The requests to models of a test's current attempt. */
  turns: (testId: string) => get<ModelTurn[]>("/turns", { testId }),
  report: (testId: string) => get<FakesReport>("/mcp/fakes/report", { testId }),
};

/** What the control API refused; its message lists every problem that the server named. */
class ControlRefusal extends Error {
  override name = "ControlRefusal";
  readonly status: number;
  /** One text for each thing that is wrong with what was sent; empty when the message says it all. */
  readonly problems: readonly string[];

  constructor(status: number, { message, problems }: { message: string; problems: readonly string[] }) {
    super(message + problems.map((problem) => `\n  - ${problem}`).join(""));
    this.status = status;
    this.problems = problems;
  }
}

/** What a server named as wrong when it refused a request; empty for an error of another kind. */
export function refusedFor(error: unknown): readonly string[] {
  return error instanceof ControlRefusal ? error.problems : [];
}

/** With what Node has before a test can put a mock of its own in its place. */
const exchange = createExchange(net.connect);

/**
 * Sends a request to a server's control API and waits for its answer.
 *
 * @throws {ControlRefusal} when the server refuses it; an `Error` when no server answers.
 *
 * @example await ask({ url: "http://127.0.0.1:4010", token: null }, control.report("a.test.ts › works"));
 */
export function ask<Answer>(server: ControlServer, request: ControlRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    exchange(server, request, (answer) => {
      try {
        resolve(readAnswer(server, request, answer));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** The answer's value. Throws as `ask` does. */
export function readAnswer<Answer>(server: ControlServer, request: ControlRequest<Answer>, answer: WireAnswer): Answer {
  const where = `the server at ${server.url}`;
  const what = `${request.method} ${request.path}`;
  const size = sizeNote(request.body);
  if (answer.failure !== undefined)
    throw new Error(`mcp-fakes: ${where} does not answer ${what}: ${answer.failure}${size}`);
  const body = parse(answer.body);
  if (body === undefined) {
    throw new Error(
      `mcp-fakes: ${where} is not one of mcp-fakes: it answers ${what} with ${answer.status} and no JSON.`,
    );
  }
  if (answer.status === 200) return body as Answer; // the server is this package's own
  if (answer.status === 401) {
    const why = server.token === null ? "MCP_FAKES_TOKEN is not set" : "MCP_FAKES_TOKEN holds another one";
    const message = `mcp-fakes: ${where} asks for its token, and ${why}: set it to the one that the server was started with.`;
    throw new ControlRefusal(401, { message, problems: [] });
  }
  const { error, details = [] } = body as Refusal;
  const problems = details.map(({ message }) => message);
  const message = typeof error === "string" ? error : error.message;
  throw new ControlRefusal(answer.status, { message: answer.status === 413 ? message + size : message, problems });
}

/** A server that is sent too much answers and closes; of its answer, nothing but the end may arrive. */
function sizeNote(body: string | null): string {
  const [size, max] = [Buffer.byteLength(body ?? ""), LIMITS.body.max];
  return size <= max
    ? ""
    : `. The request has ${size} bytes, and a server takes ${max} unless it was given another limit`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of every answer that is no success. */
interface Refusal {
  readonly error: string | { readonly message: string };
  readonly details?: readonly { readonly message: string }[];
}

type Params = Readonly<Record<string, string | number | undefined>>;

function get<Answer>(path: string, params: Params): ControlRequest<Answer> {
  return { method: "GET", path: `/__aimock${path}${query(params)}`, body: null };
}

function post<Answer>(path: string, body: unknown): ControlRequest<Answer> {
  return { method: "POST", path: `/__aimock${path}`, body: body === null ? null : JSON.stringify(body) };
}

function query(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}
