import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** How a test of a consumer project ended. */
export interface TestOutcome {
  /** Relative to the project. */
  readonly file: string;
  readonly name: string;
  readonly status: string;
  /** What the runner says of its failure. */
  readonly text: string;
}

/** The part of a report in Jest's JSON format that is read; Vitest writes the same. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** The outcomes that a runner wrote to a JSON report; none when it wrote no report. */
export function readTestReport(path: string, folder: string): TestOutcome[] {
  if (!existsSync(path)) return [];
  const { testResults }: Report = JSON.parse(readFileSync(path, "utf8"));
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      file: relative(folder, file),
      name: fullName,
      status,
      text: (failureMessages ?? []).join("\n\n"),
    })),
  );
}
