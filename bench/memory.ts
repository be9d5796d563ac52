import { callAll, FAKE, startCalling } from "./calls.ts";
import { usageOf } from "./peer.ts";

export interface MemoryRow {
  readonly what: string;
  readonly "MB above idle": number;
}

/** What the server holds after many journaled calls, with the journal's default cap. */
export async function measureMemory({ calls }: { calls: number }): Promise<MemoryRow[]> {
  const server = await startCalling(FAKE);
  const idle = (await usageOf(server.child)).memory;
  for (let made = 0; made < calls; made += 5000) await callAll(server, Math.min(5000, calls - made));
  const after = (await usageOf(server.child)).memory;
  server.child.disconnect();
  return [{ what: `after ${calls} journaled calls`, "MB above idle": Math.round((after - idle) / 1e6) }];
}
