import { mergeVerdicts } from "../fakes/expectations.ts";
import { jsonReply } from "../http/exchange.ts";
import type { Identity } from "../identity.ts";
import { reportOn } from "../journal/report.ts";
import { ControlError, type ControlRequest } from "./request.ts";
import type { Param, Route } from "./route.ts";
import type { ControlDependencies } from "./routes.ts";
import { BLOCK_SNAPSHOT, COUNT, list, object, orNull, REPORT, TEXT, VERDICT } from "./schemas.ts";

const IDENTITY = {
  testId: { kind: "text", meaning: "The test id" },
  context: { kind: "text", meaning: "The context" },
} as const satisfies Record<string, Param>;

/** Looking at the fakes that apply to a test id and context, and removing blocks. */
export function fakesRoutes({ fakes, journal, tests, turns }: ControlDependencies): Route[] {
  return [
    {
      route: "GET /mcp/fakes",
      summary: "The blocks that apply to a test id and context, and which of their entries are used",
      params: { ...IDENTITY, mount: { kind: "text", meaning: "One mount alone" } },
      ok: object({
        testId: orNull(TEXT),
        context: orNull(TEXT),
        mounts: list(object({ mount: TEXT, blocks: list(BLOCK_SNAPSHOT) })),
      }),
      errors: [404],
      answer({ params }) {
        const identity = identityOf(params);
        const mocks = fakes.mocks().filter(({ mount }) => params.mount === undefined || mount === params.mount);
        if (mocks.length === 0 && params.mount !== undefined) {
          throw new ControlError(404, `No MCP mount at ${JSON.stringify(params.mount)}`);
        }
        const mounts = mocks.map(({ mount, fakes: store }) => ({ mount, blocks: store.snapshot(identity) }));
        return jsonReply(200, { testId: identity.testId, context: identity.context, mounts });
      },
    },
    {
      route: "DELETE /mcp/fakes",
      summary: "Removes one block, or all blocks scoped to a test; exactly one of the two must be given",
      params: {
        blockId: { kind: "text", meaning: "The block" },
        testId: { kind: "text", meaning: "The test whose blocks go" },
      },
      ok: object({ removed: COUNT }),
      errors: [404],
      answer({ params }) {
        const { blockId, testId } = params;
        if ((blockId === undefined) === (testId === undefined)) {
          throw new ControlError(
            400,
            "Expected one of 'blockId' and 'testId': which block, or which test's blocks, to remove",
          );
        }
        const removed = fakes.mocks().reduce((count, { fakes: store }) => {
          const here = blockId === undefined ? store.removeScopedTo(testId ?? "") : Number(store.removeBlock(blockId));
          return count + here;
        }, 0);
        if (removed === 0 && blockId !== undefined) throw new ControlError(404, `No block ${JSON.stringify(blockId)}`);
        return jsonReply(200, { removed });
      },
    },
    {
      route: "GET /verdict",
      summary: "Whether a test did what the expectations of fixtures say",
      params: IDENTITY,
      ok: VERDICT,
      errors: [404],
      answer({ params }) {
        const identity = identityOf(params);
        const verdicts = fakes.mocks().flatMap(({ fakes: store }) => store.verdict(identity) ?? []);
        if (verdicts.length === 0)
          throw new ControlError(404, "No loaded fixture has a script for this test id and context");
        return jsonReply(200, mergeVerdicts(verdicts));
      },
    },
    {
      route: "GET /mcp/fakes/report",
      summary: "What was served, what failed and what is left for a test id and context",
      params: IDENTITY,
      ok: REPORT,
      answer: ({ params }) =>
        jsonReply(200, reportOn({ journal, tests, mocks: fakes.mocks(), turns }, identityOf(params))),
    },
  ];
}

function identityOf({ testId, context }: ControlRequest["params"]): Identity {
  return { testId: testId ?? null, context: context ?? null, undeclared: null };
}
