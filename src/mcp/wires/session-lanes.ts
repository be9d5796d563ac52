import { createLane, type Lane } from "./lane.ts";

/** The streams of one session over HTTP: one for what belongs to no call, and one for each call that needs its own. */
export interface SessionLanes {
  readonly main: Lane;
  open(): Lane;
  /** The stream and the event that a `Last-Event-ID` names; `undefined` when it is not (or no longer) known. */
  find(eventId: string): { readonly lane: Lane; readonly event: number } | undefined;
  endAll(): void;
}

/** How many ended streams are kept for clients that come back for their last events. */
const ENDED_MAX = 32;

/** `prime`: whether streams begin with an event that only tells its id. */
export function createSessionLanes(prime: boolean): SessionLanes {
  const main = createLane({ name: "main", prime });
  const lanes = new Map<string, Lane>([["main", main]]);
  let opened = 0;

  function forgetEnded(): void {
    const ended = [...lanes].filter(([, lane]) => lane.ended);
    for (const [name] of ended.slice(0, Math.max(0, ended.length - ENDED_MAX))) lanes.delete(name);
  }

  return {
    main,
    open() {
      forgetEnded();
      const name = `call${++opened}`;
      const lane = createLane({ name, prime });
      lanes.set(name, lane);
      return lane;
    },
    find(eventId) {
      const [name = "", event = ""] = eventId.split("-");
      const lane = lanes.get(name);
      return lane === undefined || !/^\d+$/.test(event) ? undefined : { lane, event: Number(event) };
    },
    endAll() {
      for (const lane of lanes.values()) lane.end();
    },
  };
}
