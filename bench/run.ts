import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { type CallRow, measureCalls, PEERS, STEPS } from "./calls.ts";
import { chartOf } from "./chart.ts";
import { measureMemory } from "./memory.ts";
import { type Figures, withFigures } from "./page.ts";
import { measurePlugin } from "./plugin.ts";
import { measurePrograms } from "./programs.ts";
import { measureStart } from "./start.ts";

/**
 * `npm run bench [-- --small]`: the bars of the product, each beside its peers, in one run on one machine. A whole run
 * also writes `bench/results.json`, `bench/calls.svg` and the figures of `docs/performance.md`.
 */
const small = process.argv.includes("--small");

const CALLS = small ? { rounds: 2, callsPerRound: 400 } : { rounds: 12, callsPerRound: 4000 };

const PARTS: readonly { readonly title: string; measure(): Promise<readonly object[]> }[] = [
  {
    title: "tools/call, 8 keep-alive connections (medians over interleaved rounds)",
    measure: () => measureCalls(PEERS, CALLS),
  },
  { title: "the parts of a faked call", measure: () => measureCalls(STEPS, CALLS) },
  {
    title: "the Vitest plugin, one worker",
    measure: () => measurePlugin(small ? { tests: 20, files: 3, rounds: 1 } : { tests: 300, files: 20, rounds: 5 }),
  },
  { title: "server start", measure: () => measureStart(small ? { files: 50, rounds: 1 } : { files: 1000, rounds: 5 }) },
  { title: "programs and imports", measure: () => measurePrograms({ rounds: small ? 2 : 20 }) },
  { title: "memory", measure: () => measureMemory({ calls: small ? 2000 : 100_000 }) },
];

const results: Figures[] = [];
for (const { title, measure } of PARTS) {
  const rows = await measure();
  results.push({ title, rows });
  console.log(`\n${title}`);
  console.table(rows);
}
if (!small) keep();

/** Only whole runs are kept: `bench/results.json` for those who compare, the chart for the README, tables for the docs. */
function keep(): void {
  const [cpu] = cpus();
  const machine = { node: process.version, cpu: cpu?.model ?? "unknown", cores: cpus().length };
  const at = (name: string) => join(import.meta.dirname, name);
  const time = new Date().toISOString();
  writeFileSync(at("results.json"), `${JSON.stringify({ time, machine, results }, null, 2)}\n`);
  const page = at("../docs/performance.md");
  const intro = `One run, ${time.slice(0, 10)}: Node ${machine.node}, ${machine.cores} cores (${machine.cpu}).`;
  writeFileSync(page, withFigures(readFileSync(page, "utf8"), intro, results));
  const calls = results[0]?.rows as readonly CallRow[]; // the first part measures calls
  const bars = calls.map((row) => ({ label: row.server, value: row["calls/s"] }));
  writeFileSync(at("calls.svg"), chartOf("tools/call per second, 8 connections", bars));
}
