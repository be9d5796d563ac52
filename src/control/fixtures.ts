import { blockSources } from "../fixtures/block-sources.ts";
import { jsonReply } from "../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { ControlError } from "./request.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { ANY, COUNT, list, object, TEXT, WARNING, YES } from "./schemas.ts";

const DEPRECATION =
  "POST /__aimock/reset/fixtures is deprecated; use POST /__aimock/reset (full reset) or POST /__aimock/reset/journal (journal only)";

/** Loading and unloading fixtures while the server runs. */
export function fixturesRoutes({ fakes, journal, logger }: ControlDependencies): Route[] {
  return [
    {
      route: "POST /fixtures",
      summary: "Adds fixtures and fakes, all or none",
      params: { owner: { kind: "text", meaning: "The running test whose end removes the blocks again" } },
      body: object({ "fixtures?": list(ANY), "mcpFakes?": ANY }),
      ok: object({ added: COUNT, "mcpFakesAdded?": COUNT, "warnings?": list(WARNING) }),
      answer({ params, json }) {
        const body = readBody(json());
        if (!("mcpFakes" in body)) return jsonReply(200, { added: 0 });
        const owner = params.owner ?? null;
        const add = fakes.prepare(blockSources(body.mcpFakes, null), { origin: "control-api", owner });
        if (add.errors.length > 0) throw new ControlError(400, "Validation failed", add.errors);
        add.commit();
        for (const { message } of add.warnings) logger().warn(message);
        return jsonReply(200, { added: 0, mcpFakesAdded: add.blocks, warnings: add.warnings });
      },
    },
    {
      route: "DELETE /fixtures",
      summary: "Unloads all fixtures and fakes",
      ok: object({ cleared: YES }),
      answer() {
        fakes.clear();
        return jsonReply(200, { cleared: true });
      },
    },
    {
      route: "POST /reset",
      summary: "Unloads all fixtures and fakes, and forgets the journal",
      ok: object({ reset: YES }),
      answer() {
        fakes.clear();
        journal.clear();
        return jsonReply(200, { reset: true });
      },
    },
    {
      route: "POST /reset/fixtures",
      summary: "Unloads all fixtures and fakes",
      deprecated: true,
      ok: object({ reset: YES, deprecated: YES, deprecation: TEXT }),
      answer() {
        fakes.clear();
        return jsonReply(200, { reset: true, deprecated: true, deprecation: DEPRECATION }, { deprecation: "true" });
      },
    },
  ];
}

/** The body's shape; without `mcpFakes`, `fixtures` must be there. */
function readBody(body: Json): JsonObject {
  if (isJsonObject(body)) {
    const { fixtures } = body;
    if (Array.isArray(fixtures) || (fixtures === undefined && "mcpFakes" in body)) return body;
  }
  throw new ControlError(400, 'Missing or invalid "fixtures" array');
}
