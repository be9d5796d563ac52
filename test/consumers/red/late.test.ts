import { call } from "./agent.ts";
import { mcp, test } from "./runner.ts";

let late: Promise<unknown> = Promise.resolve();

test("forgets to wait", () => {
  const { url } = mcp;
  late = new Promise((resolve) => setTimeout(resolve, 100))
    .then(() => call(url, "search", { query: "cats" }))
    .then(() => mcp.fake("search", { args: {}, result: "too late" }))
    .catch(({ message }) => message);
});

test("the next one is green", async () => {
  const text = await late;
  const wanted = /^mcp\.fake\(\) was used after its test had ended: late\.test\.ts › forgets to wait\. Await /;
  if (!wanted.test(String(text))) throw new Error(`mcp.fake() said ${text}`);
});
