import { expect, test } from "vitest";
import { routeOf } from "../../src/llm/routes.ts";
import { send } from "../_support/http.ts";
import { startModels } from "../_support/models.ts";

test.each([
  ["/v1/chat/completions", "openai-chat", null, null],
  ["/chat/completions", "openai-chat", null, null],
  ["/api/gateway/v2/chat/completions", "openai-chat", null, null],
  ["/openai/deployments/my%20gpt/chat/completions", "openai-chat", "my gpt", null],
  ["/v1/responses", "openai-responses", null, null],
  ["/v1/messages", "anthropic", null, null],
  ["/v1beta/models/gemini-2.5-flash:generateContent", "gemini", "gemini-2.5-flash", false],
  ["/v1beta/models/gemini-2.5-flash:streamGenerateContent", "gemini", "gemini-2.5-flash", true],
  ["/v1/projects/p/locations/l/publishers/google/models/g:generateContent", "gemini", "g", false],
  ["/v1/embeddings", "openai-embeddings", null, null],
  ["/openai/deployments/emb/embeddings", "openai-embeddings", "emb", null],
  ["/v1beta/models/emb:embedContent", "gemini-embeddings", "emb", null],
  ["/v1beta/models/emb:batchEmbedContents", "gemini-embeddings", "emb", null],
])("%s is answered by %s", (path, provider, model, stream) => {
  const routed = routeOf(path);
  expect([routed?.service.codec.provider, routed?.model, routed?.stream]).toEqual([provider, model, stream]);
});

test.each(["/", "/v1/other/chat/completions", "/v1/messages/x", "/messages", "/v1/models", "/v1/chat/completions/x"])(
  "%s is no path of a model",
  (path) => {
    expect(routeOf(path)).toBeUndefined();
  },
);

test("a model's path is asked with POST", async () => {
  const { url } = await startModels([{ match: {}, response: { content: "hi" } }]);
  const reply = await send(`${url}/v1/chat/completions`);
  expect([reply.status, reply.json()]).toMatchObject([404, { error: { type: "not_found" } }]);
});
