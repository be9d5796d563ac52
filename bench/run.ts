import { measureCalls } from "./calls.ts";

/** `npm run bench [-- --small]`: the bars of the product, each beside its peers, in one run on one machine. */
const small = process.argv.includes("--small");

const rows = await measureCalls(small ? { rounds: 2, callsPerRound: 400 } : { rounds: 12, callsPerRound: 4000 });
console.log("\ntools/call, 8 keep-alive connections (medians over interleaved rounds)");
console.table(rows);
