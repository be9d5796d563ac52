import { jsonReply } from "../http/exchange.ts";
import { toTurn, turnsOf } from "../journal/turns.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { ErrorReply } from "../llm/reply.ts";
import { ControlError, refuseUnknownKeys } from "./request.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { COUNT, list, MODEL_TURN, object, orNull, TEXT, YES } from "./schemas.ts";

/** What was asked of models, and an error for what is asked next. */
export function modelsRoutes({ turns, journal, tests }: ControlDependencies): Route[] {
  return [
    {
      route: "GET /turns",
      summary: "The requests to models of a test's current attempt, and what the models said",
      params: { testId: { kind: "text", meaning: "The test id; without it, the requests that carried none" } },
      ok: list(MODEL_TURN),
      answer: ({ params }) => jsonReply(200, turnsOf({ journal, tests }, params.testId ?? null).map(toTurn)),
    },
    {
      route: "POST /error",
      summary: "Answers the next request to a model with an error, once",
      params: { testId: { kind: "text", meaning: "Only a request of this test" } },
      body: object({
        "status?": orNull(COUNT),
        "body?": object({ "message?": TEXT, "type?": TEXT, "code?": TEXT }),
      }),
      ok: object({ queued: YES }),
      answer({ params, json }) {
        turns.queueError(readError(json()), params.testId ?? null);
        return jsonReply(200, { queued: true });
      },
    },
  ];
}

/** Source: fakes-wire 8. */
function readError(given: Json): ErrorReply {
  if (!isJsonObject(given)) throw new ControlError(400, "Invalid body: must be an object");
  refuseUnknownKeys(given, ["status", "body"]);
  const { status, body = {} } = given;
  if (status != null && !isStatus(status)) {
    throw new ControlError(
      400,
      "Invalid 'status': must be an integer between 200 and 999 (1xx cannot terminate a response and would hang the client)",
    );
  }
  if (!isJsonObject(body)) throw new ControlError(400, "Invalid 'body': must be an object");
  refuseUnknownKeys(body, ["message", "type", "code"], "body.");
  return {
    kind: "error",
    status: status ?? 500,
    message: textAt(body, "message") ?? "Injected error",
    type: textAt(body, "type"),
    param: null,
    code: textAt(body, "code"),
    retryAfter: null,
  };
}

function isStatus(value: Json): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 999;
}

function textAt(body: JsonObject, key: string): string | null {
  const value = body[key];
  if (value === undefined || typeof value === "string") return value ?? null;
  throw new ControlError(400, `Invalid 'body.${key}': must be a string`);
}
