import { call } from "./agent.ts";
import { afterEach, expect, mcp, test } from "./runner.ts";

afterEach(() => call(mcp.url, "get_weather", { city: "seattle" }));

test("weather", () => {
  expect("rain").toBe("sun");
});
