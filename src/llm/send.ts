import type { BodyReply, EventSink, Exchange, Reply, StreamReply } from "../http/exchange.ts";
import type { StreamEvent } from "./codec.ts";
import type { Pace } from "./fixture.ts";
import { delayBefore, type PaceDefaults } from "./pace.ts";

/** When an answer's parts are due. */
export interface Timing {
  readonly pace: Pace;
  readonly defaults: PaceDefaults;
}

/** Sends a whole answer when it is due, or tears the connection when the script says so before that. */
export function sendWhole(reply: BodyReply, { pace, defaults }: Timing, exchange: Exchange): Reply | Promise<Reply> {
  const due = delayBefore(0, pace, defaults);
  const torn = pace.disconnectAfterMs !== null && pace.disconnectAfterMs < due ? pace.disconnectAfterMs : null;
  const sent = torn === null ? reply : tornReply(reply);
  const wait = torn ?? due;
  return wait > 0 ? pause(wait, (wake) => exchange.onAbort(wake)).then(() => sent) : sent;
}

/** Sends an answer as events, each when it is due. */
export function sendStream(events: readonly StreamEvent[], timing: Timing, headers: BodyReply["headers"]): StreamReply {
  return { status: 200, headers, stream: (sink) => void play(events, timing, sink) };
}

function tornReply({ headers }: BodyReply): StreamReply {
  return { status: 200, headers, stream: (sink) => sink.abort() };
}

async function play(events: readonly StreamEvent[], { pace, defaults }: Timing, sink: EventSink): Promise<void> {
  const tear = pace.disconnectAfterMs === null ? undefined : setTimeout(() => sink.abort(), pace.disconnectAfterMs);
  let wake = () => {};
  sink.onClose(() => {
    clearTimeout(tear);
    wake();
  });
  let chunk = 0;
  for (const { paced, ...event } of events) {
    if (paced !== false) {
      if (chunk === pace.truncateAfterChunks) return sink.abort();
      const wait = delayBefore(chunk++, pace, defaults);
      if (wait > 0) await pause(wait, (wakeNow) => (wake = wakeNow));
    }
    if (sink.closed) return;
    sink.send(event);
  }
  sink.close();
}

/** Waits, but not for nobody: `onEnd` is told what to call when the client has gone. */
function pause(ms: number, onEnd: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    onEnd(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
