import { ask } from "./agent.ts";
import { test } from "./runner.ts";

test.concurrent("an agent that says something else, and keeps the refusal to itself", async () => {
  await ask([{ role: "user", content: "goodbye" }]);
});
