import type { Identity } from "../identity.ts";
import type { ModelFacts, ModelOutcome } from "../journal/facts.ts";
import type { Decoded } from "./codec.ts";
import type { TurnFixture } from "./fixture.ts";
import { type Refusal, refusalReply } from "./refusal.ts";
import type { ModelReply } from "./reply.ts";
import type { TurnStore } from "./store.ts";

/** What is to be said to a request, and why. */
export interface Decision {
  readonly outcome: ModelOutcome;
  readonly reply: ModelReply;
  readonly fixture: TurnFixture | null;
  readonly closest: ModelFacts["closest"];
  /** True when nobody scripted this: the script or the agent is wrong, and asking again cannot help. */
  readonly refused: boolean;
}

export interface DeciderOptions {
  readonly store: TurnStore;
  hasEnded(testId: string | null): boolean;
}

/** Who asks, and how a miss is to be taken. */
export interface Asker {
  readonly identity: Identity;
  /** Whether a request that no fixture takes is the run's fault (503), or a plain miss (404, made-up embeddings). */
  readonly strict: boolean;
}

/** Decides what a request is answered: a fixture's reply, a queued error, or a refusal that says what is wrong. */
export function decide({ store, hasEnded }: DeciderOptions, asked: Decoded, asker: Asker): Decision {
  const { identity, strict } = asker;
  if (hasEnded(identity.testId)) return refuse({ kind: "test_ended" }, asker);
  if (!asked.ok) return refuse({ kind: "invalid", reason: asked.reason }, asker);
  const { turn } = asked;
  const outcome = store.ask(turn, identity);
  switch (outcome.kind) {
    case "fixture": {
      const { fixture } = outcome;
      const how = fixture.reply.kind === "error" ? "scripted_error" : "answered";
      return { outcome: how, reply: fixture.reply, fixture, closest: null, refused: false };
    }
    case "queued":
      return unscripted("queued_error", outcome.reply);
    case "no_match":
      if (turn.endpoint === "chat" || strict) return refuse(outcome, asker);
      return unscripted("generated", { kind: "embedding", vector: null });
    case "evicted":
      return refuse(outcome, asker);
  }
}

/** Refuses a request in the words of its provider. */
function refuse(refusal: Refusal, asker: Asker): Decision {
  const closest = refusal.kind === "no_match" ? refusal.closest : null;
  return { ...unscripted(refusal.kind, refusalReply(refusal, asker)), closest, refused: true };
}

function unscripted(outcome: ModelOutcome, reply: ModelReply): Decision {
  return { outcome, reply, fixture: null, closest: null, refused: false };
}
