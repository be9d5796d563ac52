import { expect, test } from "vitest";
import { createConsumer } from "../../_support/consumer.ts";
import { failureTexts } from "../../_support/failures.ts";

const FILES = {
  "vitest.config.ts": `import { mcpFakes } from "mcp-fakes/vitest";

export default { plugins: [mcpFakes({ mount: ["/crm", "/mcp"] })] };
`,
  "a.test.ts": `import { test } from "vitest";
import { mcp } from "mcp-fakes/vitest";

test("unused", async () => {
  await mcp.loadFakes({ tools: [{ name: "ask", calls: [{ args: {}, result: "yes" }] }] });
  await mcp.fake("tell", { args: {}, result: "yes" });
  await mcp.loadFakes({ mount: "/mcp", tools: [{ name: "sing", calls: [{ args: {}, result: "yes" }] }] });
});
`,
};

test("fakes without a mount go to the first, and what is unused names its mount", { timeout: 60_000 }, async () => {
  const { exitCode, output } = await createConsumer(null, FILES).vitest();
  expect(failureTexts(output)).toEqual([
    expect.stringContaining(`FAIL  a.test.ts > unused
Error: The agent did not do what the fakes of this test say.

Test: a.test.ts › unused

3 unused fakes:
  id                    mount  arguments  file
  control-api#1:ask#0   /crm   {}         a.test.ts:5:13
  control-api#2:tell#0  /crm   {}         a.test.ts:6:13
  control-api#1:sing#0  /mcp   {}         a.test.ts:7:13`),
  ]);
  expect(exitCode).toBe(1);
});
