import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { send } from "../../_support/http.ts";
import { answerIn, fixture, WATCHED_TEST } from "../../_support/watched.ts";

test("each run of a watching Jest finds its server at one address, with the fixtures as they are", {
  timeout: 90_000,
}, async () => {
  const consumer = createConsumer("red", { "watched.test.ts": WATCHED_TEST, "fixtures/weather.json": fixture("rain") });
  const write = (name: string, text: string) => writeFileSync(join(consumer.folder, name), text);
  const watcher = consumer.follow("jest", ["--watchAll", "watched"]);
  const done = /Ran all test suites/;

  const { port, answer } = answerIn(await watcher.next(done));
  expect(answer).toBe("rain");

  // Jest passes over a change that comes while its last run is being torn down.
  const saving = setInterval(() => write("fixtures/weather.json", fixture("sun")), 500);
  const again = await watcher.next(done);
  clearInterval(saving);
  expect(answerIn(again)).toEqual({ port, answer: "sun" });
  expect(again).not.toContain("mcp-fakes");

  await watcher.stop();
  await expect(send(`http://127.0.0.1:${port}/__aimock/health`)).rejects.toThrow("ECONNREFUSED");
});
