import { differenceCount, firstDifference } from "../difference.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Candidates } from "./match.ts";
import type { Entry, Outcome } from "./model.ts";

/** Finds the first unused entry that takes these arguments, or says why there is none. Marks nothing. */
export function claimEntry(candidates: Candidates, isUsed: (entry: Entry) => boolean, received: Json): Outcome {
  const matching = candidates.matching(received);
  const entry = matching.find((each) => !isUsed(each));
  if (entry !== undefined) return { kind: "answered", entry };
  if (matching.length > 0) return { kind: "exhausted", received, matching: matching.map(({ id }) => id) };
  return mismatch(candidates.entries, isUsed, received);
}

/** Only `args` entries can be here: an `anyArgs` entry would have matched. */
function mismatch(entries: readonly Entry[], isUsed: (entry: Entry) => boolean, received: Json): Outcome {
  const declared = entries.flatMap((entry) =>
    entry.match.kind === "args" ? { id: entry.id, args: entry.match.args, consumed: isUsed(entry) } : [],
  );
  return { kind: "mismatch", received, declared, firstDifference: closestDifference(declared, received) };
}

function closestDifference(declared: readonly { readonly args: JsonObject }[], received: Json): string {
  let closest: JsonObject | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const { args } of declared) {
    const count = differenceCount(args, received);
    if (count >= fewest) continue;
    closest = args;
    fewest = count;
  }
  return (closest && firstDifference(closest, received)) ?? "";
}
