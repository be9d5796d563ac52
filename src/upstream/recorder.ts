import { existsSync, readFileSync, rmSync, truncateSync } from "node:fs";
import type { Backend } from "../mcp/backend.ts";
import { type Cassette, type CassetteWriter, openCassette } from "./cassette.ts";
import { lockCassette } from "./cassette-lock.ts";
import { connectUpstream, type UpstreamListener } from "./client.ts";
import type { UpstreamTold } from "./connection.ts";
import { recordingBackend } from "./record.ts";
import type { Redactor } from "./redact.ts";
import { type Replay, replayBackend } from "./replay.ts";
import type { UpstreamConfig } from "./schema.ts";

/**
 * When the real server is asked: never (`none`), only while nothing is recorded (`once`), for what the cassette does
 * not hold (`new`), or always (`all`).
 */
export const RECORD_MODES = ["none", "once", "new", "all"] as const;

export type RecordMode = (typeof RECORD_MODES)[number];

export interface RecorderOptions {
  readonly upstream: UpstreamConfig;
  /** Path of the cassette. */
  readonly cassette: string;
  /** What it holds; `null` while there is none. */
  readonly known: Cassette | null;
  readonly mode: RecordMode;
  readonly redactor: Redactor;
  readonly listener: UpstreamListener;
}

/** What answers, and what it tells of itself. */
export interface Recorder {
  readonly backend: Backend;
  readonly told: UpstreamTold;
  /** The names of the server's tools, while no client has come. Rejects when there is no server to ask. */
  toolNames(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Opens what a record mode asks for. Rejects with an `Error` when it asks for a cassette that is not there, or one that
 * another process records.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { mode, cassette, known } = options;
  switch (mode) {
    case "none":
      if (known === null) {
        throw new Error(
          `there is no cassette ${cassette}, and record mode "none" never asks the real server: record one first`,
        );
      }
      return replayOnly(known, options);
    case "once":
      return known === null || known.exchanges.length === 0 ? recordLive(options, known) : replayOnly(known, options);
    case "new":
      return recordLive(options, known);
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

function replayOnly(cassette: Cassette, options: RecorderOptions): Recorder {
  return {
    backend: replayOf(cassette, options),
    told: toldBy(cassette),
    toolNames: () => Promise.reject(new Error("a recording is answered from")),
    async close() {},
  };
}

/** Asks the real server, except for what `known` holds. A new recording takes the old one's place once it has begun. */
async function recordLive(options: RecorderOptions, known: Cassette | null): Promise<Recorder> {
  const unlock = lockCassette(options.cassette);
  try {
    const upstream = await connectUpstream(options.upstream, options.listener);
    const writer = openWriter(upstream.told, options, known);
    const live = recordingBackend(upstream, writer);
    return {
      backend: known === null ? live : answeringFirst(replayOf(known, options), live),
      told: upstream.told,
      toolNames: upstream.toolNames,
      async close() {
        writer.close();
        unlock();
        await upstream.close();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openWriter(
  told: UpstreamTold,
  { cassette, mode, redactor }: RecorderOptions,
  known: Cassette | null,
): CassetteWriter {
  if (mode === "all" || isEmpty(known)) rmSync(cassette, { force: true });
  const isNew = !existsSync(cassette);
  if (known !== null && known.tornLine !== null) dropTornLine(cassette);
  const writer = openCassette(cassette, redactor);
  if (isNew || known?.header === null) writer.begin(told);
  return writer;
}

/** A header alone is left by a recorder that no answer reached; the server may tell of itself anew. */
function isEmpty(known: Cassette | null): boolean {
  return known !== null && known.exchanges.length === 0 && known.runs.length === 0;
}

/** What would make one line of the torn one and the next. */
function dropTornLine(path: string): void {
  truncateSync(path, readFileSync(path).lastIndexOf("\n") + 1);
}

function answeringFirst(replay: Replay, live: Backend): Backend {
  return {
    ...live,
    answer: (request, context) =>
      replay.has(request, context.request.testId) ? replay.answer(request, context) : live.answer(request, context),
  };
}
