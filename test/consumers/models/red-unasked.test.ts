import { openTicket } from "./agent.ts";
import { test } from "./runner.ts";

test("refund", async () => {
  await openTicket("TICKET-43");
});
