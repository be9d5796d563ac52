import { createConsumer } from "./consumer.ts";

/** Runs one file of a project under `test/consumers/` and answers each failure as Vitest shows it, whole. */
export async function failuresOf(
  project: string,
  file: string,
): Promise<{ readonly exitCode: number | null; readonly texts: readonly string[] }> {
  const { exitCode, output } = await createConsumer(project).vitest([file]);
  return { exitCode, texts: failureTexts(output) };
}

/** Each failure in a run's output, whole. */
export function failureTexts(output: string): readonly string[] {
  const [, shown = ""] = /⎯ Failed (?:Tests|Suites) \d+ ⎯+\n(.*?)(?:\n Test Files |$)/s.exec(output) ?? [];
  const texts = shown.split(/⎯+\[\d+\/\d+\]⎯+/).map((text) => text.trim());
  return texts.filter((text) => text !== "");
}
