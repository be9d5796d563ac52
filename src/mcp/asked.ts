import type { CallOutcome, Fact } from "../fakes/fact.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { Target } from "../fakes/target.ts";
import type { Json } from "../json.ts";
import { askBackend, type Backend } from "./backend.ts";
import type { Caller } from "./call/caller.ts";
import type { Answer, RpcRequest } from "./json-rpc.ts";

/** One request for a target on its way: which, with what, from whom. */
export interface Asked {
  readonly request: RpcRequest;
  readonly target: Target;
  /** Its arguments as they came; `undefined` when there were none. */
  readonly given: Json | undefined;
  readonly caller: Caller;
}

/** The arguments, when none came too. */
export function argsOf({ given }: Pick<Asked, "given">): Json {
  return given === undefined ? {} : given;
}

type Ended = Pick<Fact, "outcome"> & Partial<Omit<Fact, "tool" | "resource" | "prompt" | "args">>;

/** The fact of a request that has ended so. */
export function factOf(asked: Omit<Asked, "request">, ended: Ended): Fact {
  const { target, caller } = asked;
  const { name } = target;
  const end = { mount: caller.mount, entryId: null, result: null, error: null, ...ended };
  switch (target.kind) {
    case "tool":
      return { tool: name, args: argsOf(asked), ...end };
    case "resource":
      return { resource: name, ...end };
    case "prompt":
      return { prompt: name, args: argsOf(asked), ...end };
  }
}

/** An answer with the fact of who gave it. */
export function answeredBy(outcome: CallOutcome, answer: Answer, asked: Asked): Answer {
  if ("cancelled" in answer) return { ...answer, fact: factOf(asked, { outcome }) };
  const sent = "error" in answer ? { error: answer.error } : { result: answer.result };
  return { ...answer, fact: factOf(asked, { outcome, ...sent }) };
}

/** As {@link answeredBy}, for what nobody knows here: the client is told what any server says, its test which fake came closest. */
export function unknown(
  outcome: "unknown_tool" | "unknown_resource" | "unknown_prompt",
  answer: Answer,
  { asked, fakes }: { asked: Asked; fakes: Pick<FakeStore, "nearest"> },
): Answer {
  const told = answeredBy(outcome, answer, asked);
  const nearest = fakes.nearest(asked.target, asked.given, asked.caller.identity);
  return nearest === null || told.fact === undefined
    ? told
    : { ...told, fact: { ...told.fact, nearMiss: nearest.miss } };
}

/** The scenario may want arguments that its tool or prompt does not take: they are only told of. */
export function warned(
  answer: Answer | Promise<Answer>,
  warnings: readonly string[],
  fakes: Pick<FakeStore, "isUnsafe">,
): Answer | Promise<Answer> {
  if (answer instanceof Promise) return answer.then((settled) => warned(settled, warnings, fakes));
  const { fact } = answer;
  if (fact === undefined || fact.resource !== undefined) return answer;
  if (fact.entryId !== null && fakes.isUnsafe(fact.entryId)) return answer;
  return { ...answer, fact: { ...fact, warnings } };
}

/** The request goes to what stands behind the mock. */
export async function passOn(backend: Backend, asked: Asked): Promise<Answer> {
  return answeredBy("upstream", await askBackend(backend, asked.request, asked.caller), asked);
}
