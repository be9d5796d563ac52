import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { fetchTool, type OnDemand } from "../_support/on-demand.ts";

/** The release of the official suite that this project is held to; it is newer than the registry's `latest`. */
const SUITE: OnDemand = {
  spec: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  home: "conformance",
  program: "@modelcontextprotocol/conformance/dist/index.js",
};

const ROOT = resolve(import.meta.dirname, "../..");

/** The sets of scenarios that a revision requires. */
export const REQUIREMENTS = ["2025-11-25", "2026-07-28"] as const;

export type Requirements = (typeof REQUIREMENTS)[number];

/** How one scenario ended. */
export interface Scenario {
  readonly name: string;
  /** False for what the suite runs, but does not count. */
  readonly scored: boolean;
  /** The checks that did not succeed, failures and warnings alike: id, status and text. */
  readonly problems: readonly string[];
}

/** Fetches the suite unless it is there; throws when the registry cannot be reached. */
export async function installSuite(): Promise<void> {
  await fetchTool(SUITE);
}

/** Runs all scenarios of one revision against the server at `url`. */
export async function runSuite(requirements: Requirements, url: string): Promise<readonly Scenario[]> {
  const out = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    const args = ["server", "--url", url, "--requirements", requirements, "-o", out];
    const loader = join(import.meta.dirname, "without-glob-sync.mjs");
    // The suite exits with 1 when a scored scenario failed; what failed is in what it wrote.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", loader, await fetchTool(SUITE), ...args],
      {
        cwd: ROOT,
      },
    ).catch((error: { stdout: string }) => error);
    return readScenarios(stdout, out);
  } finally {
    rmSync(out, { recursive: true });
  }
}

function readScenarios(stdout: string, folder: string): Scenario[] {
  const [summary = "", unscored = ""] = (stdout.split("=== SUMMARY ===")[1] ?? "").split("Not scored for");
  const unscoredNames = [...unscored.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name);
  return [...summary.matchAll(/^[✓✗] (\S+): /gm)].map(([, name = ""]) => ({
    name,
    scored: !unscoredNames.includes(name),
    problems: problemsOf(name, folder),
  }));
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

function problemsOf(name: string, folder: string): string[] {
  const run = readdirSync(folder).find((each) => each.startsWith(`server-${name}-2`));
  if (run === undefined) return [`${name} left no checks`];
  const checks: Check[] = JSON.parse(readFileSync(join(folder, run, "checks.json"), "utf8"));
  return checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, status, errorMessage }) => `${id} ${status}: ${errorMessage ?? ""}`);
}
