import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import type { LlmFixture } from "../../src/fixtures/llm-types.ts";
import type { LLMock } from "../../src/index.ts";
import type { LLMockOptions } from "../../src/options.ts";
import { startServer } from "./server.ts";

/** A running server with a script, and an official client of each provider that points to it. */
export interface Models {
  readonly llm: LLMock;
  readonly url: string;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly gemini: GoogleGenAI;
  /** The same clients, tagged with a test id. */
  as(testId: string): Pick<Models, "openai" | "anthropic" | "gemini">;
}

/** The clients do not try again by themselves, so that a test sees each answer. */
export async function startModels(fixtures: readonly LlmFixture[], options: LLMockOptions = {}): Promise<Models> {
  const { llm, url } = await startServer(options, (server) => server.addFixtures(fixtures));
  const as = (testId: string) => clients(url, { "X-Test-Id": encodeURIComponent(testId) });
  return { llm, url, as, ...clients(url, {}) };
}

function clients(url: string, headers: Record<string, string>): Pick<Models, "openai" | "anthropic" | "gemini"> {
  const common = { apiKey: "test", maxRetries: 0, defaultHeaders: headers };
  return {
    openai: new OpenAI({ ...common, baseURL: `${url}/v1` }),
    anthropic: new Anthropic({ ...common, baseURL: url }),
    gemini: new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: url, headers } }),
  };
}

/** Everything that a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** A scripted turn that calls two tools at once, for the clients' tests. */
export const TWO_CALLS = {
  toolCalls: [
    { id: "call_seattle", name: "get_weather", arguments: { city: "Seattle" } },
    { id: "call_paris", name: "get_weather", arguments: { city: "Paris" } },
  ],
};
