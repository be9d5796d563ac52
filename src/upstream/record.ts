import type { Backend } from "../mcp/backend.ts";
import type { McpCallContext } from "../mcp/call/call-context.ts";
import type { CassetteWriter } from "./cassette.ts";
import type { CassetteNotification } from "./cassette-line.ts";

/** Passes everything on and writes each exchange down, once it is over. */
export function recordingBackend(backend: Backend, writer: CassetteWriter): Backend {
  return {
    ...backend,
    async answer(request, context) {
      if (OF_CONNECTION.includes(request.method)) return backend.answer(request, context);
      const startedAt = performance.now();
      const notifications: CassetteNotification[] = [];
      const elapsed = () => Math.round(performance.now() - startedAt);
      const answer = await backend.answer(request, listening(context, notifications, elapsed));
      const { method, params } = request;
      // A call that was given up has no answer.
      if (!context.signal.aborted)
        writer.write({ v: 1, kind: "mcp", method, params, ...answer, notifications, durationMs: elapsed() });
      return answer;
    },
  };
}

/** What says how a connection is used, and nothing of what it answers. */
const OF_CONNECTION = ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/** The context of a call, with an ear on what is told before its answer. */
function listening(context: McpCallContext, heard: CassetteNotification[], elapsed: () => number): McpCallContext {
  return {
    ...context,
    progress(progress, total, message) {
      const params = {
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      heard.push({ afterMs: elapsed(), method: "notifications/progress", params });
      context.progress(progress, total, message);
    },
    log(level, data, logger) {
      const params = { level, data, ...(logger === undefined ? {} : { logger }) };
      heard.push({ afterMs: elapsed(), method: "notifications/message", params });
      context.log(level, data, logger);
    },
  };
}
