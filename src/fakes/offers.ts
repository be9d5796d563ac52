import type { JsonObject } from "../json.ts";

/** What a file of the second dialect offers beside tools. */
export interface Offers {
  /** What the server calls itself, and tells of itself; `null` when the file does not say. */
  readonly server: { readonly serverInfo: JsonObject; readonly instructions: string | null } | null;
  readonly resources: readonly OfferedResource[];
  /** Texts may hold `{{args.name}}`, for the variables of the template. */
  readonly templates: readonly OfferedResource[];
  readonly prompts: readonly OfferedPrompt[];
}

/** A resource, or a template of resources. */
export interface OfferedResource {
  /** The URI, or the template of URIs. */
  readonly uri: string;
  /** As lists show it. */
  readonly definition: JsonObject;
  /** `{ text }` or `{ blob }`; `null` for one that is only listed. */
  readonly content: JsonObject | null;
  readonly isListed: boolean;
}

/** A prompt. Its messages may hold `{{args.name}}`. */
export interface OfferedPrompt {
  readonly name: string;
  /** As lists show it. */
  readonly definition: JsonObject;
  /** The first that takes the arguments is given. */
  readonly answers: readonly OfferedPromptAnswer[];
}

export interface OfferedPromptAnswer {
  /** Arguments that must be among those that came, or all of them. */
  readonly args: Readonly<Record<string, string>>;
  readonly isExact: boolean;
  readonly description: string | null;
  readonly messages: readonly JsonObject[];
}
