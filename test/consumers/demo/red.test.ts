import { connect } from "./agent.ts";
import { describe, mcp, test } from "./runner.ts";

describe("tickets", () => {
  // Red on purpose: the agent asks for another title, swallows the error and never tries again.
  test("retry on timeout", async () => {
    const call = await connect(mcp.url);
    await call("create_ticket", { title: "refund" }).catch(() => {});
  });
});
