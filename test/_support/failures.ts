import { createConsumer } from "./consumer.ts";

/** Runs one file of a project under `test/consumers/` and answers each failure as Vitest shows it, whole. */
export async function failuresOf(
  project: string,
  file: string,
): Promise<{ readonly exitCode: number | null; readonly texts: readonly string[] }> {
  const { exitCode, output } = await createConsumer(project).vitest([file]);
  return { exitCode, texts: failureTexts(output) };
}

/** The trace that is shown below a failure; `annotate-failure.test.ts` asks for it. */
const TRACE = /^ ❯ \S+ MCP trace\n {3}↳ .*\n(?: {2}.*\n)*/gm;

/** Each failure in a run's output, whole but for its trace. */
export function failureTexts(output: string): readonly string[] {
  const [, shown = ""] = /⎯ Failed (?:Tests|Suites) \d+ ⎯+\n(.*?)(?:\n Test Files |$)/s.exec(output) ?? [];
  const texts = shown
    .replaceAll(TRACE, "")
    .split(/⎯+\[\d+\/\d+\]⎯+/)
    .map((text) => text.trim());
  return texts.filter((text) => text !== "");
}
