import { type Call, connect, connectNext } from "./agent.ts";
import { beforeAll, describe, expect, mcp, test } from "./runner.ts";

// One client for all tests of the file: each request still carries the id of the test that makes it.
let call: Call;
beforeAll(async () => {
  call = await connect(mcp.url);
});

describe("tickets", () => {
  test("retry on timeout", async () => {
    expect(await call("create_ticket", { title: "Refund" })).toBe("upstream timeout");
    expect(await call("create_ticket", { title: "Refund" })).toBe("TICKET-42");
    expect(mcp).toHaveConsumedAllFakes();
    expect(mcp).toHaveCalledToolTimes("create_ticket", 2);
  });
});

describe.concurrent("weather", () => {
  test("seattle", async () => {
    expect(await call("get_weather", { city: "Seattle" })).toBe('{"tempF":60,"conditions":"rain"}');
  });

  test("scripted here", async () => {
    await mcp.fake("get_weather", { args: { city: "Oslo" }, result: "snow" });
    expect(await call("get_weather", { city: "Oslo" })).toBe("snow");
  });

  test("by the newer client", async () => {
    await mcp.fake("get_weather", { args: { city: "Lima" }, result: "fog" });
    expect(await (await connectNext(mcp.url))("get_weather", { city: "Lima" })).toBe("fog");
  });
});
