import * as z from "zod/mini";
import { fileObject } from "../files/schema.ts";
import { delayMs, range, state } from "../fixtures/entry-schema.ts";

// A fixture of commands as its file has it. Source: scripting sheet, 5.

const words = z.array(z.string());

/** What a run must be like. All that is given must hold. */
const when = fileObject({
  args: z.optional(words),
  exact: z.optional(z.boolean()),
  argsMatch: z.optional(z.string()),
  stdinMatch: z.optional(z.string()),
  callIndex: z.optional(z.int().check(z.minimum(0))),
  callCount: z.optional(range),
  state: z.optional(state),
}).check(z.refine(({ args, exact }) => exact === undefined || args !== undefined, "has exact without args"));

const answerShape = {
  stdout: z.optional(z.string()),
  stderr: z.optional(z.string()),
  /** Output that is no UTF-8 text, in place of `stdout` and `stderr`. */
  stdoutBase64: z.optional(z.base64()),
  stderrBase64: z.optional(z.base64()),
  exitCode: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
  delayMs: z.optional(delayMs),
  setState: z.optional(state),
};

/** An output is given once. */
const saidTwice = z.refine<CliAnswer>(
  (said) =>
    (said.stdout === undefined || said.stdoutBase64 === undefined) &&
    (said.stderr === undefined || said.stderrBase64 === undefined),
  "has an output both as text and as base64",
);

const answer = fileObject(answerShape).check(saidTwice);

const command = fileObject({
  responses: z.optional(z.array(fileObject({ when: z.optional(when), ...answerShape }).check(saidTwice))),
  sequence: z.optional(z.array(answer).check(z.minLength(1))),
  default: z.optional(answer),
  passthrough: z.optional(z.boolean()),
  unavailable: z.optional(z.boolean()),
});

/** A command's name is a file's name: it goes into a folder, and nowhere else. */
const commandName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, "is no name of a command"));

export const cliFile = fileObject({
  schemaVersion: z.optional(z.literal(1)),
  commands: z.record(commandName, command),
  /** Values that no recording may hold. */
  redact: z.optional(words),
});

export type CliFile = z.infer<typeof cliFile>;
export type CliCommandFixture = z.infer<typeof command>;
export type CliAnswer = z.infer<typeof answer>;
export type CliWhen = z.infer<typeof when>;
