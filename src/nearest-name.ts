import { distance } from "fastest-levenshtein";

/** The name that is the fewest keystrokes away; `undefined` when there are none. */
export function nearestName(names: Iterable<string>, wanted: string): string | undefined {
  const ranked = [...names].map((name) => ({ name, far: distance(name, wanted) }));
  return ranked.sort((one, other) => one.far - other.far)[0]?.name;
}
