import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { send } from "../../_support/http.ts";
import { answerIn, fixture, WATCHED_TEST } from "../../_support/watched.ts";

const CONFIG = `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes({ fixtures: "./fixtures", logLevel: "silent" })] };
`;

test("a watching run keeps its server, arms its fakes again and follows its fixtures", {
  timeout: 90_000,
}, async () => {
  const consumer = createConsumer("red", {
    "vitest.config.ts": CONFIG,
    "watched.spec.ts": WATCHED_TEST,
    "fixtures/weather.json": fixture("rain"),
    "fixtures/everywhere.json": fixture("fog", "shared"),
  });
  const write = (name: string, text: string) => writeFileSync(join(consumer.folder, name), text);
  const watcher = consumer.follow("vitest", ["--watch", "watched"]);
  const done = /Waiting for file changes/;

  const { port, answer } = answerIn(await watcher.next(done));
  expect(answer).toBe("rain");

  write("watched.spec.ts", `${WATCHED_TEST}\n`);
  expect(answerIn(await watcher.next(done))).toEqual({ port, answer: "rain" });

  write("fixtures/weather.json", fixture("sun"));
  expect(answerIn(await watcher.next(done))).toEqual({ port, answer: "sun" });

  write("fixtures/weather.json", '{ "mcpFakes": {} }');
  const broken = await watcher.next(done);
  expect(broken).toContain(`mcp-fakes keeps the fixtures of the last run: the fixtures cannot be honoured.`);
  expect(answerIn(broken)).toEqual({ port, answer: "sun" });

  write("fixtures/weather.json", fixture("snow"));
  expect(answerIn(await watcher.next(done))).toEqual({ port, answer: "snow" });

  rmSync(join(consumer.folder, "fixtures/weather.json"));
  expect(answerIn(await watcher.next(done))).toEqual({ port, answer: "fog" });

  write("fixtures/weather.json", fixture("hail"));
  expect(answerIn(await watcher.next(done))).toEqual({ port, answer: "hail" });

  await watcher.stop();
  await expect(send(`http://127.0.0.1:${port}/__aimock/health`)).rejects.toThrow("ECONNREFUSED");
});
