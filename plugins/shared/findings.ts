import { differenceCount } from "../../src/difference.ts";
import type { Fact } from "../../src/fakes/fact.ts";
import type { AskedFor, FakesReport, Refused } from "../../src/fakes/report.ts";
import type { TargetKey } from "../../src/fakes/target.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/json.ts";
import { showJson } from "../../src/text.ts";
import type { PlaceOf } from "./fake-places.ts";

type Unused = FakesReport["unconsumed"][number];
type UnusedFault = FakesReport["unusedFaults"][number];

/** How a test's fakes stand. */
export interface Findings {
  readonly report: FakesReport;
  /** What the test asked for, asked for only when there is something to tell; `null` where a report is all that is known. */
  facts(): readonly Fact[] | null;
  readonly placeOf: PlaceOf;
}

/** Everything that is wrong with a test's calls and fakes, one paragraph for each kind; empty when nothing is. */
export function problemParagraphs({ report, facts: known, placeOf }: Findings): string[] {
  const facts = known();
  const failures =
    facts === null ? report.failures.map(failureLine) : facts.flatMap((fact) => failureLines(fact, placeOf));
  return [
    ...paragraph(failures, "fake failure", list),
    ...(report.evicted ? [EVICTED] : []),
    ...UNKNOWN.flatMap(({ answeredBy, one, many }) =>
      paragraph(
        answeredAs(report, answeredBy).map((each) => unansweredLine(each, placeOf)),
        one,
        list,
        many,
      ),
    ),
    ...paragraph(report.modelFailures.map(modelFailureLine), "unanswered request to a model", list, UNANSWERED),
    ...paragraph(report.unconsumed, "unused fake", (entries) => unusedTable(entries, placeOf)),
    ...paragraph(report.unusedFaults.map(unusedFaultLine), "fault that never came", list, "faults that never came"),
    ...refusedParagraph(report),
    ...warningsParagraph(report),
    ...paragraph(report.unasked, "scripted turn that no model was asked for", unaskedTable, UNASKED),
  ];
}

/** What makes no test red and may be why one failed: requests that were refused, and warnings. */
export function noteParagraphs(report: FakesReport): string[] {
  return [...refusedParagraph(report), ...warningsParagraph(report)];
}

/**
 * Whether a fake refused a request, one named an unknown tool, resource or prompt, a request to a model went unanswered,
 * or so much happened that this is not known any more.
 */
export function hasFailures(report: FakesReport): boolean {
  const unknown = UNKNOWN.map(({ answeredBy }) => answeredAs(report, answeredBy));
  return report.evicted || [report.failures, report.modelFailures, ...unknown].some((list) => list.length > 0);
}

/** Whether something that is the test's own was left unused. */
export function hasUnused({ unconsumed, unusedFaults, unasked }: FakesReport): boolean {
  return [unconsumed, unusedFaults, unasked].some((list) => list.length > 0);
}

/** Requests for what nobody registered or faked, and those that say what they want in no valid way. */
const UNKNOWN = [
  { answeredBy: "unknown-tool", one: "call of an unknown tool", many: "calls of unknown tools" },
  { answeredBy: "unknown-resource", one: "read of an unknown resource", many: "reads of unknown resources" },
  { answeredBy: "unknown-prompt", one: "use of an unknown prompt", many: "uses of unknown prompts" },
  { answeredBy: "invalid", one: "invalid request", many: "invalid requests" },
] as const;

function answeredAs({ unfaked }: FakesReport, wanted: (typeof UNKNOWN)[number]["answeredBy"]): FakesReport["unfaked"] {
  return unfaked.filter(({ answeredBy }) => answeredBy === wanted);
}

function unansweredLine(request: FakesReport["unfaked"][number], placeOf: PlaceOf): string {
  const line = `${callText(request)}${request.reason === undefined ? "" : `: ${request.reason}`}`;
  return [line, ...nearMissLines(request), ...placeLines(request, placeOf)].join("\n     ");
}

/** One request as a line: `create_ticket {"title":"Refund"} on /mcp`, `resource file:///a.md on /mcp`. */
export function callText({ args, mount, ...asked }: AskedFor & { mount: string }): string {
  return `${nameOf(asked)}${args === undefined ? "" : ` ${showJson(args)}`} on ${mount}`;
}

function nameOf({ tool, resource, prompt }: TargetKey): string {
  if (tool !== undefined) return tool || "a tool without a name";
  return resource === undefined ? `prompt ${prompt || "without a name"}` : `resource ${resource || "without a URI"}`;
}

/** The first call that no entry took: its arguments beside those of the entry that came closest. */
export function closestMismatch(facts: readonly Fact[]): { expected: JsonObject; received: Json } | null {
  for (const fact of facts) {
    const { received = null, declared } = fakeErrorOf(fact) ?? {};
    const candidates = Array.isArray(declared) ? declared.filter(isJsonObject).map(({ args }) => args) : [];
    const expected = closest(candidates.filter(isJsonObject), received);
    if (expected !== undefined) return { expected, received };
  }
  return null;
}

/** The value that differs from `wanted` in the fewest places; the first of several. */
export function closest<T extends Json>(values: readonly T[], wanted: Json): T | undefined {
  const ranked = values.map((value) => ({ value, count: differenceCount(value, wanted) }));
  return ranked.sort((one, other) => one.count - other.count)[0]?.value;
}

/** How many of many are listed. */
const LISTED = 20;

/** Numbered lines, the first of them when there are very many. */
export function shortList(lines: readonly string[]): string {
  return list(lines.slice(0, LISTED)) + moreThanListed(lines);
}

/** The same without numbers. */
export function firstLines(lines: readonly string[]): readonly string[] {
  return lines.length <= LISTED ? lines : [...lines.slice(0, LISTED), `… and ${lines.length - LISTED} more`];
}

function moreThanListed({ length }: readonly unknown[]): string {
  return length > LISTED ? `\n  … and ${length - LISTED} more` : "";
}

/** Numbered lines. */
export function list(lines: readonly string[]): string {
  return lines.map((line, index) => `  ${index + 1}. ${line}`).join("\n");
}

const EVICTED =
  "The server no longer knows all of this test's calls: they went over one of its caps (fixtureCountsMax, journalMax).";

function paragraph<T>(
  items: readonly T[],
  noun: string,
  body: (items: readonly T[]) => string,
  plural = `${noun}s`,
): string[] {
  return items.length === 0 ? [] : [`${items.length} ${items.length === 1 ? noun : plural}:\n${body(items)}`];
}

function failureLine(failure: FakesReport["failures"][number]): string {
  return `${failure.code}: ${callText(failure)}`;
}

function failureLines(fact: Fact, placeOf: PlaceOf): string[] {
  const { code, firstDifference } = fakeErrorOf(fact) ?? {};
  if (code === undefined || fact.error === null) return [];
  const difference = firstDifference === undefined ? [] : [String(firstDifference)];
  const lines = [...difference, ...nearMissLines(fact, String(firstDifference)), ...placeLines(fact, placeOf)];
  return [[`${code}: ${fact.error.message}`, ...lines].join("\n     ")];
}

/** What kept the closest entry from answering, as far as the error itself does not say it. */
function nearMissLines(
  { nearMiss, outcome }: Pick<Fact, "nearMiss"> & Partial<Pick<Fact, "outcome">>,
  firstDifference?: string,
): string[] {
  if (nearMiss === undefined) return [];
  const { entryId, reasons } = nearMiss;
  const untold = reasons.filter(
    ({ kind, text }) => text !== firstDifference && !(kind === "used-up" && outcome === "exhausted"),
  );
  return untold.length === 0 ? [] : [`closest fake ${entryId}: ${untold.map(({ text }) => text).join("; ")}`];
}

/** Where the closest entry was added, when the test did it. */
function placeLines({ nearMiss, mount }: Pick<Fact, "nearMiss" | "mount">, placeOf: PlaceOf): string[] {
  if (nearMiss === undefined) return [];
  const place = placeOf({ mount, entryId: nearMiss.entryId });
  return place === null ? [] : [`${nearMiss.entryId} was added at ${place.text}`];
}

/** `data.aimock` of the error that a fake answered a request with. */
function fakeErrorOf({ error }: Fact): JsonObject | null {
  const data = error?.data;
  return isJsonObject(data) && isJsonObject(data.aimock) ? data.aimock : null;
}

const UNANSWERED = "unanswered requests to models";
const UNASKED = "scripted turns that no model was asked for";

const REFUSED = "requests were refused before they reached a fake";

function refusedParagraph({ refused }: FakesReport): string[] {
  return paragraph(refused.map(refusedLine), "request was refused before it reached a fake", list, REFUSED);
}

function warningsParagraph({ warnings }: FakesReport): string[] {
  return paragraph(warnings.map(warningLine), "warning", list);
}

/** What was said to the client says what to do; where nothing is served, it names the path. */
export function refusedLine(refused: Refused): string {
  const { status, reason } = refused;
  // On a connection that carries messages both ways, the refusal has no status of its own.
  const told = `${status < 400 ? "" : `HTTP ${status}: `}${reason}`;
  if (refused.tool === undefined && refused.resource === undefined && refused.prompt === undefined) return told;
  return `${nameOf(refused)}: ${told}`;
}

function warningLine(warning: FakesReport["warnings"][number]): string {
  return `${callText(warning)}: ${warning.message}`;
}

/** `a.json:faults[0]: http-503 on tools/call pay, callIndex 9 (such requests in this test: 1)` */
function unusedFaultLine({ faultId, fault, method, tool, callIndex, requests }: UnusedFault): string {
  const index = callIndex === undefined ? "" : `, callIndex ${callIndex}`;
  const which = `${method}${tool === undefined ? "" : ` ${tool}`}${index}`;
  return `${faultId}: ${fault ?? "a delay"} on ${which} (such requests in this test: ${requests})`;
}

function modelFailureLine({ model, message }: FakesReport["modelFailures"][number]): string {
  return `${model}: ${message}`;
}

/**
 * Unused entries as a table: id, arguments, file, the mount where it is not the usual one, and how often they were used
 * where one must be used more than once.
 */
function unusedTable(entries: readonly Unused[], placeOf: PlaceOf): string {
  const isElsewhere = entries.some(({ mount }) => mount !== "/mcp");
  const isCounted = entries.some(({ min }) => min !== undefined);
  const rows = entries
    .slice(0, LISTED)
    .map((entry) => [
      entry.entryId,
      ...(isElsewhere ? [entry.mount] : []),
      takenText(entry),
      ...(isCounted ? [`used ${entry.used ?? 0} of ${entry.min ?? 1}`] : []),
      placeOf(entry)?.text ?? entry.file,
    ]);
  const head = ["id", ...(isElsewhere ? ["mount"] : []), "arguments", ...(isCounted ? ["uses"] : []), "file"];
  return tableOf([head, ...rows]) + moreThanListed(entries);
}

/** What an entry takes: exact arguments, its conditions by name, or any. */
function takenText(entry: Unused): string {
  if ("args" in entry) return showJson(entry.args);
  return "when" in entry ? showJson(entry.when) : "any";
}

/** Turns that no model was asked for as a table: id, match. */
function unaskedTable(turns: readonly FakesReport["unasked"][number][]): string {
  return tableOf([["id", "match"], ...turns.map(({ fixtureId, match }) => [fixtureId, showJson(match)])]);
}

/** Rows with their columns under each other; the last is as wide as it is. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => (row[column] ?? "").length));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widthOf(column)))).join("  ");
  return rows.map((row) => `  ${line(row)}`).join("\n");
}
