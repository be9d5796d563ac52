import { connect, type Socket } from "node:net";

/** One request to send: the bytes are made before the clock starts. */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  /** The next request's bytes, or `undefined` when there is no more to send. */
  next(): Buffer | undefined;
}

export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** Answers whose body did not hold what it should. */
  readonly wrong: number;
}

/** Sends requests over keep-alive connections, one in flight on each, and checks every answer. */
export async function load(plan: LoadPlan, isRight: (answer: string) => boolean): Promise<LoadResult> {
  const totals = { calls: 0, wrong: 0 };
  const started = performance.now();
  let isOver = false;
  // A load that sleeps has to be woken, and the server's system calls would pay for that: the more often, the slower it is.
  const stayAwake = () => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  const workers = Array.from({ length: plan.connections }, () => drive(plan, isRight, totals));
  await Promise.all(workers);
  isOver = true;
  return { ...totals, seconds: (performance.now() - started) / 1000 };
}

function drive(
  plan: LoadPlan,
  isRight: (answer: string) => boolean,
  totals: { calls: number; wrong: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(plan.port, "127.0.0.1");
    let received = "";
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("connect", () => send(socket, plan));
    socket.on("data", (chunk: string) => {
      received += chunk;
      const end = answerEnd(received);
      if (end === undefined) return;
      totals.calls++;
      if (!isRight(received.slice(0, end))) totals.wrong++;
      received = received.slice(end);
      if (!send(socket, plan)) socket.end(resolve);
    });
  });
}

function send(socket: Socket, plan: LoadPlan): boolean {
  const bytes = plan.next();
  if (bytes !== undefined) socket.write(bytes);
  return bytes !== undefined;
}

/** Where the first whole answer ends: by its content length, or by the last chunk of a chunked one. */
function answerEnd(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (length !== undefined) {
    const end = head + 4 + Number(length);
    return text.length >= end ? end : undefined;
  }
  const last = text.indexOf("\r\n0\r\n\r\n", head);
  return last === -1 ? undefined : last + 7;
}
