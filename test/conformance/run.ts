import { MCPMock } from "../../src/index.ts";
import { registerConformance } from "./server.ts";
import { installSuite, REQUIREMENTS, runSuite } from "./suite.ts";

/** `npm run conformance`: the official suite against a mock. Exits with 1 when a scored scenario has a problem. */
await installSuite();
const mcp = new MCPMock();
registerConformance(mcp);
const url = await mcp.start();
for (const requirements of REQUIREMENTS) {
  const scenarios = await runSuite(requirements, url);
  const scored = scenarios.filter((scenario) => scenario.scored);
  const passed = scored.filter(({ problems }) => problems.length === 0);
  console.log(`\n${requirements}: ${passed.length}/${scored.length} scored scenarios passed`);
  for (const { name, scored, problems } of scenarios) {
    console.log(`${problems.length === 0 ? "✓" : "✗"} ${name}${scored ? "" : " (not scored)"}`);
    for (const problem of problems) console.log(`    ${problem}`);
  }
  if (passed.length < scored.length) process.exitCode = 1;
}
await mcp.stop();
