import { expect, test } from "vitest";
import { FixtureLoadError, loadErrorOf, MCP_FAKE_ERROR_CODES, McpFakesAddError } from "../src/errors.ts";

const warning = { file: "b.json", blockId: "b.json", entryId: "b.json:t#1", message: "shadowed" };
const noScope = new FixtureLoadError({ rule: "mcp-fakes/bad-block:a", file: "b.json", detail: "block has no scope" });
const badEntry = new FixtureLoadError({
  rule: "mcp-fakes/bad-block:d",
  file: "b.json",
  blockId: "b.json",
  entryId: "b.json:t#0",
  detail: 'tool "t" calls[0] must be an object, got <a hole in a sparse array>',
});

test("the four codes of a wrong scenario", () => {
  expect(MCP_FAKE_ERROR_CODES).toEqual({
    MCP_FAKE_NOT_DECLARED: -32602,
    MCP_FAKE_MISMATCH: -32602,
    MCP_FAKE_EXHAUSTED: -31010,
    MCP_FAKE_EVICTED: -31011,
  });
});

test("a message names file, block and entry", () => {
  expect(badEntry.message).toBe(
    '"b.json", block "b.json", entry "b.json:t#0": [mcp-fakes/bad-block:d] tool "t" calls[0] must be an object, got <a hole in a sparse array>',
  );
  expect(noScope.message).toBe('"b.json": [mcp-fakes/bad-block:a] block has no scope');
});

test("a problem of no file says so", () => {
  const error = new FixtureLoadError({ rule: "mcp-fakes/mount-conflict", file: null, blockId: null, detail: "taken" });
  expect(error.message).toBe("<no file>: [mcp-fakes/mount-conflict] taken");
});

test("a message is one line, each part cut to 200 characters", () => {
  const long = "x".repeat(300);
  const error = new FixtureLoadError({
    rule: "mcp-fakes/bad-block:a",
    file: `a\n${long}`,
    blockId: long,
    entryId: long,
    detail: `${long}\n`,
  });
  expect(error.message).toBe(
    `"a\\n${"x".repeat(178)}… (123 more chars), block "${"x".repeat(181)}… (120 more chars), entry "${"x".repeat(181)}… (120 more chars): [mcp-fakes/bad-block:a] ${"x".repeat(182)}… (124 more chars)`,
  );
});

test("toJSON gives the fields, ids only when the problem has them", () => {
  expect(JSON.parse(JSON.stringify(badEntry))).toEqual({
    name: "FixtureLoadError",
    rule: "mcp-fakes/bad-block:d",
    file: "b.json",
    message: badEntry.message,
    blockId: "b.json",
    entryId: "b.json:t#0",
  });
  expect(Object.keys(noScope.toJSON())).toEqual(["name", "rule", "file", "message"]);
});

test("several problems are one error that holds them all", () => {
  const error = new McpFakesAddError([badEntry, noScope, noScope], [warning]);
  expect(error.message).toBe(`${badEntry.message} (and 2 more errors)`);
  expect(new McpFakesAddError([badEntry, noScope], []).message).toBe(`${badEntry.message} (and 1 more error)`);
  expect(new McpFakesAddError([badEntry], []).message).toBe(badEntry.message);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "McpFakesAddError",
    rule: "mcp-fakes/bad-block:d",
    file: "b.json",
    message: error.message,
    blockId: "b.json",
    entryId: "b.json:t#0",
    errors: [badEntry.toJSON(), noScope.toJSON(), noScope.toJSON()],
    warnings: [warning],
  });
});

test("a lone problem without warnings stays itself", () => {
  expect(loadErrorOf([noScope])).toBe(noScope);
  expect(loadErrorOf([noScope], [warning]).name).toBe("McpFakesAddError");
  expect(loadErrorOf([noScope, badEntry]).name).toBe("McpFakesAddError");
});

test("load errors are known by name, also those of another copy of the module", () => {
  const ofAnotherCopy = Object.assign(new Error("x"), { name: "McpFakesAddError", rule: "mcp-fakes/bad-block:a" });
  expect([noScope, new McpFakesAddError([noScope], []), ofAnotherCopy].every(FixtureLoadError.is)).toBe(true);
  expect(
    [new Error("x"), null, undefined, "FixtureLoadError", { name: "FixtureLoadError" }].some(FixtureLoadError.is),
  ).toBe(false);
});
