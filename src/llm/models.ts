import { type Exchange, jsonReply, type Reply } from "../http/exchange.ts";
import type { TurnFixture } from "./fixture.ts";

/** Models that are there whatever the fixtures say: clients look for one of these before they ask. */
const WELL_KNOWN = [
  "gpt-4",
  "gpt-4o",
  "claude-3-5-sonnet-20241022",
  "gemini-2.0-flash",
  "text-embedding-3-small",
] as const;

const CREATED = 1_686_935_002;

/** The models of one kind of client: how they are listed, and one alone. */
interface ModelWords {
  list(models: readonly string[]): unknown;
  one(model: string): unknown;
}

const openAi: ModelWords = {
  list: (models) => ({ object: "list", data: models.map(openAi.one) }),
  one: (id) => ({ id, object: "model", created: CREATED, owned_by: "mcp-fakes" }),
};

const anthropic: ModelWords = {
  list: (models) => ({
    data: models.map(anthropic.one),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }),
  one: (id) => ({ id, type: "model", display_name: id, created_at: new Date(CREATED * 1000).toISOString() }),
};

const gemini: ModelWords = {
  list: (models) => ({ models: models.map(gemini.one) }),
  one: (id) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: ["generateContent", "embedContent"],
  }),
};

/** `GET /v1/models` and `/v1beta/models`, whole or one model: the well-known ones and those that fixtures name. */
export function modelsReply({ path, headers }: Exchange, fixtures: readonly TurnFixture[]): Reply | undefined {
  const found = /^\/(?<version>v1|v1beta)\/models(?:\/(?<id>[^/:]+))?$/.exec(path)?.groups;
  if (found === undefined) return undefined;
  const words = found.version === "v1beta" ? gemini : headers["anthropic-version"] === undefined ? openAi : anthropic;
  return jsonReply(200, found.id === undefined ? words.list(modelsOf(fixtures)) : words.one(found.id));
}

function modelsOf(fixtures: readonly TurnFixture[]): string[] {
  const named = fixtures.flatMap(({ match }) => (typeof match.model === "string" ? [match.model] : []));
  return [...new Set([...named, ...WELL_KNOWN])];
}
