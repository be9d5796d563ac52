import type { Identity } from "../identity.ts";
import type { ClaimsDependencies } from "./claims.ts";
import type { Verdict } from "./expectations.ts";

/** Whether tests did what the plans that apply to them expect. */
export interface Verdicts {
  /** The verdict, when the tool is the reserved one that asks for it; it is then final until the test's next call. */
  finalize(tool: string, identity: Identity): Verdict | null;
  /** `null` when no plan applies. */
  verdict(identity: Identity): Verdict | null;
  /** The verdicts that were not asked for since their test's last call. */
  pendingVerdicts(): { readonly testId: string | null; readonly verdict: Verdict }[];
}

export function createVerdicts({ loaded, consumption, plans }: ClaimsDependencies): Verdicts {
  return {
    finalize(tool, identity) {
      const scripts = loaded.scripts(identity);
      if (scripts.every(({ finalizeTool }) => finalizeTool !== tool)) return null;
      return plans.finalize(identity.testId, scripts);
    },
    verdict(identity) {
      const scripts = loaded.scripts(identity);
      return scripts.length === 0 ? null : plans.verdict(identity.testId, scripts);
    },
    pendingVerdicts() {
      return consumption.testIds().flatMap((testId) => {
        const scripts = loaded.scripts({ testId, context: null, undeclared: null });
        const verdict = plans.pending(testId, scripts);
        return verdict === null ? [] : [{ testId, verdict }];
      });
    },
  };
}
