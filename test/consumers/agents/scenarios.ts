import type { RunAgent } from "./agent.ts";
import { describe, expect, mcp, test } from "./runner.ts";

/** The two scenarios of the fixtures, side by side in one worker. */
export function scenarios(runAgent: RunAgent): void {
  describe("tickets", () => {
    test.concurrent("retry on timeout", async () => {
      const answer = await runAgent({ mcpUrl: mcp.url, task: "Please open a refund ticket." });
      expect(answer).toBe("I opened TICKET-42.");
      expect(mcp).toHaveCalledToolTimes("create_ticket", 2, { title: "Refund" });
      expect(mcp).toHaveAskedModel(3);
      expect(mcp).toHaveSentToModel("upstream timeout");
      expect(mcp).toHaveConsumedAllFakes();
    });
  });

  describe("weather", () => {
    test.concurrent("seattle", async () => {
      const answer = await runAgent({ mcpUrl: mcp.url, task: "How is the weather in Seattle?" });
      expect(answer).toBe("It is 60F and raining in Seattle.");
      expect(mcp).toHaveCalledTools([["get_weather", { city: "Seattle" }]], { exactly: true });
      expect(mcp).toHaveAskedModel(2);
      expect(mcp.turns.map(({ said }) => said.kind)).toEqual(["message", "message"]);
    });
  });
}

/** An agent that gives up after the first tool error: the test does not look, the plugin does. */
export function hasty(runAgent: RunAgent): void {
  describe("tickets", () => {
    test.concurrent("retry on timeout", async () => {
      await runAgent({ mcpUrl: mcp.url, task: "Please open a refund ticket.", maxTurns: 1 });
    });
  });
}
