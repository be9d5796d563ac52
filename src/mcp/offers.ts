import type { OfferedPromptAnswer } from "../fakes/offers.ts";
import type { FakeStore } from "../fakes/store.ts";
import type { TargetKind } from "../fakes/target.ts";
import { fillTemplate } from "../fakes/template.ts";
import type { Identity } from "../identity.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { callError } from "./call/link.ts";
import { RPC, rpcError } from "./json-rpc.ts";
import type { McpPromptResult, Registry } from "./registry.ts";
import { createUriMatcher } from "./uri-template.ts";

/** The parts of a registry beside tools. */
export type Offered = Pick<Registry, "resources" | "templates" | "prompts">;

/** What code registered, and what the files that apply to a request offer beside; code wins over a file. */
export function offeredTo(identity: Identity, registry: Offered, fakes: Pick<FakeStore, "offers">): Offered {
  const offers = fakes.offers(identity);
  if (offers.length === 0) return registry;
  const resources = new Map(registry.resources);
  const templates = new Map(registry.templates);
  const prompts = new Map(registry.prompts);
  for (const offer of offers) {
    for (const { uri, definition, content, isListed } of offer.resources) {
      const read = () => content ?? refuse(`Resource ${uri} is only listed: its file gives it no content`);
      if (!resources.has(uri)) resources.set(uri, { definition, isListed, read });
    }
    for (const { uri, definition, content } of offer.templates) {
      const read = (variables: Record<string, string>) =>
        content === null
          ? refuse(`Resources of ${uri} are only listed: their file gives them no content`)
          : fillTemplate(content, variables);
      if (!templates.has(uri)) templates.set(uri, { definition, match: createUriMatcher(uri), read });
    }
    for (const { name, definition, answers } of offer.prompts) {
      if (prompts.has(name)) continue;
      const handler = (args: Record<string, string>) => {
        const answer = answers.find((each) => takes(each, args));
        if (answer === undefined) return refuse(`Prompt ${name}: no response is declared for ${JSON.stringify(args)}`);
        const { description, messages } = answer;
        return { ...(description === null ? {} : { description }), messages: filled(messages, args) };
      };
      prompts.set(name, { name, definition, required: requiredOf(definition), handler });
    }
  }
  return { resources, templates, prompts };
}

/** What lists show of one kind: what is known beside the fakes, whole, then what only fakes declare. */
export function listedTo(
  identity: Identity,
  kind: TargetKind,
  {
    known,
    fakes,
  }: {
    known: ReadonlyMap<string, { readonly definition: JsonObject; readonly isListed?: boolean }>;
    fakes: Pick<FakeStore, "listed">;
  },
): JsonObject[] {
  const faked = [...fakes.listed(kind, identity)].filter(([name]) => !known.has(name));
  const own = [...known.values()].filter(({ isListed = true }) => isListed);
  return [...own.map(({ definition }) => definition), ...faked.map(([, definition]) => definition)];
}

// --- internal ---

function refuse(why: string): never {
  throw callError(why, rpcError(RPC.invalidParams, why).error);
}

function takes({ args: wanted, isExact }: OfferedPromptAnswer, given: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(wanted);
  return (
    names.every((name) => given[name] === wanted[name]) && (!isExact || names.length === Object.keys(given).length)
  );
}

function filled(messages: readonly JsonObject[], args: Record<string, string>): McpPromptResult["messages"] {
  return messages.map((message) => {
    const { role, content } = fillTemplate(message, args);
    return {
      role: role === "assistant" ? "assistant" : "user",
      content: content !== undefined && isJsonObject(content) ? content : {},
    };
  });
}

function requiredOf({ arguments: given }: JsonObject): string[] {
  const declared = Array.isArray(given) ? given.filter(isJsonObject) : [];
  return declared.filter(({ required }) => required === true).map(({ name }) => String(name));
}
