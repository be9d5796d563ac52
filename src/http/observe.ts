import type { IncomingMessage, ServerResponse } from "node:http";

/** A request as a counter sees it. */
export interface SeenRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** `destroyed` when the connection was torn before the answer was out. */
  readonly status: number | "destroyed";
  readonly seconds: number;
}

/** Tells of a request once its answer is out, or its connection is gone. */
export function observeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  observe: (seen: SeenRequest) => void,
): void {
  const startedAt = performance.now();
  response.once("close", () =>
    observe({
      method: request.method ?? "GET",
      path: (request.url ?? "/").split("?", 1)[0] ?? "/",
      status: response.writableFinished ? response.statusCode : "destroyed",
      seconds: (performance.now() - startedAt) / 1000,
    }),
  );
}
