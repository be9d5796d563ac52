import { call } from "./agent.ts";
import { expect, mcp, retried } from "./runner.ts";

let attempts = 0;
let beginSecond = () => {};
const second = new Promise<void>((resolve) => {
  beginSecond = resolve;
});
let leftRunning: Promise<void> = Promise.resolve();

retried("what a failed attempt left running does not use up the next one's fakes", 1, async () => {
  await mcp.fake("search", { args: {}, result: "yes" });
  if (++attempts === 1) {
    const { url } = mcp;
    leftRunning = second.then(() => call(url, "search"));
    throw new Error("not yet");
  }
  beginSecond();
  await leftRunning;
  expect(mcp.calls).toEqual([]);
  await call(mcp.url, "search");
  expect(mcp).toHaveCalledToolTimes("search", 1);
});
