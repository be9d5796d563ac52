import { jsonReply } from "../http/exchange.ts";
import { usageOf } from "../journal/usage.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { BOOLEAN, list, object, TEXT, USED_ENTRY, USED_FAULT, USED_TURN } from "./schemas.ts";

/** What the run as a whole made of its fixtures. */
export function usageRoutes({ fakes, tests, turns }: ControlDependencies): Route[] {
  return [
    {
      route: "GET /usage",
      summary:
        "How often each fake and scripted turn answered and each fault came, over all tests, and the scopes that no test answers to, with the test closest to each",
      ok: object({
        entries: list(USED_ENTRY),
        faults: list(USED_FAULT),
        turns: list(USED_TURN),
        unmet: list(TEXT),
        closest: { type: "object", additionalProperties: TEXT },
        complete: BOOLEAN,
      }),
      answer: () => jsonReply(200, usageOf({ mocks: fakes.mocks(), turns, tests })),
    },
  ];
}
