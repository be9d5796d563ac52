import * as z from "zod/mini";
import { fileObject, headers } from "../files/schema.ts";
import { jsonObject } from "../fixtures/entry-schema.ts";
import { expectation, mode, toolAnswers, unexpected } from "../fixtures/mock/schema.ts";

const texts = z.record(z.string(), z.string());

const programConfig = fileObject({
  command: z.string(),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  cwd: z.optional(z.string()),
});

/** Where a real server is: a program that speaks over stdio, or a URL of Streamable HTTP. */
export const upstreamConfig = z.union([
  programConfig,
  fileObject({ url: z.url({ error: "a URL" }), headers: z.optional(headers) }),
]);

/** What `proxy` and `record` take. Source: mock seed, "Transparent proxy". */
export const proxyFile = fileObject({
  schemaVersion: z.optional(z.literal(1)),
  upstream: upstreamConfig,
  /** Tools that are answered here; a call that none of their answers takes goes on to the server. */
  overrides: z.optional(z.record(z.string(), fileObject(toolAnswers))),
  /** Resources and prompts that are answered here, as blocks of `mcpFakes` have them. */
  resources: z.optional(z.array(jsonObject)),
  prompts: z.optional(z.array(jsonObject)),
  mode: z.optional(mode),
  unexpected: z.optional(unexpected),
  expectations: z.optional(z.array(expectation)),
  /** Values that no recording may hold. */
  redact: z.optional(z.array(z.string())),
});

export type ProgramConfig = z.infer<typeof programConfig>;
export type UpstreamConfig = z.infer<typeof upstreamConfig>;
export type ProxyFile = z.infer<typeof proxyFile>;
