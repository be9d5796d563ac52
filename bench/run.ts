import { measureCalls } from "./calls.ts";
import { measureMemory } from "./memory.ts";
import { measurePlugin } from "./plugin.ts";
import { measureStart } from "./start.ts";

/** `npm run bench [-- --small]`: the bars of the product, each beside its peers, in one run on one machine. */
const small = process.argv.includes("--small");

const PARTS: readonly { readonly title: string; measure(): Promise<readonly object[]> }[] = [
  {
    title: "tools/call, 8 keep-alive connections (medians over interleaved rounds)",
    measure: () => measureCalls(small ? { rounds: 2, callsPerRound: 400 } : { rounds: 12, callsPerRound: 4000 }),
  },
  {
    title: "the Vitest plugin, one worker",
    measure: () => measurePlugin(small ? { tests: 20, files: 3, rounds: 1 } : { tests: 300, files: 20, rounds: 5 }),
  },
  { title: "server start", measure: () => measureStart(small ? { files: 50, rounds: 1 } : { files: 1000, rounds: 5 }) },
  { title: "memory", measure: () => measureMemory({ calls: small ? 2000 : 100_000 }) },
];

for (const { title, measure } of PARTS) {
  const rows = await measure();
  console.log(`\n${title}`);
  console.table(rows);
}
