import { showJson, showPlain } from "../text.ts";
import type { UnusedFault } from "./fault-views.ts";
import type { AskedFor, FakesReport } from "./report.ts";
import { METHODS, targetOf } from "./target.ts";
import type { UseCount } from "./views.ts";
import { who } from "./who.ts";

/**
 * A report as text: the verdict, then one line for each thing that is wrong.
 *
 * @example formatFakesReport(report) // 'aimock MCP fakes report failed (testId "T"):\n  unconsumed: …'
 */
export function formatFakesReport(report: FakesReport, options: { failOnUnfaked?: boolean } = {}): string {
  const unfaked = options.failOnUnfaked === true ? report.unfaked : [];
  if (report.ok && unfaked.length === 0) return `aimock MCP fakes report passed (${who(report)})`;
  const call = (asked: AskedFor & { mount: string }) => {
    const { kind, name } = targetOf(asked);
    return `${METHODS[kind]} ${showPlain(name)} on ${asked.mount}`;
  };
  return [
    `aimock MCP fakes report failed (${who(report)}):`,
    ...report.failures.map((each) => `  failure ${each.code}: ${call(each)}${showArgs(each)}`),
    ...report.unconsumed.map(
      (each) =>
        `  unconsumed: ${showPlain(each.entryId)} (${each.mount} ${showPlain(targetOf(each).name)})${showUses(each)}`,
    ),
    ...report.unusedFaults.map(
      (each) => `  fault that never came: ${showPlain(each.faultId)} (${each.mount} ${showFault(each)})`,
    ),
    ...report.modelFailures.map(({ outcome, model, message }) => `  model ${outcome}: ${showPlain(model)}: ${message}`),
    ...report.unasked.map(({ fixtureId, match }) => `  never asked: ${showPlain(fixtureId)} ${showJson(match)}`),
    ...report.refused.map((each) => {
      // On a connection that carries messages both ways, the refusal has no status of its own.
      const status = each.status < 400 ? "" : ` (HTTP ${each.status})`;
      return `  refused: ${showRefused(each)}${status}: ${showPlain(each.reason)}`;
    }),
    ...report.warnings.map((each) => `  warning: ${call(each)}${showArgs(each)}: ${showPlain(each.message)}`),
    ...(report.evicted ? [`  evicted: ${EVICTED}`] : []),
    ...unfaked.map((each) => `  unfaked: ${call(each)} answered by ${each.answeredBy}`),
  ].join("\n");
}

// --- internal ---

function showRefused(refused: FakesReport["refused"][number]): string {
  if (refused.tool === undefined && refused.resource === undefined && refused.prompt === undefined) return "request";
  const { kind, name } = targetOf(refused);
  return `${METHODS[kind]} ${showPlain(name)}`;
}

/** `http-503 on tools/call pay, callIndex 9; such requests: 1` */
function showFault({ fault, method, tool, callIndex, requests }: UnusedFault): string {
  const index = callIndex === undefined ? "" : `, callIndex ${callIndex}`;
  return `${fault ?? "a delay"} on ${method}${tool === undefined ? "" : ` ${showPlain(tool)}`}${index}; such requests: ${requests}`;
}

/** What an entry that must be used once needs no words for. */
function showUses({ used, min }: UseCount): string {
  return min === undefined ? "" : `: used ${used} of ${min}`;
}

const EVICTED =
  "this test id's fake state was evicted by the per-mount test-id cap, or its event log overflowed; the report is incomplete";

function showArgs({ args }: AskedFor): string {
  return args === undefined ? "" : ` with ${showJson(args)}`;
}
