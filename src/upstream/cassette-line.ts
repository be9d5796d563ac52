import * as z from "zod/mini";
import { json } from "../files/schema.ts";
import { commandRun } from "../journal/command-run.ts";

/** The first line of a cassette that holds exchanges with a server. */
const header = z.strictObject({
  v: z.literal(1),
  kind: z.literal("header"),
  /** When the recording began, ISO 8601. */
  time: z.string(),
  /** What the server called itself. */
  server: z.record(z.string(), json),
  protocolVersion: z.string(),
  capabilities: z.record(z.string(), json),
  instructions: z.nullable(z.string()),
});

/** A message that the server sent before its answer. */
const notification = z.strictObject({
  /** Milliseconds after the request. */
  afterMs: z.number(),
  method: z.string(),
  params: json,
});

const exchange = z.strictObject({
  v: z.literal(1),
  kind: z.literal("mcp"),
  method: z.string(),
  params: json,
  /** What was answered: exactly one of the two. */
  result: z.optional(json),
  error: z.optional(z.strictObject({ code: z.number(), message: z.string(), data: z.optional(json) })),
  notifications: z.array(notification),
  durationMs: z.number(),
});

const cli = z.strictObject({
  v: z.literal(1),
  kind: z.literal("cli"),
  ...commandRun,
  signal: z.nullable(z.string()),
  durationMs: z.number(),
});

/** One line of a cassette. Source: scripting sheet, 4. */
export const cassetteLine = z.discriminatedUnion("kind", [header, exchange, cli]);

export type CassetteHeader = z.infer<typeof header>;
export type CassetteExchange = z.infer<typeof exchange>;
export type CassetteNotification = z.infer<typeof notification>;
export type CassetteRun = z.infer<typeof cli>;
export type CassetteLine = z.infer<typeof cassetteLine>;
