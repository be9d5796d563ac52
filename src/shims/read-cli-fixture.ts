import { readFileSync } from "node:fs";
import { type Checked, check, type Problem, showProblem } from "../files/explain.ts";
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
  const checked = checkCliFixture(raw);
  if (checked.ok) return checked.value;
  throw new Error(
    `${path} is no fixture of commands:\n${checked.problems.map((each) => `  ${showProblem(each)}`).join("\n")}`,
  );
}

/** All that is wrong with a fixture of commands. */
export function cliProblems(raw: unknown): Problem[] {
  const checked = checkCliFixture(raw);
  return checked.ok ? [] : [...checked.problems];
}

// --- internal ---

function checkCliFixture(raw: unknown): Checked<CliFile> {
  const checked = check(cliFile, raw);
  const [first, ...more] = checked.ok ? patternsOf(checked.value) : [];
  return first === undefined ? checked : { ok: false, problems: [first, ...more] };
}

function patternsOf({ commands }: CliFile): Problem[] {
  return Object.entries(commands).flatMap(([name, command]) =>
    patternProblems(command).map(({ path, text }) => ({ path: ["commands", name, ...path], text })),
  );
}
