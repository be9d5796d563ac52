import type { Fact } from "../fakes/fact.ts";
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
export function distort(answer: SentAnswer, fault: Fault, fact: Fact): SentAnswer {
  const noted: Fact = { ...fact, fault: fault.kind };
  switch (fault.kind) {
    case "tool-gone": {
      const { error }: { error: RpcError } = rpcError(RPC.invalidParams, `Unknown tool: ${fact.tool}`);
      return { error, fact: { ...noted, result: null, error } };
    }
    case "no-structured-content":
    case "bad-structured-content": {
      if ("error" in answer) return { ...answer, fact: noted };
      const { structuredContent: _, ...plain } = answer.result;
      const result = fault.kind === "no-structured-content" ? plain : { ...plain, structuredContent: WRONG };
      return { result, fact: { ...noted, result } };
    }
    default:
      return { ...answer, fact: noted, fault };
  }
}

/** Fits no output schema that asks for anything. */
const WRONG = { "not what the schema says": true };
