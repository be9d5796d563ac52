import { appendFileSync } from "node:fs";
import { reportTo, watchExchange, watchLines } from "../wire-check.ts";

// What `wire-preload.cjs` loads into a process whose server has begun to speak.

reportTo((problem) => appendFileSync(process.env.WIRE_PROBLEMS ?? "", `${problem}\n`));

export { watchExchange, watchLines };
