import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

let late: Promise<void> = Promise.resolve();

test("forgets to wait", () => {
  const { url } = mcp;
  late = new Promise((resolve) => setTimeout(resolve, 100)).then(() => call(url, "search", { query: "cats" }));
});

test("the next one is green", () => late);
