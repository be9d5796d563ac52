import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { endProgram, startProgram } from "./program.ts";
import type { ProgramConfig } from "./schema.ts";

/** What says to the official client that it speaks to a program. */
interface OfProgram {
  readonly stderr: null;
  readonly pid: null;
}

/**
 * A program that speaks over its standard input and output, in place of the official client's own transport, which ends
 * the program alone and not what it has started (`npx`, a shell). `print` gets what it says on stderr.
 */
export function createProgramTransport(config: ProgramConfig, print: (text: string) => void): Transport & OfProgram {
  const buffer = new ReadBuffer();
  let child: ChildProcess | null = null;

  function receive(chunk: Buffer): void {
    try {
      buffer.append(chunk);
    } catch (error) {
      fail(error);
      void transport.close();
    }
    while (receiveOne());
  }

  /** False when there is no whole message; a line that is none is told and passed over. */
  function receiveOne(): boolean {
    try {
      const message = buffer.readMessage();
      if (message !== null) transport.onmessage?.(message);
      return message !== null;
    } catch (error) {
      fail(error);
      return true;
    }
  }

  function fail(error: unknown): void {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  async function whenEnded(ended: ChildProcess): Promise<void> {
    await once(ended, "exit");
    // Its last words are still on their way; what it leaves behind could hold its pipes open for ever.
    await Promise.race([once(ended, "close"), setTimeout(LAST_WORDS_MS, undefined, { ref: false })]);
    await endProgram(ended);
    transport.onclose?.();
  }

  const transport: Transport & OfProgram = {
    stderr: null,
    pid: null,
    async start() {
      const started = startProgram({ ...config, env: { ...getDefaultEnvironment(), ...config.env } });
      child = started;
      started.stdin?.on("error", fail);
      started.stdout?.on("data", receive);
      started.stderr?.setEncoding("utf8").on("data", print);
      await once(started, "spawn");
      started.on("error", fail);
      whenEnded(started).catch(fail);
    },
    async send(message) {
      if (!child?.stdin?.writable) throw new Error("the program has ended");
      if (!child.stdin.write(serializeMessage(message))) await once(child.stdin, "drain");
    },
    async close() {
      if (child !== null) await endProgram(child);
      buffer.clear();
    },
  };
  return transport;
}

// --- internal ---

const LAST_WORDS_MS = 200;
