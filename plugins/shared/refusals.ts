import type { RefusedCall } from "../../src/journal/tests.ts";
import { firstLines, refusedLine, shortList } from "./findings.ts";

/** Words the requests that were refused in a run, test by test; what came more than once is in one line. */
export function refusedParagraph(refused: readonly RefusedCall[]): string[] {
  if (refused.length === 0) return [];
  const byTest = new Map<string, Map<string, number>>();
  for (const call of refused) {
    const counts = byTest.get(call.testId) ?? new Map<string, number>();
    byTest.set(call.testId, counts);
    const line = refusedLine(call);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const groups = [...byTest].map(([testId, counts]) => {
    const lines = [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
    return [`test ${testId}`, ...firstLines(lines)].join("\n     ");
  });
  const what = refused.length === 1 ? "1 request was" : `${refused.length} requests were`;
  const title = `mcp-fakes: ${what} refused before anything scripted was asked. No test fails for that alone.`;
  return [`${title}\n${shortList(groups)}`];
}
