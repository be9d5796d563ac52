import { ask, REFUND } from "./agent.ts";
import { test } from "./runner.ts";

test("refund", async () => {
  await ask([REFUND]);
});
