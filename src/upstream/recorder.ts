import { existsSync, rmSync } from "node:fs";
import type { Backend } from "../mcp/backend.ts";
import { type Cassette, openCassette, readCassette } from "./cassette.ts";
import { connectUpstream, type UpstreamListener } from "./client.ts";
import type { UpstreamTold } from "./connection.ts";
import { recordingBackend } from "./record.ts";
import type { Redactor } from "./redact.ts";
import { type Replay, replayBackend } from "./replay.ts";
import type { UpstreamConfig } from "./schema.ts";

/**
 * When the real server is asked: never (`none`), only while there is no cassette (`once`), for what the cassette does
 * not hold (`new`), or always (`all`).
 */
export const RECORD_MODES = ["none", "once", "new", "all"] as const;

export type RecordMode = (typeof RECORD_MODES)[number];

export interface RecorderOptions {
  readonly upstream: UpstreamConfig;
  /** Path of the cassette. */
  readonly cassette: string;
  readonly mode: RecordMode;
  readonly redactor: Redactor;
  readonly listener: UpstreamListener;
}

/** What answers, and what it tells of itself. */
export interface Recorder {
  readonly backend: Backend;
  readonly told: UpstreamTold;
  close(): Promise<void>;
}

/** Opens what a record mode asks for. Rejects with an `Error` when it asks for a cassette that is not there. */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { mode, cassette } = options;
  switch (mode) {
    case "none":
      return replayOnly(options);
    case "once":
      return existsSync(cassette) ? replayOnly(options) : recordLive(options, null);
    case "new":
      return recordLive(options, existsSync(cassette) ? replayOf(readCassette(cassette), options) : null);
    case "all":
      return recordLive(options, null);
  }
}

/** Tells of itself what the recorded server told. Throws when the cassette holds no server. */
export function toldBy({ path, header }: Cassette): UpstreamTold {
  if (header === null) throw new Error(`${path} holds no recording of a server: its header line is missing`);
  const { server, protocolVersion, capabilities, instructions } = header;
  const { name, version } = server;
  const serverInfo = { ...server, name: String(name), version: String(version) };
  return { serverInfo, protocolVersion, capabilities, instructions };
}

// --- internal ---

function replayOf(cassette: Cassette, { redactor }: RecorderOptions): Replay {
  return replayBackend(cassette, { redactor, repeat: false, speed: "zero" });
}

function replayOnly(options: RecorderOptions): Recorder {
  if (!existsSync(options.cassette)) {
    throw new Error(
      `there is no cassette ${options.cassette}, and record mode "none" never asks the real server: record one first`,
    );
  }
  const cassette = readCassette(options.cassette);
  return { backend: replayOf(cassette, options), told: toldBy(cassette), async close() {} };
}

/** Asks the real server, except for what `known` holds. A new recording takes the old one's place once it has begun. */
async function recordLive(options: RecorderOptions, known: Replay | null): Promise<Recorder> {
  const { upstream: config, cassette, redactor, listener } = options;
  const upstream = await connectUpstream(config, listener);
  if (known === null) rmSync(cassette, { force: true });
  const writer = openCassette(cassette, redactor);
  if (known === null) writer.begin(upstream.told);
  const live = recordingBackend(upstream, writer);
  return {
    backend:
      known === null
        ? live
        : {
            ...live,
            answer: (request, context) =>
              known.has(request, context.request.testId)
                ? known.answer(request, context)
                : live.answer(request, context),
          },
    told: upstream.told,
    async close() {
      writer.close();
      await upstream.close();
    },
  };
}
