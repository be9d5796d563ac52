import { existsSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Problem, showPath } from "../../files/explain.ts";
import { readJsonText } from "../../files/positions.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { cliProblems } from "../../shims/read-cli-fixture.ts";
import { proxyProblems } from "../../upstream/proxy.ts";
import type { FileReview } from "./review.ts";

/** The formats that no server loads from a folder: they are known by the key that each must have. */
const FORMATS: Readonly<Record<string, { kind: "commands" | "proxy"; problems(raw: Json, path: string): Problem[] }>> =
  {
    commands: { kind: "commands", problems: cliProblems },
    upstream: { kind: "proxy", problems: proxyProblems },
  };

/** Reviews a file that is named itself and is of one of these formats; `undefined` for what fixtures are made of. */
export function reviewOtherFormat(path: string, cwd: string): FileReview | undefined {
  const absolute = resolve(cwd, path);
  if (!existsSync(absolute) || !statSync(absolute).isFile()) return undefined;
  const json = readJsonText(readFileSync(absolute, "utf8").replace(/^\uFEFF/, ""));
  if (!("value" in json) || !isJsonObject(json.value)) return undefined;
  const { value, positionOf } = json;
  const [key] = Object.keys(FORMATS).filter((each) => Object.hasOwn(value, each));
  const format = key === undefined ? undefined : FORMATS[key];
  if (format === undefined) return undefined;
  const problems = format.problems(value, absolute);
  const errors = problems.map(({ path: at, text }) => ({ ...positionOf(at), message: `${showPath(at)}: ${text}` }));
  return { file: relative(cwd, absolute), kind: format.kind, fixtures: 0, mcpFakeBlocks: 0, errors, warnings: [] };
}
