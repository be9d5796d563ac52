import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../_support/consumer-project.ts";

const FIXTURES = ["tickets/retry.json", "weather/seattle.json", "multi/travel.json"];

/** Runs a small project against the built package: its suites, green, then the one that is red on purpose. */
async function demo(): Promise<boolean> {
  const fixtures = FIXTURES.map((name) => [
    `fixtures/${name}`,
    readFileSync(join(import.meta.dirname, "../../fixtures", name), "utf8"),
  ]);
  const project = createProject("demo", Object.fromEntries(fixtures));
  try {
    const green = await project.vitest(["--exclude=red.test.ts"]);
    console.log(`Two files, four tests at once and one after another:\n${green.printed}`);
    const red = await project.vitest(["red"]);
    console.log(`One suite that is red on purpose:\n${red.printed}`);
    return green.exitCode === 0 && red.exitCode === 1;
  } finally {
    project.remove();
  }
}

const isAsExpected = await demo();
console.log(isAsExpected ? "The demo went as it should." : "The demo did not go as it should.");
process.exitCode = isAsExpected ? 0 : 1;
