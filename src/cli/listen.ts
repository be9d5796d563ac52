import { LLMock } from "../llmock.ts";
import type { LLMockOptions } from "../options.ts";
import { UsageError } from "./command.ts";

/** An option that the server refuses is wrong use of the command line. */
export function createServer(options: LLMockOptions): LLMock {
  try {
    return new LLMock(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message.replace(/^LLMock options: /, ""));
  }
}

/** Opens the port. One that is taken is told with what to do. */
export async function listen(llm: LLMock, port: unknown): Promise<string> {
  try {
    return await llm.start();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") throw error;
    throw new Error(
      `port ${port} is taken: stop what listens there, choose another with --port, or --port 0 for a free one`,
    );
  }
}

/** What is no number stays as it is: the server says what it must be, beside all else that is wrong. */
export function numberOf(text: unknown): unknown {
  return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text;
}
