import { existsSync } from "node:fs";
import { thrownText } from "../text.ts";
import { type Cassette, readCassette } from "../upstream/cassette.ts";
import { type Terminal, UsageError } from "./command.ts";

/**
 * Reads a cassette that the command line names, and tells when its last line is torn. Throws a `UsageError` when it is
 * not there, or is none.
 */
export function readGivenCassette(path: string, { stderr }: Pick<Terminal, "stderr">): Cassette {
  if (!existsSync(path)) throw new UsageError(`no such cassette: ${path}`);
  const cassette = read(path);
  if (cassette.tornLine !== null) stderr.write(`${path}: line ${cassette.tornLine} is torn and was skipped\n`);
  return cassette;
}

// --- internal ---

function read(path: string): Cassette {
  try {
    return readCassette(path);
  } catch (error) {
    throw new UsageError(thrownText(error));
  }
}
