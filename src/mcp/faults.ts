import type { CallFact } from "../fakes/fact.ts";
import type { Fault } from "../fakes/fault.ts";
import { RPC, type RpcError, rpcError, type SentAnswer } from "./json-rpc.ts";

/** Whether such a fault keeps an answer from arriving at all: the client that tries again is owed it. */
export function isLosing({ kind }: Fault): boolean {
  switch (kind) {
    case "tool-gone":
    case "no-structured-content":
    case "bad-structured-content":
    case "raw":
      return false;
    default:
      return true;
  }
}

/** An answer gone wrong: some faults are in the answer itself, the others are left to the wire. */
export function distort(answer: SentAnswer, fault: Fault, call: CallFact): SentAnswer {
  const noted = { ...call, fault: fault.kind };
  switch (fault.kind) {
    case "tool-gone": {
      const { error }: { error: RpcError } = rpcError(RPC.invalidParams, `Unknown tool: ${call.tool}`);
      return { error, call: { ...noted, result: null, error } };
    }
    case "no-structured-content":
    case "bad-structured-content": {
      if ("error" in answer) return { ...answer, call: noted };
      const { structuredContent: _, ...plain } = answer.result;
      const result = fault.kind === "no-structured-content" ? plain : { ...plain, structuredContent: WRONG };
      return { result, call: { ...noted, result } };
    }
    default:
      return { ...answer, call: noted, fault };
  }
}

/** Fits no output schema that asks for anything. */
const WRONG = { "not what the schema says": true };
