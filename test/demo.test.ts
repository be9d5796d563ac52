import { expect, test } from "vitest";
import { finish, start } from "./_support/runner-process.ts";

const ROOT = new URL("..", import.meta.url).pathname;

test("the demo shows a green suite and a red one", { timeout: 60_000 }, async () => {
  const args = ["--import", "jiti/register", "test/consumers/demo.ts"];
  const { exitCode, output } = await finish(start({ folder: ROOT, args, env: {} }));
  expect(output).toContain(" Test Files  2 passed (2)\n      Tests  5 passed (5)\n");
  expect(output).toContain("\n FAIL  red.test.ts > tickets > retry on timeout\n");
  expect(output).toMatch(/\nThe demo went as it should\.\n$/);
  expect(exitCode).toBe(0);
});
