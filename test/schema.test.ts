import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FORMATS, schemaText } from "../schema/formats.ts";
import { FixtureLoadError } from "../src/errors.ts";
import { loadFixtureFileWithServices } from "../src/fixtures/loaders.ts";
import { readCliFixture } from "../src/shims/read-cli-fixture.ts";
import { runCommand } from "./_support/cli.ts";
import { tempFile, tempFolder } from "./_support/temp.ts";

const ROOT = resolve(import.meta.dirname, "..");

test.each(FORMATS)("schema/$name.schema.json is what the checks of the format make (npm run schema)", (format) => {
  expect(readFileSync(join(ROOT, "schema", `${format.name}.schema.json`), "utf8")).toBe(schemaText(format));
});

const EXAMPLES = readdirSync(join(ROOT, "fixtures"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".json") && !name.startsWith("invalid"),
);

test.each(EXAMPLES)("the shipped example %s fits its schema", (name) => {
  const file = JSON.parse(readFileSync(join(ROOT, "fixtures", name), "utf8"));
  expect(schemaProblems("mcpFakes" in file || "fixtures" in file ? "fakes" : "mock", file)).toEqual([]);
});

test.each(["fakes", "server", "cli"])("what init %s writes names its schema, and fits it", async (kind) => {
  const path = join(tempFolder(), "project/fixtures/a.json");
  await runCommand("init", kind, path);
  const file = JSON.parse(readFileSync(path, "utf8"));

  const [, name = ""] = /node_modules\/mcp-fakes\/schema\/(\w+)\.schema\.json$/.exec(file.$schema) ?? [];
  expect(resolve(join(path, ".."), file.$schema)).toBe(resolve(`node_modules/mcp-fakes/schema/${name}.schema.json`));
  expect(schemaProblems(name, file)).toEqual([]);
});

// --- files that nobody would write: each loads, or is refused with all that is wrong ---

const word = fc.constantFrom("a", "b.c", "", "t");
const value = fc.oneof(word, fc.integer({ min: -1, max: 3 }), fc.boolean(), fc.constant(null), fc.constant([]));
const loose = (keys: readonly string[], of: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...keys), of, { maxKeys: 4, noNullPrototype: true });

const whenKeys = ["args", "exact", "argsMatch", "callIndex", "callCount", "state", "wen"];
const when = loose(whenKeys, fc.oneof(value, loose(["a", "min", "max"], value)));
const answerKeys = ["text", "content", "structuredContent", "isError", "error", "delayMs", "timeout", "setState"];
const answer = loose(
  answerKeys,
  fc.oneof(value, fc.record({ code: fc.integer(), message: word }), fc.constant([{ type: "text", text: "x" }])),
);
const response = fc.oneof(
  answer,
  fc.tuple(answer, when).map(([given, condition]) => ({ ...given, when: condition })),
);
const tool = loose(
  ["name", "responses", "sequence", "default", "inputSchema", "nam"],
  fc.oneof(word, answer, fc.array(response, { maxLength: 2 })),
);
const expectation = loose(["tool", "when", "min", "max", "response"], fc.oneof(word, fc.nat(3), answer, when));
const mockFile = fc
  .tuple(
    fc.array(tool, { maxLength: 2 }),
    loose(
      ["mode", "scope", "server", "expectations", "schemaVersion", "unexpected"],
      fc.oneof(value, fc.array(expectation)),
    ),
  )
  .map(([tools, more]) => ({ tools, ...more }));

test("a generated mock file loads, or is refused with a place for each problem", () => {
  let taken = 0;
  const path = tempFile("a.json", {});
  fc.assert(
    fc.property(mockFile, (file) => {
      writeFileSync(path, JSON.stringify(file));
      const errors = problemsOf(path);
      if (errors.length === 0) {
        taken++;
        expect(schemaProblems("mock", file)).toEqual([]);
      }
      for (const { message } of errors) expect(message).toMatch(/\[mock-fixture\/bad-file\] line \d+, column \d+: \$/);
      // The schema is what an editor checks: it never warns of a file that loads.
      if (schemaProblems("mock", file).length > 0) expect(errors).not.toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(0);
});

const call = loose(
  ["id", "args", "anyArgs", "result", "error", "times", "optional", "partialArgs", "state", "delayMs", "anyArg"],
  fc.oneof(value, loose(["a", "min", "max"], value)),
);
const fakesFile = fc
  .tuple(
    fc.oneof(value, fc.constant("shared"), loose(["testId", "context"], word)),
    fc.array(fc.record({ name: word, calls: fc.array(call, { maxLength: 2 }) }), { maxLength: 2 }),
  )
  .map(([scope, tools]) => ({ mcpFakes: { scope, tools } }));

test("a generated file of fakes that loads fits the schema", () => {
  const path = tempFile("a.json", {});
  fc.assert(
    fc.property(fakesFile, (file) => {
      writeFileSync(path, JSON.stringify(file));
      if (problemsOf(path).length === 0) expect(schemaProblems("fakes", file)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const cliFile = fc.dictionary(
  fc.constantFrom("git", "../x", "gh"),
  loose(
    ["responses", "sequence", "default", "passthrough", "unavailable"],
    fc.oneof(value, fc.array(loose(["stdout", "exitCode", "when"], value))),
  ),
  { noNullPrototype: true },
);

test("a generated file of commands that loads fits the schema", () => {
  const path = tempFile("cli.json", {});
  fc.assert(
    fc.property(cliFile, (commands) => {
      const file = { commands };
      writeFileSync(path, JSON.stringify(file));
      try {
        readCliFixture(path);
      } catch (error) {
        expect(String(error)).toMatch(/is no fixture of commands:\n {2}\$\.commands/);
        return;
      }
      expect(schemaProblems("cli", file)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

/** Every problem of a file. */
function problemsOf(path: string): readonly { message: string }[] {
  try {
    loadFixtureFileWithServices(path);
    return [];
  } catch (error) {
    if (!FixtureLoadError.is(error)) throw error;
    return "errors" in error && Array.isArray(error.errors) ? error.errors : [error];
  }
}

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const validators = new Map(FORMATS.map((format) => [format.name, ajv.compile(JSON.parse(schemaText(format)))]));

function schemaProblems(name: string, file: unknown): string[] {
  const validate = validators.get(name);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate(file) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
