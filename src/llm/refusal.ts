import { who } from "../fakes/who.ts";
import type { Identity } from "../identity.ts";
import type { Closest } from "./closest.ts";
import type { ErrorReply } from "./reply.ts";

/** Why a request gets no scripted answer. `invalid` is the client's fault, the others are the scenario's. */
export type Refusal =
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "no_match"; readonly closest: Closest | null; readonly outOfTurn: number }
  | { readonly kind: "evicted"; readonly cap: number }
  | { readonly kind: "test_ended" };

/** A refusal as an error of the provider. The status and code of a miss are the reference's (fakes-wire 11.3). */
export function refusalReply(refusal: Refusal, asker: { identity: Identity; strict: boolean }): ErrorReply {
  const { identity, strict } = asker;
  switch (refusal.kind) {
    case "invalid":
      return error(400, refusal.reason, null);
    case "no_match":
      return error(strict ? 503 : 404, missText(refusal, { identity, strict }), "no_fixture_match");
    case "evicted":
      return error(
        409,
        `The counts of this test id were dropped by the cap of ${refusal.cap} test ids, so no sequence can be told; reset before reusing it (${who(identity)}).`,
        "fixture_counts_evicted",
      );
    case "test_ended":
      return error(
        410,
        `This test has ended: its agent is still asking the model (${who(identity)}). Await the agent in the test, or stop it.`,
        "test_ended",
      );
  }
}

function missText(
  { closest, outOfTurn }: Refusal & { kind: "no_match" },
  { identity, strict }: { identity: Identity; strict: boolean },
): string {
  const skipped = outOfTurn > 0 ? `${outOfTurn} candidate fixture(s) skipped by sequence/turn state` : null;
  const what = strict
    ? `Strict mode: ${skipped ?? "no fixture matched"}`
    : `No fixture matched${skipped === null ? "" : `: ${skipped}`}`;
  if (closest === null) return `${what} (${who(identity)}). No fixture is loaded that this request could see.`;
  return `${what} (${who(identity)}). Closest: ${closest.fixtureId}; ${closest.differences.join("; ")}.`;
}

function error(status: number, message: string, code: string | null): ErrorReply {
  return { kind: "error", status, message, type: null, param: null, code, retryAfter: null };
}
