import { blockSources } from "../fixtures/block-sources.ts";
import type { LlmProblem } from "../fixtures/llm.ts";
import { FILE_KEYS } from "../fixtures/read.ts";
import { jsonReply } from "../http/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { listFixture } from "../llm/fixture-view.ts";
import { ControlError, refuseUnknownKeys } from "./request.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { ADDED_BLOCK, COUNT, FIXTURE_FILE, LISTED_FIXTURE, list, object, TEXT, WARNING, YES } from "./schemas.ts";

const DEPRECATION =
  "POST /__aimock/reset/fixtures is deprecated; use POST /__aimock/reset (full reset) or POST /__aimock/reset/journal (journal only)";

/** Loading and unloading fixtures while the server runs. */
export function fixturesRoutes({ fakes, turns, scripts, journal, commands, logger }: ControlDependencies): Route[] {
  function clear(): void {
    fakes.clear();
    turns.clear();
  }

  return [
    {
      route: "POST /fixtures",
      summary: "Adds fixtures and fakes, all or none",
      params: { owner: { kind: "text", meaning: "The running test whose end removes the blocks again" } },
      body: FIXTURE_FILE,
      ok: object({ added: COUNT, "mcpFakesAdded?": COUNT, "blocks?": list(ADDED_BLOCK), "warnings?": list(WARNING) }),
      answer({ params, json }) {
        const body = readBody(json());
        const options = { origin: "control-api", owner: params.owner ?? null } as const;
        const { fixtures = [], fixturesScope } = body;
        const script = scripts.prepare([{ source: null, fixtures, fixturesScope }], options);
        const add = "mcpFakes" in body ? fakes.prepare(blockSources(body.mcpFakes, null), options) : null;
        const problems = [...script.problems.map(toIssue), ...(add?.errors ?? [])];
        if (problems.length > 0) throw new ControlError(400, "Validation failed", problems);
        add?.commit();
        script.commit();
        if (add === null) return jsonReply(200, { added: script.count });
        for (const { message } of add.warnings) logger().warn(message);
        return jsonReply(200, {
          added: script.count,
          mcpFakesAdded: add.blocks,
          blocks: add.added,
          warnings: add.warnings,
        });
      },
    },
    {
      route: "GET /fixtures",
      summary: "Counts the scripted turns of models, and lists them when asked to",
      params: { include: { kind: "text", meaning: "`fixtures` lists them" } },
      ok: object({ count: COUNT, "fixtures?": list(LISTED_FIXTURE) }),
      answer({ params }) {
        const { include } = params;
        if (include !== undefined && include !== "fixtures") {
          throw new ControlError(400, "Invalid 'include': expected 'fixtures'");
        }
        const fixtures = turns.fixtures();
        const count = fixtures.length;
        return jsonReply(200, include === undefined ? { count } : { count, fixtures: fixtures.map(listFixture) });
      },
    },
    {
      route: "DELETE /fixtures",
      summary: "Unloads all fixtures and fakes",
      ok: object({ cleared: YES }),
      answer() {
        clear();
        return jsonReply(200, { cleared: true });
      },
    },
    {
      route: "POST /reset",
      summary: "Unloads all fixtures and fakes, and forgets the journal and how commands stand",
      ok: object({ reset: YES }),
      answer() {
        clear();
        journal.clear();
        commands.clear();
        return jsonReply(200, { reset: true });
      },
    },
    {
      route: "POST /reset/fixtures",
      summary: "Unloads all fixtures and fakes",
      deprecated: true,
      ok: object({ reset: YES, deprecated: YES, deprecation: TEXT }),
      answer() {
        clear();
        return jsonReply(200, { reset: true, deprecated: true, deprecation: DEPRECATION }, { deprecation: "true" });
      },
    },
  ];
}

/** In the shape in which this route has always told the problems of scripted turns. Source: fakes-wire 8.1. */
function toIssue({ index, detail }: LlmProblem): object {
  return { severity: "error", fixtureIndex: index, message: detail };
}

/** The body is what a fixture file is; without `mcpFakes`, `fixtures` must be there. */
function readBody(body: Json): JsonObject {
  const { fixtures, mcpFakes }: JsonObject = isJsonObject(body) ? body : {};
  if (!isJsonObject(body) || (!Array.isArray(fixtures) && (fixtures !== undefined || mcpFakes === undefined))) {
    throw new ControlError(400, 'Missing or invalid "fixtures" array');
  }
  if (Array.isArray(fixtures)) refuseShapeless(fixtures);
  refuseUnknownKeys(body, FILE_KEYS);
  return body;
}

/** A fixture without a match is refused before anything else is looked at. Source: fakes-wire 8.1. */
function refuseShapeless(fixtures: readonly Json[]): void {
  for (const [index, fixture] of fixtures.entries()) {
    if (!isJsonObject(fixture) || fixture.match === undefined) {
      throw new ControlError(400, `Fixture at index ${index} is missing match`);
    }
    if (!isJsonObject(fixture.match)) throw new ControlError(400, `Fixture at index ${index}: match must be an object`);
  }
}
