import { PassThrough, type Readable } from "node:stream";

/** An input that is read before anybody takes it, so that its end is known. */
export interface ReadAhead {
  /** All that it says. */
  readonly input: Readable;
  /** Resolves at its end: whether it has said nothing. */
  readonly ended: Promise<{ readonly isEmpty: boolean }>;
  /** Reads no more: an input that is read keeps the program from ending. */
  close(): void;
}

/** Reads an input ahead, up to a size that no client reaches before it has its first answer. */
export function readAhead(stdin: Readable): ReadAhead {
  const input = stdin.pipe(new PassThrough({ highWaterMark: BYTES_MAX }));
  let isEmpty = true;
  stdin.once("data", () => {
    isEmpty = false;
  });
  return {
    input,
    ended: new Promise((resolve) => stdin.once("end", () => resolve({ isEmpty }))),
    close() {
      stdin.unpipe(input);
      stdin.pause();
    },
  };
}

const BYTES_MAX = 1 << 20;
