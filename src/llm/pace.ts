import type { Pace } from "./fixture.ts";

/** The server's own setting, for fixtures that say nothing. */
export interface PaceDefaults {
  /** Milliseconds before each chunk, and before a whole answer. */
  readonly latency: number;
  /** Characters of a chunk. */
  readonly chunkSize: number;
}

/** The first delay of an answer, and of a stream its others. Milliseconds; the same in every run. */
export function delayBefore(chunk: number, pace: Pace, { latency }: PaceDefaults): number {
  return rawDelay(chunk, pace, pace.latency ?? latency) / pace.speed;
}

function rawDelay(chunk: number, { recorded, profile }: Pace, latency: number): number {
  if (recorded !== null) return chunk === 0 ? recorded.ttftMs : (recorded.betweenMs[chunk - 1] ?? 0);
  if (profile === null) return latency;
  const exact = chunk === 0 ? (profile.ttft ?? latency) : profile.tps === null ? latency : 1000 / profile.tps;
  return exact * (1 + profile.jitter * stray(chunk));
}

/** Between -1 and 1, all over the range, and the same for the same chunk: a test that meets it meets it again. */
function stray(chunk: number): number {
  const scattered = Math.sin(chunk + 1) * 10_000;
  return 2 * (scattered - Math.floor(scattered)) - 1;
}

/** The pace of what nobody scripted. */
export const AT_ONCE: Pace = {
  latency: 0,
  chunkSize: null,
  profile: null,
  recorded: null,
  speed: 1,
  truncateAfterChunks: null,
  disconnectAfterMs: null,
};
