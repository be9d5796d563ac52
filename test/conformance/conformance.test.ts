import { expect, onTestFinished, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { fetchedOrSkipped } from "../_support/on-demand.ts";
import { registerConformance } from "./server.ts";
import { installSuite, REQUIREMENTS, runSuite } from "./suite.ts";

/** How many scenarios a revision scores: a suite that ran fewer has not been run. */
const SCORED = { "2025-11-25": 30, "2026-07-28": 37 };

test.for(REQUIREMENTS)(
  "the official conformance suite passes for %s",
  { timeout: 300_000 },
  async (requirements, { skip }) => {
    await fetchedOrSkipped(installSuite(), skip);
    const mcp = new MCPMock();
    registerConformance(mcp);
    const url = await mcp.start();
    onTestFinished(() => mcp.stop());
    const scenarios = await runSuite(requirements, url);
    expect(scenarios.filter(({ scored }) => scored)).toHaveLength(SCORED[requirements]);
    // Tasks are an extension that this server does not offer.
    const ours = scenarios.filter(({ name }) => !name.startsWith("tasks-"));
    expect(ours.filter(({ problems }) => problems.length > 0)).toEqual([]);
  },
);
