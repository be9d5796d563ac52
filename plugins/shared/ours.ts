import { fileURLToPath } from "node:url";

/** The path of a file of this package, once built: all of them lie in one folder. */
export function ours(name: string): string {
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}
