import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/json.ts";
import { createRedactor } from "../../src/upstream/redact.ts";

const GITHUB = "ghp_abcdefghijklmnopqrstuvwx";

test.each<[string, Json, Json]>([
  [
    "a secret's key",
    { apiKey: "k-1", api_key: 7, user: "ada" },
    { apiKey: "[redacted]", api_key: "[redacted]", user: "ada" },
  ],
  ["a key at any depth", { a: [{ clientSecret: { id: "x" } }] }, { a: [{ clientSecret: "[redacted]" }] }],
  ["a bearer", "curl -H 'Authorization: Bearer abc.def'", "curl -H 'Authorization: [redacted]'"],
  ["a well-known prefix", `use ${GITHUB} here`, "use [redacted] here"],
  [
    "an assignment",
    "https://x/?api_key=abc&q=1 password: 'p4ss'",
    "https://x/?api_key=[redacted]&q=1 password: '[redacted]'",
  ],
  ["JSON inside a text", '{"token":"t-1","n":1}', '{"token":"[redacted]","n":1}'],
  ["JSON without a secret", '{ "n" : 1 }', '{ "n" : 1 }'],
  [
    "counts and the wire's own",
    { max_tokens: 5, progressToken: "p", token: true },
    { max_tokens: 5, progressToken: "p", token: true },
  ],
  [
    "schemas",
    { inputSchema: { properties: { password: { type: "string" } } } },
    { inputSchema: { properties: { password: { type: "string" } } } },
  ],
])("%s", (_what, value, redacted) => {
  expect(createRedactor().redact(value)).toEqual(redacted);
});

test("listed values go wherever they stand", () => {
  expect(createRedactor(["hunter2"]).redact({ text: "it is hunter2!", list: ["hunter2"] })).toEqual({
    text: "it is [redacted]!",
    list: ["[redacted]"],
  });
});

test("a value once seen under a secret's key is found anywhere after", () => {
  const redactor = createRedactor();
  redactor.learn({ headers: { Authorization: "Bearer s3cr3t-value" } });
  expect(redactor.redact({ params: { token: "tok-12345" }, result: "Echo: tok-12345 and s3cr3t-value" })).toEqual({
    params: { token: "[redacted]" },
    result: "Echo: [redacted] and [redacted]",
  });
  expect(redactor.redact("later: tok-12345")).toBe("later: [redacted]");
});

test("redacting again changes nothing, so that a recording is found by what comes in", () => {
  const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
  fc.assert(
    fc.property(json, fc.string({ minLength: 5 }), (value, secret) => {
      const redactor = createRedactor();
      const once = redactor.redact({ value: value as Json, token: secret });
      expect(redactor.redact(once)).toEqual(once);
    }),
  );
});
