import * as z from "zod/mini";
import { check, showProblem } from "../files/explain.ts";
import { jsonReply } from "../http/exchange.ts";
import { clipped, commandRun } from "../journal/command-run.ts";
import type { Json } from "../json.ts";
import { ControlError } from "./request.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { COMMAND_RUN, COUNT, object, orNull, TEXT, YES } from "./schemas.ts";

const testId = z.nullable(z.string());

const claim = z.object({ testId, command: z.string() });

const run = z.object({
  testId,
  ...commandRun,
  outcome: z.string(),
  entryId: z.nullable(z.string()),
  setState: z.nullable(z.string()),
  startedAt: z.number(),
  durationMs: z.number(),
});

/** What the shims of commands ask and tell: each test has its own scenario, and its runs in the journal. */
export function commandsRoutes({ commands, limits }: ControlDependencies): Route[] {
  return [
    {
      route: "POST /cli/claim",
      summary: "Counts a run of a command, and answers how its test's scenario stood before",
      body: object({ testId: orNull(TEXT), command: TEXT }),
      ok: object({ callIndex: COUNT, state: TEXT }),
      errors: [503],
      answer({ json }) {
        const { testId, command } = checked(claim, json());
        const stood = commands.count(testId, command);
        if (stood !== null) return jsonReply(200, stood);
        limits.hit("commandTests");
        throw new ControlError(
          503,
          `Too many tests run commands: the limit is ${limits.max.commandTests}; POST /__aimock/reset forgets them`,
        );
      },
    },
    {
      route: "POST /cli/runs",
      summary: "Takes down how a run of a command ended",
      body: object({ testId: orNull(TEXT), setState: orNull(TEXT), ...COMMAND_RUN }),
      ok: object({ noted: YES }),
      answer({ json, note }) {
        const { testId, setState, ...command } = checked(run, json());
        if (setState !== null) commands.moveTo(testId, setState);
        note({ service: "cli", identity: { testId, context: null }, body: null, command: clipped(command) });
        return jsonReply(200, { noted: true });
      },
    },
  ];
}

function checked<T>(schema: Parameters<typeof check<T>>[0], body: Json): T {
  const result = check(schema, body);
  if (result.ok) return result.value;
  throw new ControlError(400, `Invalid body: ${result.problems.map(showProblem).join("; ")}`);
}
