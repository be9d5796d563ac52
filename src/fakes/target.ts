/** What a request can ask for by name, and a block can answer for. */
export type TargetKind = "tool" | "resource" | "prompt";

/** One tool, resource or prompt. */
export interface Target {
  readonly kind: TargetKind;
  /** The name of a tool or of a prompt, the URI of a resource. */
  readonly name: string;
}

/** A target as reports, facts and errors hold it: its name, under its kind. */
export type TargetKey =
  | { readonly tool: string; readonly resource?: undefined; readonly prompt?: undefined }
  | { readonly tool?: undefined; readonly resource: string; readonly prompt?: undefined }
  | { readonly tool?: undefined; readonly resource?: undefined; readonly prompt: string };

/** The method that asks for a target of each kind. */
export const METHODS: Readonly<Record<TargetKind, string>> = {
  tool: "tools/call",
  resource: "resources/read",
  prompt: "prompts/get",
};

/** What is done with a target of each kind, as messages say it. */
export const VERBS: Readonly<Record<TargetKind, string>> = { tool: "called", resource: "read", prompt: "fetched" };

/** @example toolTarget("get_weather") // { kind: "tool", name: "get_weather" } */
export function toolTarget(name: string): Target {
  return { kind: "tool", name };
}

/** @example keyOf({ kind: "resource", name: "file:///a.md" }) // { resource: "file:///a.md" } */
export function keyOf({ kind, name }: Target): TargetKey {
  switch (kind) {
    case "tool":
      return { tool: name };
    case "resource":
      return { resource: name };
    case "prompt":
      return { prompt: name };
  }
}

/** The target that a key holds. */
export function targetOf({ tool, resource, prompt }: TargetKey): Target {
  if (tool !== undefined) return toolTarget(tool);
  return resource !== undefined ? { kind: "resource", name: resource } : { kind: "prompt", name: prompt };
}

export function isSameTarget(one: Target, other: Target): boolean {
  return one.name === other.name && one.kind === other.kind;
}
