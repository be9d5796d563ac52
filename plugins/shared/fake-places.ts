import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Where a test called something. */
export interface CallPlace {
  /** `file:line:column`, relative to where the run was started, as terminals and editors open it. */
  readonly text: string;
  /** The line of the stack. */
  readonly frame: string;
}

/** A block that a test added itself. */
export interface AddedBlock {
  readonly mount: string;
  readonly blockId: string;
  readonly place: CallPlace;
}

/** The first place in an error's stack, `null` when it has none. */
export function firstPlaceIn({ stack = "" }: Error): CallPlace | null {
  for (const frame of stack.split("\n")) {
    const [, path, position] = /^\s+at (?:.*? \()?(?:async )?(\S.*?)(:\d+:\d+)\)?$/.exec(frame) ?? [];
    if (path !== undefined) return { text: relativePath(path) + position, frame };
  }
  return null;
}

/** Where the block of an entry was added; `null` for one that the test did not add itself. */
export type PlaceOf = (entry: { readonly mount: string; readonly entryId: string }) => CallPlace | null;

/** Finds the places of entries among the blocks that a test added. */
export function placesIn(added: readonly AddedBlock[]): PlaceOf {
  return ({ mount, entryId }) => {
    const block = added.find((each) => each.mount === mount && entryId.startsWith(`${each.blockId}:`));
    return block?.place ?? null;
  };
}

function relativePath(path: string): string {
  const absolute = path.startsWith("file:") ? fileURLToPath(path) : path;
  return relative(process.cwd(), absolute).replaceAll("\\", "/");
}
