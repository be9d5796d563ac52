import { readFileSync } from "node:fs";
import { check, type Problem, showProblem } from "../files/explain.ts";
import { thrownText } from "../text.ts";
import { patternProblems } from "./claim-run.ts";
import { type CliFile, cliFile } from "./schema.ts";

/** Reads a fixture of commands. Throws one `Error` that names all that is wrong with it. */
export function readCliFixture(path: string): CliFile {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${thrownText(error)}`);
  }
  const checked = check(cliFile, raw);
  const problems: readonly Problem[] = checked.ok ? patternsOf(checked.value) : checked.problems;
  if (!checked.ok || problems.length > 0) {
    throw new Error(
      `${path} is no fixture of commands:\n${problems.map((each) => `  ${showProblem(each)}`).join("\n")}`,
    );
  }
  return checked.value;
}

function patternsOf({ commands }: CliFile): Problem[] {
  return Object.entries(commands).flatMap(([name, command]) =>
    patternProblems(command).map(({ path, text }) => ({ path: ["commands", name, ...path], text })),
  );
}
