import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerOf, median, startPeer } from "./peer.ts";

export interface StartRow {
  readonly what: string;
  readonly ms: number;
}

/** Server start in global set-up: `files` fixture files of one block with ten entries each. */
export async function measureStart({ files, rounds }: { files: number; rounds: number }): Promise<StartRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-fakes-bench-"));
  try {
    await Promise.all(Array.from({ length: files }, (_, index) => writeFixture(folder, index)));
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { ms } = await answerOf<{ ms: number }>(startPeer("start.ts", { FIXTURES: folder }));
      times.push(ms);
    }
    return [{ what: `${files} fixture files loaded, port open`, ms: Math.round(median(times)) }];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeFixture(folder: string, index: number): Promise<void> {
  const calls = Array.from({ length: 10 }, (_, call) => ({ args: { call }, result: { ticket: `TICKET-${call}` } }));
  const block = { scope: { testId: `suite ${index} › test` }, tools: [{ name: "create_ticket", calls }] };
  const home = join(folder, `suite-${index % 20}`);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, `fixture-${index}.json`), JSON.stringify({ mcpFakes: block }));
}
