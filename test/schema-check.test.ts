import { expect, test } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { compileSchema } from "../src/schema-check.ts";

const shape: JsonObject = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

test.each([
  ["no dialect", {}],
  ["2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema" }],
  ["draft 07, as many servers send it", { $schema: "http://json-schema.org/draft-07/schema#" }],
])("a schema of %s is checked", (_dialect, dialect) => {
  const compiled = compileSchema({ ...dialect, ...shape });
  if (!compiled.ok) throw new Error(compiled.problem);
  expect(compiled.check({ path: "a.txt" })).toEqual([]);
  expect(compiled.check({ path: 7 })).toEqual([{ path: "$.path", text: "must be string", keyword: "type" }]);
});

test("each dialect keeps to its own keywords", () => {
  const tuple: JsonObject = { type: "array", items: [{ type: "string" }], additionalItems: false };
  const draft07 = compileSchema({ $schema: "http://json-schema.org/draft-07/schema#", ...tuple });
  expect(draft07.ok && draft07.check(["a", "b"])).toEqual([
    { path: "$", text: "must NOT have more than 1 items", keyword: "additionalItems" },
  ]);
  expect(compileSchema(tuple).ok).toBe(false);
});

test("what is no schema says why", () => {
  expect(compileSchema({ type: "bogus" })).toMatchObject({ ok: false, problem: expect.stringContaining("type") });
});
