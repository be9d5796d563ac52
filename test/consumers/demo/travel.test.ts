import { connect } from "./agent.ts";
import { describe, expect, mcp, test } from "./runner.ts";

describe("travel", () => {
  test("book trip", async () => {
    const [flights, hotels] = await Promise.all([
      connect(mcp.urlOf("/mcp/flights")),
      connect(mcp.urlOf("/mcp/hotels")),
    ]);
    expect(await flights("search_flights", { to: "Paris" })).toBe("UA 100 departs 09:00");
    expect(await hotels("book_hotel", { city: "Paris" })).toBe("HOTEL-7");
    expect(mcp).toHaveCalledTools(["search_flights", ["book_hotel", { city: "Paris" }]], { exactly: true });
  });
});
