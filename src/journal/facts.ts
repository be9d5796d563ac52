import type { CallFact, PromptFact, ReadFact } from "../fakes/fact.ts";
import type { FaultKind } from "../fakes/fault.ts";
import type { TargetKey } from "../fakes/target.ts";
import type { Json } from "../json.ts";
import type { TurnFixture } from "../llm/fixture.ts";
import type { Turn } from "../llm/turn.ts";

/** Who made a message, as far as the journal is concerned. */
export interface FactIdentity {
  readonly testId: string | null;
  readonly context: string | null;
}

/** What a handler learnt of one message of an exchange: all that a journal record holds beyond the HTTP values. */
export interface ExchangeFacts {
  readonly service: string;
  /** `null` when the identity itself was refused. */
  readonly identity: FactIdentity | null;
  /** The request as parsed, for the journal's `body`; `null` when it is not kept. */
  readonly body: Json;
  /** What was answered to this message; absent when nothing was. */
  readonly answer?: Json | undefined;
  readonly mcp?: McpFacts;
  readonly model?: ModelFacts;
  readonly command?: CommandFacts;
  /** Text of what crashed. */
  readonly error?: string | undefined;
  /** Only on a request that the wire refused before any method or fake saw it, or that came to a path which nothing serves. */
  readonly refused?: RefusedFacts;
}

/** What a wire refused, or nothing serves. */
export interface RefusedFacts {
  /** What was said to the client, which tells what to do instead. */
  readonly reason: string;
  /** The tools, resources and prompts that it asked for, in order. */
  readonly asked: readonly TargetKey[];
}

/** What an MCP message was: the method, its params and, for a tool, resource or prompt, how it ended. */
export interface McpFacts {
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  readonly params: Json;
  /** The path that the mock is served at. */
  readonly mount: string;
  /** `serverInfo`-like name of the client, when it told one at `initialize`. */
  readonly client: string | null;
  /** Only on `tools/call`. */
  readonly call?: CallFact | undefined;
  /** Only on `resources/read`. */
  readonly read?: ReadFact | undefined;
  /** Only on `prompts/get`. */
  readonly prompt?: PromptFact | undefined;
  /** Only when a fault of the server befell the request: which. */
  readonly fault?: FaultKind | undefined;
}

/** What a command printed: as text, and as its bytes where they are no UTF-8. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBase64?: string | undefined;
  readonly stderrBase64?: string | undefined;
}

/** One run of a command, as its shim told it. */
export interface CommandFacts extends CommandOutput {
  readonly command: string;
  readonly argv: readonly string[];
  readonly stdin: string;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** `answered`, `unavailable`, `passthrough` or `unexpected`. */
  readonly outcome: string;
  /** The scripted answer, e.g. `git.responses[0]`. */
  readonly entryId: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** What a request to a model was, and how it ended. Reports, matchers and the list of turns read these. */
export interface ModelFacts {
  /** The API that was spoken: `openai-chat`, `anthropic`, … */
  readonly provider: string;
  /** `null` when the request could not be read, or is too large to keep. */
  readonly turn: Turn | null;
  readonly outcome: ModelOutcome;
  /** The fixture that answered. */
  readonly fixture: TurnFixture | null;
  readonly said: ModelSaid;
  /** On a miss: the fixture that came closest, and what kept it from answering. */
  readonly closest: { readonly fixtureId: string; readonly differences: readonly string[] } | null;
}

/** The outcomes that mean "the script is wrong, or the agent strayed from it". `invalid`: no request of its API. */
export type ModelFailure = "no_match" | "evicted" | "test_ended" | "invalid";

export function isModelFailure(outcome: ModelOutcome): outcome is ModelFailure {
  return MODEL_FAILURES.some((failure) => failure === outcome);
}

const MODEL_FAILURES: readonly ModelFailure[] = ["no_match", "evicted", "test_ended", "invalid"];

/** How one request ended, in one word. `generated`: an embedding that nobody scripted. */
export type ModelOutcome = "answered" | "scripted_error" | "queued_error" | "generated" | ModelFailure;

/** What the model said, the same for every provider. */
export type ModelSaid =
  | {
      readonly kind: "message";
      readonly text: string;
      readonly reasoning: string | null;
      readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: Json }[];
      readonly finishReason: string;
    }
  | { readonly kind: "error"; readonly status: number; readonly message: string; readonly code: string | null }
  | { readonly kind: "embedding"; readonly vectors: number };
