import type { McpFakeScope } from "../fixtures/types.ts";
import type { LLMock } from "../llmock.ts";
import { showName } from "../text.ts";

/**
 * What a server has loaded, a line for each mount. Where no block is shared, a client that says nothing of itself finds
 * no fakes, so the line tells whose they are and how a client says so.
 *
 * @example servedLines([{ mount: "/mcp", scopes: ["shared"] }]) // ["/mcp: 1 block"]
 */
export function servedLines(mocks: ReturnType<LLMock["loadedFakes"]>): string[] {
  const byMount = [...mocks].sort((one, other) => one.mount.localeCompare(other.mount));
  return byMount.map(({ mount, scopes }) => {
    const blocks = `${mount}: ${scopes.length} ${scopes.length === 1 ? "block" : "blocks"}`;
    const own = scopes.filter((scope) => scope !== "shared");
    return own.length === 0 || own.length < scopes.length ? blocks : `${blocks}, ${whoseOf(own)}`;
  });
}

// --- internal ---

type OwnScope = Exclude<McpFakeScope, "shared">;

/** A folder of many scenarios has as many scopes. */
const SHOWN = 3;

function whoseOf(scopes: readonly OwnScope[]): string {
  const all = [...new Set(scopes.map(wordsFor))];
  const more = all.length > SHOWN ? [`${all.length - SHOWN} more`] : [];
  const headers = [
    ...(scopes.some(({ testId }) => testId !== undefined) ? ["X-Test-Id"] : []),
    ...(scopes.some(({ context }) => context !== undefined) ? ["X-AIMock-Context"] : []),
  ];
  const what = all.length === 1 ? "it" : "one of them";
  return `for ${[...all.slice(0, SHOWN), ...more].join(", ")}: send ${what} as ${headers.join(" and ")}, percent-encoded`;
}

function wordsFor({ testId, context }: OwnScope): string {
  const words = [
    ...(testId === undefined ? [] : [`test id ${showName(testId)}`]),
    ...(context === undefined ? [] : [`context ${showName(context)}`]),
  ];
  return words.join(" in ");
}
