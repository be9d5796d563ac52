import { createDeferred } from "../../deferred.ts";
import type { BodyReply, Reply } from "../../http/exchange.ts";
import type { Lane } from "./lane.ts";

/**
 * The reply to a POST that is still being answered: one body, unless a message has to go before the answers. Then it
 * becomes an event stream, in which each answer is an event.
 */
export interface Outlet {
  /** Settles when the reply's form is known. */
  readonly reply: Promise<Reply>;
  /** Sends a message before the answers: makes the reply a stream. */
  send(text: string): void;
  /** Takes an answer, which waits for the others unless the reply is a stream. */
  answer(text: string): void;
  /** All answers are in: `body` makes the one reply of them. Without any (a cancelled call) an empty stream ends. */
  finish(body: (answers: readonly string[]) => BodyReply): void;
  /** Something goes wrong with the answer, on purpose: `reply` goes out, or an open stream breaks off. */
  spoil(reply: () => Reply): void;
  /** True once the reply is a stream. */
  isStream(): boolean;
  /** Ends what cannot be answered. */
  fail(error: unknown): void;
  /** Closes the connection of the stream, which the client may resume. */
  detach(retryMs: number): void;
}

export function createOutlet(openLane: () => Lane): Outlet {
  const { promise, resolve, reject } = createDeferred<Reply>();
  const answers: string[] = [];
  let lane: Lane | null = null;
  let finished = false;

  function upgrade(): Lane {
    if (lane !== null) return lane;
    const opened = openLane();
    lane = opened;
    resolve({ status: 200, headers: {}, stream: (sink) => opened.attach(sink) });
    for (const text of answers) opened.send(text);
    return opened;
  }

  return {
    reply: promise,
    send(text) {
      if (!finished) upgrade().send(text);
    },
    answer(text) {
      if (lane === null) answers.push(text);
      else lane.send(text);
    },
    finish(body) {
      finished = true;
      if (lane === null && answers.length > 0) resolve(body(answers));
      else upgrade().end();
    },
    spoil(reply) {
      finished = true;
      const other = reply();
      if (lane === null) resolve(other);
      else if (!("none" in other && other.none === "hang")) lane.abort();
    },
    isStream: () => lane !== null,
    fail(error) {
      finished = true;
      if (lane === null) reject(error);
      else lane.end();
    },
    detach(retryMs) {
      if (!finished) upgrade().detach(retryMs);
    },
  };
}
