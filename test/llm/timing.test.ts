import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Pace } from "../../src/llm/fixture.ts";
import { AT_ONCE, delayBefore } from "../../src/llm/pace.ts";
import { collect, startModels } from "../_support/models.ts";

const ASK = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };
const CONTENT = "x".repeat(100);

function delays(pace: Partial<Pace>, latency = 0): number[] {
  const defaults = { latency, chunkSize: 20 };
  return [0, 1, 2, 3].map((chunk) => delayBefore(chunk, { ...AT_ONCE, latency: null, ...pace }, defaults));
}

test.each<[name: string, pace: Partial<Pace>, delays: number[]]>([
  ["nothing: the server's latency", {}, [5, 5, 5, 5]],
  ["its own latency", { latency: 30 }, [30, 30, 30, 30]],
  ["ttft and tps", { profile: { ttft: 300, tps: 20, jitter: 0 } }, [300, 50, 50, 50]],
  ["ttft alone", { profile: { ttft: 300, tps: null, jitter: 0 } }, [300, 5, 5, 5]],
  ["a recording, then nothing", { recorded: { ttftMs: 100, betweenMs: [10, 20] } }, [100, 10, 20, 0]],
  ["a recording, twice as fast", { recorded: { ttftMs: 100, betweenMs: [10] }, speed: 2 }, [50, 5, 0, 0]],
])("a pace of %s", (_name, pace, expected) => {
  expect(delays(pace, 5)).toEqual(expected);
});

test("jitter strays within its bounds, and the same way each time", () => {
  const pace = { profile: { ttft: 100, tps: 10, jitter: 0.5 } };
  const strayed = delays(pace);
  expect(delays(pace)).toEqual(strayed);
  expect(new Set(strayed).size).toBe(4);
  expect(Math.min(...strayed)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...strayed)).toBeLessThanOrEqual(150);
});

test("a stream takes its delays before each chunk, a whole answer its first one", async () => {
  const { openai } = await startModels([{ match: {}, response: { content: CONTENT }, latency: 20 }]);
  const started = performance.now();
  await openai.chat.completions.create(ASK);
  const whole = performance.now() - started;
  await collect(await openai.chat.completions.create({ ...ASK, stream: true }));
  const streamed = performance.now() - started - whole;
  expect(whole).toBeGreaterThanOrEqual(19);
  expect(streamed).toBeGreaterThanOrEqual(7 * 19); // the role, five pieces, the end
});

test("chunkSize of the server, and of the fixture", async () => {
  const fixtures = [{ match: { model: "own" }, response: { content: CONTENT }, chunkSize: 50 }];
  const { openai } = await startModels([...fixtures, { match: {}, response: { content: CONTENT } }], { chunkSize: 25 });
  const pieces = async (model: string) => {
    const chunks = await collect(await openai.chat.completions.create({ ...ASK, model, stream: true }));
    return chunks.flatMap((chunk) => chunk.choices[0]?.delta.content?.length || []);
  };
  expect([await pieces("own"), await pieces("m")]).toEqual([
    [50, 50],
    [25, 25, 25, 25],
  ]);
});

test("a stream that breaks off after some chunks", async () => {
  const { openai } = await startModels([
    { match: {}, response: { content: CONTENT }, truncateAfterChunks: 3, latency: 1 },
  ]);
  const deltas: (string | null | undefined)[] = [];
  const reading = (async () => {
    for await (const chunk of await openai.chat.completions.create({ ...ASK, stream: true })) {
      deltas.push(chunk.choices[0]?.delta.content);
    }
  })();
  await expect(reading).rejects.toThrow("terminated");
  expect(deltas).toEqual(["", CONTENT.slice(0, 20), CONTENT.slice(0, 20)]);
});

test("a connection that is torn after some time, streamed or whole", async () => {
  const { openai } = await startModels([
    { match: {}, response: { content: CONTENT }, latency: 40, disconnectAfterMs: 60 },
    { match: { model: "slow" }, response: { content: CONTENT }, latency: 60_000, disconnectAfterMs: 10 },
  ]);
  const streamed = openai.chat.completions.create({ ...ASK, stream: true }).then(collect);
  await expect(streamed).rejects.toThrow("terminated");
  await expect(openai.chat.completions.create(ASK)).resolves.toBeDefined();
});

test("a whole answer that is torn before it is due", async () => {
  const { openai } = await startModels([
    { match: {}, response: { content: CONTENT }, latency: 60_000, disconnectAfterMs: 10 },
  ]);
  await expect(openai.chat.completions.create(ASK)).rejects.toThrow();
});

test("a client that leaves mid-stream leaves no timer and no stream behind", async () => {
  const { llm, openai } = await startModels([{ match: {}, response: { content: CONTENT }, latency: 60_000 }]);
  const leaving = new AbortController();
  const asked = openai.chat.completions.create({ ...ASK, stream: true }, { signal: leaving.signal });
  const stream = await asked;
  setImmediate(() => leaving.abort());
  expect(await collect(stream)).toEqual([]); // the client ends its loop when it is aborted
  expect(llm.getRequests()).toMatchObject([{ response: { status: 200 }, answer: { object: "chat.completion" } }]);
});

test("a client that leaves before a whole answer is due", async () => {
  const { llm, anthropic } = await startModels([{ match: {}, response: { content: CONTENT }, latency: 60_000 }]);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  // What was sent before is read by the server before the end of its connection.
  subscribe("undici:request:bodySent", leave);
  const asked = anthropic.messages.create({ ...ASK, max_tokens: 9 }, { signal: leaving.signal });
  await expect(asked).rejects.toThrow("Request was aborted.");
  unsubscribe("undici:request:bodySent", leave);
  while (llm.getRequests().length === 0) await sleep(5);
  expect(llm.getRequests()).toMatchObject([{ model: { outcome: "answered" } }]);
});

test("64 streams at once, each whole", async () => {
  const { openai } = await startModels([
    { match: {}, response: { content: CONTENT }, streamingProfile: { ttft: 20, tps: 500 } },
  ]);
  const texts = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const stream = openai.chat.completions.stream(ASK);
      return (await stream.finalChatCompletion()).choices[0]?.message.content;
    }),
  );
  expect(new Set(texts)).toEqual(new Set([CONTENT]));
});
