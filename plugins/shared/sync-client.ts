import type net from "node:net";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type ControlRequest, readAnswer } from "../../src/control/client.ts";
import { type ControlServer, createExchange, type WireAnswer, type WireRequest } from "../../src/control/wire.ts";
import { runFacts, workerState } from "./worker-state.ts";

/** Speaks to the server while the calling code waits: the members that read, and the matchers, need no `await`. */
export interface SyncChannel {
  send(server: ControlServer, request: WireRequest): WireAnswer;
}

/**
 * Sends a request to the run's server and returns its answer, synchronously.
 *
 * @throws {Error} as `ControlClient.ask` does.
 */
export function askNow<Answer>(request: ControlRequest<Answer>): Answer {
  const state = workerState();
  state.channel ??= createChannel();
  const run = runFacts();
  return readAnswer(run, request, state.channel.send(run, request));
}

/** A channel that starts its thread when it is first used: that costs some 30 ms. */
export function createChannel(): SyncChannel {
  let opened: SyncChannel | null = null;
  return {
    send(server, request) {
      opened ??= openChannel();
      return opened.send(server, request);
    },
  };
}

/** The server has nothing slow to do; when it is silent for so long, it is gone. */
const PATIENCE_MS = 10_000;

interface Question {
  readonly turn: number;
  readonly server: ControlServer;
  readonly request: WireRequest;
}

/** Starts the thread that does the waiting reader's HTTP. */
function openChannel(): SyncChannel {
  const { port1: port, port2: far } = new MessageChannel();
  /** Holds the turn that was answered last. */
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const program = `(${answerQuestions})(require("node:worker_threads").workerData, require("node:net"), ${createExchange})`;
  const thread = new Worker(program, {
    eval: true,
    workerData: { port: far, bell },
    transferList: [far],
    execArgv: [],
  });
  thread.unref();
  let turn = 0;
  return {
    send(server, request) {
      const question: Question = { turn: ++turn, server, request };
      port.postMessage(question);
      if (!isRung(bell, turn)) return { failure: `silent for ${PATIENCE_MS / 1000} s` };
      for (;;) {
        const answer = receiveMessageOnPort(port)?.message;
        if (answer.turn === turn) return answer;
      }
    },
  };
}

/** Waits until `turn` is answered; false when that takes too long. */
function isRung(bell: Int32Array, turn: number): boolean {
  for (let last = Atomics.load(bell, 0); last !== turn; last = Atomics.load(bell, 0)) {
    if (Atomics.wait(bell, 0, last, PATIENCE_MS) === "timed-out") return false;
  }
  return true;
}

/** The whole program of the thread, which gets it as text: it leans on nothing but its arguments. */
function answerQuestions(
  { port, bell }: { port: MessagePort; bell: Int32Array },
  { connect }: typeof net,
  create: typeof createExchange,
): void {
  const exchange = create(connect);
  port.on("message", ({ turn, server, request }: Question) => {
    exchange(server, request, (answer) => {
      port.postMessage({ ...answer, turn });
      Atomics.store(bell, 0, turn);
      Atomics.notify(bell, 0);
    });
  });
}
