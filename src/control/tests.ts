import { jsonReply } from "../http/exchange.ts";
import { askedBy, reportOn, sorted } from "../journal/report.ts";
import type { SkippedTest, TestAnnouncement } from "../journal/tests.ts";
import { toTurn, turnsOf } from "../journal/turns.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { ControlError, requiredParam } from "./request.ts";
import type { Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import {
  ANNOUNCED_TEST,
  ANNOUNCEMENT,
  list,
  MODEL_TURN,
  object,
  orNull,
  PENDING_CALL,
  PROMPT_USE,
  REFUSED_CALL,
  REPORT,
  RESOURCE_READ,
  SKIPPED_TEST,
  STRAY_CALL,
  TEXT,
  TOOL_CALL,
  YES,
} from "./schemas.ts";

/** The life of the tests that a runner announces. */
export function testsRoutes({ fakes, journal, tests, turns, commands, limits }: ControlDependencies): Route[] {
  /** What a test leaves behind for itself must not meet its next attempt. */
  function dropOwned(testId: string): void {
    for (const { fakes: store } of fakes.mocks()) store.removeOwnedBy(testId);
    turns.removeOwnedBy(testId);
  }

  function rearm(testId: string): void {
    for (const { fakes: store } of fakes.mocks()) store.reset(testId);
    turns.reset(testId);
    commands.reset(testId);
  }

  return [
    {
      route: "POST /tests",
      summary: "Announces a test: re-arms its entries and marks its calls",
      body: ANNOUNCEMENT,
      ok: object({ started: YES, testId: TEXT }),
      errors: [503],
      answer({ json }) {
        const announced = readAnnouncement(json());
        const test = { ...announced, testId: tests.idFor(announced) };
        dropOwned(test.testId);
        rearm(test.testId);
        // A new run counts its attempts from 1 again: the calls of the last one are not this attempt's.
        if (test.attempt <= (tests.attemptOf(test.testId) ?? 0)) journal.forget(test.testId);
        if (!tests.start(test, announced.testId)) {
          limits.hit("announcedTests");
          throw new ControlError(
            503,
            `Too many running tests: the limit is ${limits.max.announcedTests}; end some first`,
          );
        }
        return jsonReply(200, { started: true, testId: test.testId });
      },
    },
    {
      route: "POST /tests/end",
      summary: "Ends a test and answers how it stood",
      body: object({ testId: { type: "string", minLength: 1 } }),
      ok: object({
        report: REPORT,
        calls: list(TOOL_CALL),
        reads: list(RESOURCE_READ),
        prompts: list(PROMPT_USE),
        turns: list(MODEL_TURN),
        pending: list(PENDING_CALL),
      }),
      errors: [404],
      answer({ json }) {
        const testId = readTestId(json());
        const report = reportOn({ journal, tests, mocks: fakes.mocks(), turns }, { testId, context: null });
        if (!tests.end(testId, report)) {
          throw new ControlError(
            404,
            `No running test ${JSON.stringify(testId)}: announce it with POST /__aimock/tests first`,
          );
        }
        dropOwned(testId);
        commands.reset(testId);
        return jsonReply(200, {
          report,
          ...sorted(askedBy({ journal, tests }, testId)),
          turns: turnsOf({ journal, tests }, testId).map(toTurn),
          pending: tests.pending(testId),
        });
      },
    },
    {
      route: "POST /tests/skipped",
      summary: "Names tests that the run has and does not start; null for those of a file that could not be loaded",
      body: object({ tests: orNull(list(SKIPPED_TEST)) }),
      ok: object({ noted: YES }),
      answer({ json }) {
        tests.skip(readSkipped(json()));
        return jsonReply(200, { noted: true });
      },
    },
    {
      route: "GET /tests",
      summary: "All announced tests, and the calls that belong to no running one, outlived theirs or were refused",
      ok: object({
        tests: list(ANNOUNCED_TEST),
        untagged: list(STRAY_CALL),
        late: list(STRAY_CALL),
        unfinished: list(STRAY_CALL),
        refused: list(REFUSED_CALL),
      }),
      answer: () =>
        jsonReply(200, {
          tests: tests
            .all()
            .map((test) => ({ ...test, calls: sorted(askedBy({ journal, tests }, test.testId)).calls.length })),
          untagged: tests.untagged(),
          late: tests.late(),
          unfinished: tests.unfinished(),
          refused: tests.refused(),
        }),
    },
    {
      route: "POST /reset/test",
      summary: "Marks one test's entries unused and forgets its calls",
      params: { testId: { kind: "text", meaning: "The test; it must be given" } },
      ok: object({ reset: YES }),
      answer({ params }) {
        const testId = requiredParam(params, "testId");
        rearm(testId);
        journal.forget(testId);
        return jsonReply(200, { reset: true });
      },
    },
  ];
}

function readTestId(body: Json): string {
  const testId = isJsonObject(body) ? body.testId : undefined;
  if (typeof testId === "string" && testId !== "") return testId;
  throw new ControlError(400, "Invalid 'testId': must be a non-empty string");
}

/** Tests that a runner passes over. */
function readSkipped(body: Json): readonly SkippedTest[] | null {
  const given = isJsonObject(body) ? body.tests : undefined;
  if (given === null) return null;
  const skipped = Array.isArray(given) ? given.filter(isJsonObject) : [];
  if (!Array.isArray(given) || !skipped.every(isSkipped) || skipped.length < given.length) {
    throw new ControlError(400, "Invalid 'tests': must be null or an array of {testId, names}");
  }
  return skipped as unknown as SkippedTest[]; // each was just checked
}

function isSkipped(test: JsonObject): boolean {
  return FIELDS.testId.test(test.testId) && FIELDS.names.test(test.names);
}

const FIELDS: Readonly<Record<keyof TestAnnouncement, { allowed: string; test(value: Json | undefined): boolean }>> = {
  testId: { allowed: "a non-empty string", test: (value) => typeof value === "string" && value !== "" },
  file: { allowed: "a string", test: (value) => typeof value === "string" },
  names: {
    allowed: "a non-empty array of strings",
    test: (value) => Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string"),
  },
  attempt: { allowed: "an integer of 1 or more", test: (value) => Number.isInteger(value) && Number(value) >= 1 },
  project: { allowed: "a string, or left out", test: (value) => value === undefined || typeof value === "string" },
};

function readAnnouncement(body: Json): TestAnnouncement {
  const given = isJsonObject(body) ? body : {};
  const problems = Object.entries(FIELDS)
    .filter(([name, field]) => !field.test(given[name]))
    .map(([name, field]) => `Invalid '${name}': must be ${field.allowed}`);
  if (problems.length > 0) throw new ControlError(400, problems.join("; "));
  // A newer plugin may tell more: what this server does not know, it does not keep.
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(FIELDS, name));
  return Object.fromEntries(known) as unknown as TestAnnouncement; // each field was just checked
}
