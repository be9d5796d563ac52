import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeShims } from "../src/shims/make-shims.ts";
import { median } from "./peer.ts";

export interface ProgramRow {
  readonly what: string;
  readonly "bare node ms": number;
  readonly ms: number;
  readonly "cost ms": number;
  readonly "bar ms": number;
}

const IMPORTS = [
  { what: "import of mcp-fakes/vitest in a config", specifier: "mcp-fakes/vitest", bar: 50 },
  { what: "import of mcp-fakes/jest in a config", specifier: "mcp-fakes/jest", bar: 50 },
  { what: "import of mcp-fakes/mcp", specifier: "mcp-fakes/mcp", bar: 60 },
];

/** What starting the package's parts costs beside Node's own start: a scripted command, and each import. */
export async function measurePrograms({ rounds }: { rounds: number }): Promise<ProgramRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-fakes-bench-"));
  try {
    const shim = shimIn(folder);
    const rows = [
      { what: "start of a shim", bar: 60, run: () => spawnSync(shim, ["--version"]) },
      ...IMPORTS.map(({ what, specifier, bar }) => ({
        what,
        bar,
        run: () => node(["--input-type=module", "-e", `await import("${specifier}")`]),
      })),
    ];
    return rows.map(({ what, bar, run }) => {
      const [bare, own]: [number[], number[]] = [[], []];
      // One beside the other, so that what else the machine does falls on both.
      for (let round = 0; round < rounds; round++) {
        bare.push(timed(() => node(["--input-type=module", "-e", ""])));
        own.push(timed(run));
      }
      const cost = median(own) - median(bare);
      return {
        what,
        "bare node ms": tenth(median(bare)),
        ms: tenth(median(own)),
        "cost ms": tenth(cost),
        "bar ms": bar,
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// --- internal ---

function shimIn(folder: string): string {
  const fixture = join(folder, "cli.json");
  writeFileSync(fixture, JSON.stringify({ commands: { tool: { default: { stdout: "1.0.0\n" } } } }));
  makeShims({ fixture, folder: join(folder, "shims") });
  return join(folder, "shims/tool");
}

/** Here, where the package finds itself by its name. */
function node(args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd: resolve(import.meta.dirname, "..") });
}

function timed(run: () => unknown): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}
