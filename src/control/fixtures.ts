import { blockSources } from "../fixtures/block-sources.ts";
import { jsonReply } from "../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { ControlError } from "./request.ts";
import type { ControlDependencies, Route } from "./routes.ts";

const DEPRECATION =
  "POST /__aimock/reset/fixtures is deprecated; use POST /__aimock/reset (full reset) or POST /__aimock/reset/journal (journal only)";

/** Loading and unloading fixtures while the server runs. */
export function fixturesRoutes({ fakes, journal, logger }: ControlDependencies): Route[] {
  return [
    {
      route: "POST /fixtures",
      params: ["owner"],
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
      answer() {
        fakes.clear();
        return jsonReply(200, { cleared: true });
      },
    },
    {
      route: "POST /reset",
      answer() {
        fakes.clear();
        journal.clear();
        return jsonReply(200, { reset: true });
      },
    },
    {
      route: "POST /reset/fixtures",
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
