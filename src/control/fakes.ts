import { jsonReply } from "../http/exchange.ts";
import type { Identity } from "../identity.ts";
import { reportOn } from "../journal/report.ts";
import { ControlError, type ControlRequest } from "./request.ts";
import type { ControlDependencies, Route } from "./routes.ts";

/** Looking at the fakes that apply to a test id and context, and removing blocks. */
export function fakesRoutes({ fakes, journal, tests }: ControlDependencies): Route[] {
  return [
    {
      route: "GET /mcp/fakes",
      params: ["testId", "context", "mount"],
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
      params: ["blockId", "testId"],
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
      route: "GET /mcp/fakes/report",
      params: ["testId", "context"],
      answer: ({ params }) => jsonReply(200, reportOn({ journal, tests, mocks: fakes.mocks() }, identityOf(params))),
    },
  ];
}

function identityOf({ testId, context }: ControlRequest["params"]): Identity {
  return { testId: testId ?? null, context: context ?? null, undeclared: null };
}
