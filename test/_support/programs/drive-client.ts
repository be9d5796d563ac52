import { ON_DEMAND } from "../real-clients/on-demand.ts";
import { drive, type Target } from "../real-clients/real-client.ts";

/** Has one of the clients on demand do all that clients can do, and prints what it saw. */
const [name = "", target = ""] = process.argv.slice(2);
const open = ON_DEMAND[name];
if (open === undefined) throw new Error(`no client is called ${name}`);
const reached: Target = JSON.parse(target);
console.log(`SEEN ${JSON.stringify(await drive(await open(reached)))}`);
process.exit(0);
