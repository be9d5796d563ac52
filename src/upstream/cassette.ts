import { check, showProblem } from "../files/explain.ts";
import { openJsonl, readJsonl } from "../journal/jsonl.ts";
import { thrownText } from "../text.ts";
import {
  type CassetteExchange,
  type CassetteHeader,
  type CassetteLine,
  type CassetteRun,
  cassetteLine,
} from "./cassette-line.ts";
import type { UpstreamTold } from "./connection.ts";
import type { Redactor } from "./redact.ts";

/** What a cassette holds. */
export interface Cassette {
  readonly path: string;
  /** `null` for a cassette of commands alone. */
  readonly header: CassetteHeader | null;
  readonly exchanges: readonly CassetteExchange[];
  readonly runs: readonly CassetteRun[];
  /** Number of the last line when its writer was stopped in the middle of it. */
  readonly tornLine: number | null;
}

/** Reads a cassette. Throws an `Error` that names each line which is not one of a cassette. */
export function readCassette(path: string): Cassette {
  const { values, tornLine } = readLines(path);
  const problems: string[] = [];
  const lines: CassetteLine[] = [];
  for (const { number, value } of values) {
    const checked = check(cassetteLine, value);
    if (checked.ok) lines.push(checked.value);
    else problems.push(...checked.problems.map((problem) => `line ${number}: ${showProblem(problem)}`));
  }
  // One line of any text looks like a torn one.
  if (tornLine === 1) problems.push("line 1 is not JSON");
  if (problems.length > 0) throw new Error(`${path} is not a cassette: ${problems.join("; ")}`);
  return {
    path,
    header: lines.find((line) => line.kind === "header") ?? null,
    exchanges: lines.filter((line) => line.kind === "mcp"),
    runs: lines.filter((line) => line.kind === "cli"),
    tornLine,
  };
}

function readLines(path: string): ReturnType<typeof readJsonl> {
  try {
    return readJsonl(path);
  } catch (error) {
    throw new Error(`${path} is not a cassette: ${thrownText(error).replace(`${path}, `, "")}`);
  }
}

/** Writes exchanges as they come, their secrets taken out. */
export interface CassetteWriter {
  /** Begins a recording; once, before its exchanges. */
  begin(told: UpstreamTold): void;
  write(exchange: CassetteExchange): void;
  close(): void;
}

/** Opens a cassette for appending, with the folders that lead to it. */
export function openCassette(path: string, redactor: Redactor): CassetteWriter {
  const lines = openJsonl<CassetteLine>(path);
  return {
    begin: ({ serverInfo, protocolVersion, capabilities, instructions }) =>
      lines.write({
        v: 1,
        kind: "header",
        time: new Date().toISOString(),
        server: redactor.redact(serverInfo),
        protocolVersion,
        capabilities,
        instructions: instructions === null ? null : redactor.redact(instructions),
      }),
    // An exchange is one value: a secret that its arguments name is found in its answer too.
    write: (exchange) => lines.write(redactor.redact(exchange)),
    close: lines.close,
  };
}
