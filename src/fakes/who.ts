import { showName } from "../text.ts";

/** Who asked, as messages say it: `testId "T"`, `context "C"`, both, or `no testId or context`. */
export function who({ testId, context }: { testId: string | null; context: string | null }): string {
  const parts = [
    ...(testId === null ? [] : [`testId ${showName(testId)}`]),
    ...(context === null ? [] : [`context ${showName(context)}`]),
  ];
  return parts.length === 0 ? "no testId or context" : parts.join(", ");
}
