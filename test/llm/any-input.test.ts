import fc from "fast-check";
import { expect, test } from "vitest";
import { send } from "../_support/http.ts";
import { startModels } from "../_support/models.ts";

const PATHS = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages",
  "/v1/embeddings",
  "/v1beta/models/m:generateContent",
  "/v1beta/models/m:streamGenerateContent",
  "/v1beta/models/m:batchEmbedContents",
];

/** The keys that decoders look at, with anything at all as their values, or nearly what is expected. */
const part = fc.record(
  {
    type: fc.constantFrom("text", "tool_use", "tool_result", "message", "function_call", "item_reference"),
    role: fc.constantFrom("user", "assistant", "tool", "model", "system"),
    text: fc.jsonValue(),
    content: fc.jsonValue(),
    parts: fc.jsonValue(),
    tool_calls: fc.jsonValue(),
    functionCall: fc.jsonValue(),
    functionResponse: fc.jsonValue(),
    id: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const anything = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(part, fc.jsonValue())));
const keys = [
  "model",
  "messages",
  "input",
  "contents",
  "requests",
  "tools",
  "system",
  "instructions",
  "stream",
  "text",
];
const body = fc.dictionary(fc.constantFrom(...keys), anything);

test("no request to a model ends in a 5xx or a hang", { timeout: 60_000 }, async () => {
  const { url } = await startModels([{ match: {}, response: { content: "hi", reasoning: "so" } }]);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), fc.oneof(body, fc.jsonValue()), async (path, value) => {
      const reply = await send(url + path, { method: "POST", body: JSON.stringify(value) });
      expect(reply.status, reply.text).toBeLessThan(500);
    }),
    { numRuns: 200 },
  );
});
