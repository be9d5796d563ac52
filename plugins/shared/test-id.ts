/** What stands between the parts of a test id. */
const SEPARATOR = " › ";

/** The id under which an attempt is known once the next one has started. */
export function earlierAttemptId({ id, attempt }: { id: string; attempt: number }): string {
  return `${id} (attempt ${attempt})`;
}

/** Whether an id is one of `earlierAttemptId`. */
export function isEarlierAttempt(id: string | null): boolean {
  return id !== null && / \(attempt \d+\)$/.test(id);
}

/**
 * The ids of all tests of one file, in file order: `<file> › <describe> › … › <test>`. A second test with the same
 * names gets ` (2)`, the third ` (3)`; a number that another test's own name already spells is passed over, so no id is
 * given twice. A half surrogate pair, which no header can carry, is replaced.
 *
 * @example
 * testIds("a.test.ts", [["tickets", "retries"], ["tickets", "retries"]]);
 * // ["a.test.ts › tickets › retries", "a.test.ts › tickets › retries (2)"]
 */
export function testIds(file: string, tests: readonly (readonly string[])[]): string[] {
  const plain = tests.map((names) => [file, ...names].join(SEPARATOR).toWellFormed());
  const spelled = new Set(plain);
  const counts = new Map<string, number>();
  return plain.map((id) => {
    let count = (counts.get(id) ?? 0) + 1;
    while (count > 1 && spelled.has(`${id} (${count})`)) count++;
    counts.set(id, count);
    return count === 1 ? id : `${id} (${count})`;
  });
}
