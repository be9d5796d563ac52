import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/json.ts";
import { createRedactor } from "../../src/upstream/redact.ts";
import { redactedArgs } from "../../src/upstream/redacted-args.ts";

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
  ["JSON that is indented", '{\n  "token": "t-1",\n  "on": true\n}', '{\n  "token": "[redacted]",\n  "on": true\n}'],
  [
    "JSON that says whether there is a secret",
    '{"token":true,"has_secret":"yes","cookie":null}',
    '{"token":true,"has_secret":"yes","cookie":null}',
  ],
  [
    "JSON among words",
    'got {"token": 12345, "cookie": {"n": 1}, "password": "a b, c", "secret": false, "the token:": "x"}',
    'got {"token": "[redacted]", "cookie": {"n": 1}, "password": "[redacted]", "secret": false, "the token:": "x"}',
  ],
  [
    "JSON in a text of JSON among words",
    String.raw`got "{\"token\":\"t-1\",\"n\":1}"`,
    String.raw`got "{\"token\":\"[redacted]\",\"n\":1}"`,
  ],
  [
    "places in a list, and whether there is a secret",
    { nextPageToken: "p-2", next_token: "n", syncToken: "s", has_secret: "yes", isToken: "x", asyncToken: "secret" },
    {
      nextPageToken: "p-2",
      next_token: "n",
      syncToken: "s",
      has_secret: "yes",
      isToken: "x",
      asyncToken: "[redacted]",
    },
  ],
  ["a place in a list inside a text", "/items?pageToken=p-2&token=t", "/items?pageToken=p-2&token=[redacted]"],
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

test("a text of JSON stays one, whatever is taken out of it", () => {
  const word = fc.constantFrom("token", "has_secret", "n", "password", "12345", "the token:", "a, token: b");
  const leaf = fc.oneof(word, fc.constantFrom(12345, true, null, "planted"));
  const value = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("json")), fc.dictionary(word, tie("json"))),
  })).json;
  fc.assert(
    fc.property(value, (json) => {
      const redactor = createRedactor(["12345", "planted"]);
      const text = redactor.redact(JSON.stringify([json]));
      expect(() => JSON.parse(text)).not.toThrow();
      expect(text).not.toMatch(/12345|planted/);
    }),
  );
});

test("calls are recognised by what is known of arguments that held secrets", () => {
  const recorded = {
    plain: true,
    deep: { a: 1, b: "(x) [redacted] y" },
    list: [{ token: "[redacted]", n: 1 }],
    "[redacted]": 1,
    "not.a.path": ["[redacted]"],
  };
  expect(redactedArgs(recorded)).toEqual({
    args: { plain: true, deep: { a: 1 } },
    argsMatch: { "deep.b": "^\\(x\\) [\\s\\S]* y$", "list.0.token": "^[\\s\\S]*$", "list.0.n": "^1$" },
  });
  expect(redactedArgs({ token: "[redacted]" })?.args).toBe(null);
  expect(redactedArgs({ plain: true })).toBe(null);
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
