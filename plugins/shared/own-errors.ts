import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package's code, once built. */
const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));

/** The package that calls matchers in Jest. */
const JEST_EXPECT = join("node_modules", "expect", "build");

/**
 * An error whose message says all there is to know: a stack of its own would lead into this package and the runner.
 * `frames` are lines of a stack that lead to the user's code.
 */
export function plainError(message: string, frames: readonly string[] = []): Error {
  const error = new Error(message);
  error.stack = [`Error: ${message}`, ...frames].join("\n");
  return error;
}

/** An error in how a test uses this package. Its stack begins where the test does. */
export function usageError(message: string): TypeError {
  const error = new TypeError(message);
  error.stack = withoutFrames(error, OWN_FOLDER, JEST_EXPECT);
  return error;
}

/** An error of `usageError` with another message. */
export function reworded(error: TypeError, message: string): TypeError {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  error.message = message;
  error.stack = [`${error.name}: ${message}`, ...frames].join("\n");
  return error;
}

/** An error's stack, without this package's part in it. */
export function withoutOwnFrames(error: Error): string {
  return withoutFrames(error, OWN_FOLDER);
}

/** The stack of a user's own code that failed while this package ran it. */
export function userStack(error: unknown): string {
  return error instanceof Error ? withoutFrames(error, OWN_FOLDER, "node:", "/node_modules/") : String(error);
}

/** An error's stack without the frames whose place holds one of these texts. */
function withoutFrames({ stack = "" }: Error, ...places: string[]): string {
  const lines = stack.split("\n");
  return lines.filter((line) => !/^\s+at /.test(line) || places.every((place) => !line.includes(place))).join("\n");
}
