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
  exitCode: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
  delayMs: z.optional(delayMs),
  setState: z.optional(state),
};

const answer = fileObject(answerShape);

const command = fileObject({
  responses: z.optional(z.array(fileObject({ when: z.optional(when), ...answerShape }))),
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
