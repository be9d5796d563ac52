import { ask, control } from "../../src/control/client.ts";
import type { Fact } from "../../src/fakes/fact.ts";
import type { FakesReport } from "../../src/fakes/report.ts";
import type { Json } from "../../src/json.ts";
import type { RunningTest } from "./current-test.ts";
import { placesIn } from "./fake-places.ts";
import { closestMismatch, hasFailures, hasUnused, noteParagraphs, problemParagraphs } from "./findings.ts";
import type { Verify } from "./options.ts";
import { earlierAttemptId } from "./test-id.ts";
import { traceOf } from "./trace.ts";
import { runFacts } from "./worker-state.ts";

/** What is said of a test when it ends. */
export interface Verdict {
  readonly message: string;
  /** The first call that no fake took, and the fake that came closest, for the runner's own diff. */
  readonly mismatch: { readonly expected: Json; readonly received: Json } | null;
  /** Lines of a stack: where the test added the fakes that it left unused. */
  readonly frames: readonly string[];
}

/**
 * Tells the server that a test starts, and gives it the id that the server answers. Its fakes are unused again, its calls
 * are counted from here. What an earlier attempt left running must not use them up: its requests name a test of its own
 * from here on, one that has ended.
 */
export async function announceStart(test: RunningTest, earlier: RunningTest | null): Promise<void> {
  if (earlier !== null) {
    const { file, names, attempt, project } = earlier;
    const asked = earlierAttemptId(earlier);
    const { testId } = await ask(runFacts(), control.startTest({ testId: asked, file, names, attempt, project }));
    await ask(runFacts(), control.endTest(testId));
    earlier.tag = testId;
  }
  const { id, file, names, attempt, project } = test;
  const { testId } = await ask(runFacts(), control.startTest({ testId: id, file, names, attempt, project }));
  test.id = testId;
  test.tag = testId;
}

/** How a test ended, as the server saw it. */
export interface Ending {
  /** What it did wrong by its own `verify`, if anything: it is red for that. */
  readonly verdict: Verdict | null;
  /** Without a verdict, what makes no test red and may be why one failed on its own. */
  readonly notes: Verdict | null;
  /** All that was asked in it, as text; `null` when nothing was. */
  trace(): Promise<string | null>;
}

/**
 * Tells the server that a test has ended. Of one that was cut short by its time limit, nothing is said of what it left
 * unused: it had no time to.
 */
export async function announceEnd(test: RunningTest, { isCutShort }: { isCutShort: boolean }): Promise<Ending> {
  await Promise.all(test.adding);
  const ended = await ask(runFacts(), control.endTest(test.id));
  const { report: whole, calls, reads, prompts, turns, pending } = ended;
  const report = isCutShort ? { ...whole, unconsumed: [], unusedFaults: [], unasked: [] } : whole;
  const asked = [...calls, ...reads, ...prompts];
  const isRedByFakes = isRed(report, test.verify);
  return {
    verdict: isRedByFakes ? verdictOn(test, report, asked) : null,
    notes: isRedByFakes ? null : notesOn(test, report),
    async trace() {
      const entries = await ask(runFacts(), control.journal({ testId: test.id }));
      const messages = entries.filter(({ attempt }) => attempt === test.attempt);
      return traceOf({ asked, turns, pending, messages });
    },
  };
}

function notesOn({ id, verify }: RunningTest, report: FakesReport): Verdict | null {
  const found = noteParagraphs(report);
  if (verify === "off" || found.length === 0) return null;
  const paragraphs = ["The test failed on its own. This may be why.", `Test: ${id}`, ...found];
  return { message: paragraphs.join("\n\n"), mismatch: null, frames: [] };
}

function verdictOn(test: RunningTest, report: FakesReport, facts: readonly Fact[]): Verdict {
  const title = "The agent did not do what the fakes of this test say.";
  const placeOf = placesIn(test.added);
  const paragraphs = [title, `Test: ${test.id}`, ...problemParagraphs({ report, facts: () => facts, placeOf })];
  const frames = new Set(report.unconsumed.flatMap((entry) => placeOf(entry)?.frame ?? []));
  return { message: paragraphs.join("\n\n"), mismatch: closestMismatch(facts), frames: [...frames] };
}

function isRed(report: FakesReport, verify: Verify): boolean {
  switch (verify) {
    case "off":
      return false;
    case "failures":
      return hasFailures(report);
    case "all":
      return hasFailures(report) || hasUnused(report);
  }
}
