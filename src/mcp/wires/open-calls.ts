import { targetOf } from "../../fakes/target.ts";
import { showName } from "../../text.ts";
import type { RpcMessage } from "../json-rpc.ts";
import { targetAsked } from "./http-replies.ts";

/**
 * How long a client that has said all waits for its last answers. A pipe (`mcp-fakes serve --stdio < calls.txt`) ends
 * its input at once and is owed them; what never answers must not hold the program for ever.
 */
export const LAST_ANSWERS_MS = 10_000;

/** The calls of one connection that are being answered. */
export interface OpenCalls {
  /** Follows an answer that is still to come; `undefined` is said already. */
  follow(messages: readonly RpcMessage[], answer: Promise<void> | undefined): void;
  /** Waits for the last answers, or until `gone`. Resolves with the calls that are given up, as a person reads them. */
  lastAnswers(gone: AbortSignal): Promise<readonly string[]>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<Promise<void>, readonly RpcMessage[]>();
  return {
    follow(messages, answer) {
      if (answer === undefined) return;
      const ending = answer.finally(() => open.delete(ending));
      open.set(ending, messages);
    },
    async lastAnswers(gone) {
      if (gone.aborted) return [];
      let giveUp = () => {};
      const over = new Promise<void>((resolve) => {
        giveUp = resolve;
      });
      const late = setTimeout(giveUp, LAST_ANSWERS_MS);
      gone.addEventListener("abort", giveUp);
      await Promise.race([Promise.all(open.keys()), over]);
      clearTimeout(late);
      return gone.aborted ? [] : [...open.values()].flat().flatMap(nameOf);
    },
  };
}

/** What is said of calls that are given up. */
export function givenUpText(calls: readonly string[]): string {
  const seconds = LAST_ANSWERS_MS / 1000;
  return `the input has ended, and ${seconds} seconds later there is still no answer to ${calls.join(", ")}: keep the input open for longer to get it`;
}

// --- internal ---

function nameOf(message: RpcMessage): string[] {
  if (message.kind !== "request") return [];
  const [target] = targetAsked(message);
  const asked = target === undefined ? message.method : `${message.method} ${showName(targetOf(target).name)}`;
  return [`${asked} (id ${JSON.stringify(message.id)})`];
}
