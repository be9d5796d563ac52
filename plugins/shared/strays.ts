import type { RefusedCall, StrayCall } from "../../src/journal/tests.ts";
import { shortList } from "./findings.ts";
import type { RunOptions } from "./options.ts";
import { refusedParagraph } from "./refusals.ts";
import { isEarlierAttempt } from "./test-id.ts";

/** Requests that belong to no running test, or that no fake was asked for. */
export interface Strays {
  /** They carried no test id. */
  readonly untagged: readonly StrayCall[];
  /** They came after their test's end. */
  readonly late: readonly StrayCall[];
  /** They were being answered when their test ended. */
  readonly unfinished: readonly StrayCall[];
  /** They were refused, whichever test made them. */
  readonly refused: readonly RefusedCall[];
}

/** What is said of stray calls when a run ends, and whether the run is red for them. */
export interface StrayReport {
  readonly paragraphs: readonly string[];
  readonly isError: boolean;
}

/**
 * Words the stray calls of a run, first those that make it red. A late call is as red as a fake failure, which no test
 * could show any more; an untagged one is what the option `untagged` says; one that its test did not wait for has used
 * its fake, and is told.
 */
export function reportStrays(
  { untagged, late, unfinished, refused }: Strays,
  { untagged: policy, verify }: RunOptions,
): StrayReport {
  // What a failed attempt left running is told; the attempt that counts was judged without it.
  const isTold = ({ testId }: StrayCall) => verify === "off" || isEarlierAttempt(testId);
  const isRed = (call: StrayCall) => !isTold(call);
  const redUntagged = policy === "error" ? untagged.filter((call) => !isRead(call)) : [];
  const toldUntagged = { error: untagged.filter(isRead), warn: untagged, off: [] }[policy];
  const red = [...told(late.filter(isRed), LATE, RED), ...told(redUntagged, UNTAGGED, RED)];
  const others = [
    ...told(late.filter(isTold), LATE),
    ...told(unfinished, UNFINISHED),
    ...told(toldUntagged, UNTAGGED),
    ...refusedParagraph(refused),
  ];
  return { paragraphs: [...red, ...others], isError: red.length > 0 };
}

/** Hosts read what a server offers before any test begins. */
function isRead({ resource, prompt }: StrayCall): boolean {
  return resource !== undefined || prompt !== undefined;
}

/** The summary above it may be all green. */
const RED = ", which makes the run fail (exit code 1) whatever its tests say";

const AWAIT = "Await all that the agent does before the test returns.";

const LATE = { what: "arrived after the test had ended", advice: AWAIT };

const UNFINISHED = { what: "had no answer yet when the test ended", advice: AWAIT };

const UNTAGGED = {
  what: "carried no test id, and so saw no test's own fakes",
  advice:
    "Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.",
};

/** What a stray call can be of, each told in a paragraph of its own. */
const KINDS: readonly { readonly one: string; readonly many: string; isOne(call: StrayCall): boolean }[] = [
  { one: "tool call", many: "tool calls", isOne: ({ tool }) => tool !== null },
  { one: "read of a resource", many: "reads of resources", isOne: ({ resource }) => resource !== undefined },
  { one: "use of a prompt", many: "uses of prompts", isOne: ({ prompt }) => prompt !== undefined },
  { one: "request to a model", many: "requests to models", isOne: ({ model }) => model !== undefined },
];

function told(calls: readonly StrayCall[], { what, advice }: typeof LATE, effect = ""): string[] {
  const words = { what: what + effect, advice };
  return KINDS.flatMap(({ isOne, one, many }) => paragraph(calls.filter(isOne), { ...words, one, many }));
}

function paragraph(
  calls: readonly StrayCall[],
  { what, advice, one, many }: typeof LATE & { one: string; many: string },
): string[] {
  if (calls.length === 0) return [];
  const title = `mcp-fakes: ${calls.length} ${calls.length === 1 ? one : many} ${what}. ${advice}`;
  return [`${title}\n${shortList(calls.map(line))}`];
}

function line({ tool, resource, prompt, model, url, client, testId }: StrayCall): string {
  const parts = [...(testId === null ? [] : [`test ${testId}`]), ...(client === null ? [] : [`client ${client}`])];
  return `${tool ?? resource ?? prompt ?? model} at ${url}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}
