import { setTimeout } from "node:timers/promises";
import type { ServerFault } from "../fakes/fault.ts";
import type { FakeStore } from "../fakes/store.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { runHandler } from "./call/call-context.ts";
import type { Caller } from "./call/caller.ts";
import { distort } from "./faults.ts";
import type { Answer, RpcRequest, SentAnswer } from "./json-rpc.ts";
import { invalidCursor } from "./pages.ts";

/** Makes an answer, for this caller. */
export type Answering = (caller: Caller) => Answer | Promise<Answer>;

/**
 * What becomes of a request that a fault of the server befalls: answered as ever, and then the answer goes wrong. What
 * a fake answered was not given, and waits for the next call. `null` for a request that none befalls.
 */
export type Spoil = (request: RpcRequest, caller: Caller, answering: Answering) => Answer | Promise<Answer> | null;

export function createSpoil({ strike }: Pick<FakeStore, "strike">): Spoil {
  return (request, caller, answering) => {
    const struck = strike(request, caller.identity);
    if (struck === null) return null;
    const answer = () => spoilt(struck, { request, caller, answering });
    return struck.delayMs === 0
      ? answer()
      : wait(struck.delayMs, request, caller).then((interrupted) => interrupted ?? answer());
  };
}

function spoilt(
  { fault, tool }: ServerFault,
  { request, caller, answering }: { request: RpcRequest; caller: Caller; answering: Answering },
): Answer | Promise<Answer> {
  if (fault === null) return answering(caller);
  const owed: (() => void)[] = [];
  const settle = (answer: Answer): Answer => {
    for (const giveBack of owed) giveBack();
    if ("cancelled" in answer) return answer;
    return { ...spoiltBy(fault, answer, { request, tool }), struck: fault.kind };
  };
  const isGiven = GIVEN.has(fault.kind);
  const answer = answering(isGiven ? caller : { ...caller, onLost: (listener) => void owed.push(listener) });
  return answer instanceof Promise ? answer.then(settle) : settle(answer);
}

/** The faults whose answers arrive, and so use their entry. */
const GIVEN = new Set<string>(["no-structured-content", "bad-structured-content"]);

/** Before these are answered, there is nothing that a client could cancel. */
const UNCANCELLABLE = ["initialize", "subscriptions/listen"];

/** What ended the wait before its time. */
async function wait(ms: number, request: RpcRequest, caller: Caller): Promise<Answer | null> {
  if (UNCANCELLABLE.includes(request.method)) return await setTimeout(ms, null, { ref: false });
  const ran = await runHandler(request, caller, ({ signal }) => setTimeout(ms, undefined, { signal }));
  return ran.kind === "interrupted" ? ran.answer : null;
}

function spoiltBy(
  fault: Exclude<ServerFault["fault"], null>,
  answer: SentAnswer,
  { request: { method, params }, tool }: { request: RpcRequest; tool: string | null },
): SentAnswer {
  const change = (changed: (result: JsonObject) => JsonObject) =>
    "error" in answer ? answer : { result: changed(answer.result) };
  switch (fault.kind) {
    case "wrong-version":
      return change((result) =>
        method === "initialize"
          ? { ...result, protocolVersion: NO_VERSION }
          : { ...result, supportedVersions: [NO_VERSION] },
      );
    case "bad-cursor": {
      const cursor = isJsonObject(params) ? params.cursor : undefined;
      return cursor === undefined ? change((result) => ({ ...result, nextCursor: BAD_CURSOR })) : invalidCursor(cursor);
    }
    case "duplicate-tool":
      return change((result) => withTool(result, tool, (meant) => [meant, meant]));
    case "tool-gone":
      if (answer.fact === undefined) return change((result) => withTool(result, tool, () => []));
      break;
  }
  const { fact, ...sent } = answer;
  return fact === undefined ? { ...sent, fault } : distort(sent, fault, fact);
}

/** A revision that no client knows. */
const NO_VERSION = "1999-12-31";

/** What no list has given out. */
const BAD_CURSOR = "a-cursor-that-leads-nowhere";

/** A list with something else in place of one tool: the named one, or the first. */
function withTool(result: JsonObject, name: string | null, replaced: (tool: Json) => Json[]): JsonObject {
  const tools = Array.isArray(result.tools) ? result.tools : [];
  const isMeant = (tool: Json, index: number) =>
    name === null ? index === 0 : isJsonObject(tool) && tool.name === name;
  return { ...result, tools: tools.flatMap((tool, index) => (isMeant(tool, index) ? replaced(tool) : [tool])) };
}
