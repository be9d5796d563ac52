import { isAbsolute, relative } from "node:path";
import * as z from "zod/mini";
import { check, showProblem } from "../../files/explain.ts";
import { JOINERS } from "../../journal/tests.ts";
import type { Json } from "../../json.ts";

const text = z.string();
const tests = z.array(z.looseObject({ file: text, names: z.array(text) }));
const assertions = z.array(z.looseObject({ ancestorTitles: z.array(text), title: text }));
const report = z.looseObject({ testResults: z.array(z.looseObject({ name: text, assertionResults: assertions })) });
const listed = z.array(z.looseObject({ name: text, file: text }));

/**
 * The tests of a run in every form that a scope may name one by: with its file, and its names in each runner's
 * joining. Reads what `GET /__aimock/tests` answers, what `vitest --reporter=json` and `jest --json` write, and what
 * `vitest list --json` prints. Throws an `Error` that names the three when it is none of them.
 */
export function testNamesOf(value: Json, { cwd }: { cwd: string }): ReadonlySet<string> {
  const fromServer = check(z.looseObject({ tests }), value);
  if (fromServer.ok) return formsOf(fromServer.value.tests, cwd);
  const fromReport = check(report, value);
  if (fromReport.ok) {
    const named = fromReport.value.testResults.flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title }) => ({ file, names: [...ancestorTitles, title] })),
    );
    return formsOf(named, cwd);
  }
  const fromList = check(listed, value);
  if (fromList.ok)
    return formsOf(
      fromList.value.map(({ file, name }) => ({ file, names: name.split(" > ") })),
      cwd,
    );
  throw new Error(
    `is neither what GET /__aimock/tests answers (${showProblem(fromServer.problems[0])}), nor a JSON report of Vitest or Jest (${showProblem(fromReport.problems[0])}), nor what \`vitest list --json\` prints (${showProblem(fromList.problems[0])})`,
  );
}

function formsOf(
  named: readonly { readonly file: string; readonly names: readonly string[] }[],
  cwd: string,
): Set<string> {
  const forms = named.flatMap(({ file, names }) => {
    const path = (isAbsolute(file) ? relative(cwd, file) : file).replaceAll("\\", "/");
    return JOINERS.flatMap((joiner) => {
      const joined = names.join(joiner);
      return [joined, `${path}${joiner}${joined}`];
    });
  });
  return new Set(forms);
}
