import type { Journal } from "../journal/journal.ts";
import { openLog } from "../journal/jsonl.ts";
import { logJournal, verdictLine } from "../journal/log-journal.ts";
import type { Logger } from "../logger.ts";
import type { MountedMock } from "./fake-mounts.ts";

/** The call log of one server. */
export interface CallLogFile {
  /** Writes the verdicts that nobody asked for, and closes the file. */
  close(): void;
}

export interface CallLogSources {
  readonly journal: Journal;
  mocks(): readonly MountedMock[];
  logger(): Logger;
}

/** Logs the calls of a server's mocks from now on. Throws an `Error` that names the file when it cannot be had. */
export function openCallLog(path: string, { journal, mocks, logger }: CallLogSources): CallLogFile {
  const writer = open(path);
  const failed = (error: unknown) =>
    logger().error(
      `The call log ${path} cannot be written any more: ${error instanceof Error ? error.message : error}`,
    );
  const serverAt = (mount: string) =>
    mocks()
      .find((mock) => mock.mount === mount)
      ?.parts.serverName() ?? mount;
  logJournal(journal, { serverAt, writer, failed });
  return {
    close() {
      try {
        for (const { fakes, parts } of mocks()) {
          for (const { testId, verdict } of fakes.pendingVerdicts()) {
            writer.write(verdictLine(verdict, { server: parts.serverName(), testId }));
          }
        }
      } catch (error) {
        failed(error);
      }
      writer.close();
    },
  };
}

function open(path: string): ReturnType<typeof openLog> {
  try {
    return openLog(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the call log ${path} cannot be written (${why}): name another with --log, MOCKMCP_LOG or the log option`,
    );
  }
}
