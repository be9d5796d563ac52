import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** Takes secrets out of what is written down. */
export interface Redactor {
  /** A JSON value without its secrets. What it finds under a secret's key it also finds anywhere from then on. */
  redact<T>(value: T): T;
  /** The same of bytes that are no text, given and answered as base64. */
  redactBase64(base64: string): string;
  /** Learns the secrets of values that are not written themselves, such as headers and environments. */
  learn(value: Json): void;
}

/** What stands in place of a secret. */
export const REDACTED = "[redacted]";

/** `values` are secrets by themselves, wherever they stand. Source: scripting sheet, 4. */
export function createRedactor(values: readonly string[] = []): Redactor {
  const known = new Set(values.filter((value) => value !== ""));

  function redactText(text: string): string {
    const json = parseObject(text);
    return json === undefined ? redactPlain(text) : redactJsonText(text, json);
  }

  function redactPlain(text: string): string {
    return redactShapes([...known].reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text));
  }

  /** Texts are often JSON: their keys tell of secrets too, and they stay JSON. What holds none stays as it was written. */
  function redactJsonText(text: string, json: Json): string {
    const redacted = redactValue(json, false);
    const [, indent] = /^\s*[[{]\r?\n([ \t]+)/.exec(text) ?? [];
    return JSON.stringify(redacted) === JSON.stringify(json) ? text : JSON.stringify(redacted, null, indent);
  }

  function redactValue(value: Json, isSchema: boolean): Json {
    if (typeof value === "string") return redactText(value);
    if (typeof value === "number") return known.has(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return value.map((item) => redactValue(item, isSchema));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([key, member]): [string, Json] =>
      !isSchema && isSecret(key, member)
        ? [redactKey(key), REDACTED]
        : [redactKey(key), redactValue(member, isSchema || isSchemaKey(key))],
    );
    return Object.fromEntries(members);
  }

  /** Only whole: parts of keys are words of their own. */
  function redactKey(key: string): string {
    return known.has(key) ? REDACTED : redactShapes(key);
  }

  function learn(value: Json, isSchema = false): void {
    if (Array.isArray(value)) for (const item of value) learn(item, isSchema);
    const object = typeof value === "string" ? parseObject(value) : value;
    if (object === undefined || !isJsonObject(object)) return;
    for (const [key, member] of Object.entries(object)) {
      if (!isSchema && isSecret(key, member)) for (const secret of secretsIn(member)) known.add(secret);
      else learn(member, isSchema || isSchemaKey(key));
    }
  }

  return {
    redact<T>(value: T): T {
      const json = value as Json; // what is written down is JSON
      learn(json);
      return redactValue(json, false) as T; // of the same shape, but for the secrets in it
    },
    redactBase64(base64) {
      // One character for each byte, so that no byte is lost; secrets in it stand as their own bytes.
      const text = Buffer.from(base64, "base64").toString("latin1");
      const asBytes = [...known].map((secret) => Buffer.from(secret).toString("latin1"));
      const redacted = redactShapes(asBytes.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text));
      return Buffer.from(redacted, "latin1").toString("base64");
    },
    learn,
  };
}

// --- internal ---

const SECRET_KEY = /authorization|token|secret|password|api[-_]?key|cookie/i;

/** Shorter ones would be found in words that are no secrets. */
const SECRET_CHARS_MIN = 5;

/** Secrets that are known by how they look. */
const SHAPES: readonly RegExp[] = [
  /\bBearer\s+[A-Za-z0-9._~+/=-]+/gi,
  /\bBasic\s+[A-Za-z0-9+/=]{8,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[opusr]|github_pat|glpat|npm|hf)[_-][A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** Where a text says a secret's name and is about to say its value; the quote that ends the name is the second part. */
const NAMED = String.raw`((?:authorization|token|secret|password|api[-_]?key|cookie)(\\*["'])?\s*[:=]\s*)`;

/** A quote that begins a value, with the backslashes of JSON inside of JSON; one before a comma or a space ends a text. */
const OPENS = String.raw`\\*["'](?![\s,;:)}\]])`;

/** `password: "…"` */
const QUOTED_VALUE = new RegExp(String.raw`${NAMED}(${OPENS})(?:(?!\3)(?:\\.|[^\\\n]))+\3`, "gi");

/** `password=…`, `Set-Cookie: …`, `?api_key=…`, `"token": 5`. */
const BARE_VALUE = new RegExp(
  String.raw`${NAMED}(${OPENS}|(?!\\*["']))(?!\[redacted\]|[{[]|(?:true|false|null)\b)[^\s"'&;,)}\]]+`,
  "gi",
);

function redactShapes(text: string): string {
  return SHAPES.reduce((rest, shape) => rest.replace(shape, REDACTED), text)
    .replace(QUOTED_VALUE, (whole, before: string, _ends, quote: string, at: number, all: string) =>
      isHarmless(nameAt(all, at)) ? whole : before + quote + REDACTED + quote,
    )
    .replace(BARE_VALUE, (whole, before: string, ends: string | undefined, quote: string, at: number, all: string) => {
      if (isHarmless(nameAt(all, at))) return whole;
      // A number of JSON becomes a text of JSON.
      const around = quote === "" && ends?.endsWith('"') ? ends : "";
      return before + quote + around + REDACTED + around;
    });
}

/** The whole of a name that is known to be a secret's by its last word, which stands at `at`. */
function nameAt(text: string, at: number): string {
  const [before = ""] = /[\w-]*$/.exec(text.slice(Math.max(0, at - NAME_CHARS_MAX), at)) ?? [];
  const [last = ""] = /^[\w-]+/.exec(text.slice(at, at + NAME_CHARS_MAX)) ?? [];
  return before + last;
}

const NAME_CHARS_MAX = 64;

/** The wire's own keys, and counts of tokens, are no secrets. */
function isSecret(key: string, value: Json): boolean {
  if (!SECRET_KEY.test(key) || isHarmless(key)) return false;
  if (typeof value === "number") return !/tokens$/i.test(key);
  return value !== null && typeof value !== "boolean";
}

/** Whether a name speaks of a secret and has none: `has_secret`, `nextPageToken`. */
function isHarmless(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[-_]+/);
  return QUESTIONS.includes(words[0]) || (words.at(-1) === "token" && PLACES.includes(words.at(-2)));
}

const QUESTIONS: readonly unknown[] = ["has", "is", "needs", "requires"];

/** Tokens that say how far a list was read, or which call is on its way. */
const PLACES: readonly unknown[] = ["page", "next", "previous", "prev", "cursor", "continuation", "sync", "progress"];

/** A JSON Schema names keys without holding their values. */
function isSchemaKey(key: string): boolean {
  return /schema$/i.test(key);
}

/** What is to be found again elsewhere: texts, and what follows their scheme (`Bearer`, `Basic`). */
function secretsIn(value: Json): readonly string[] {
  const texts = typeof value === "object" ? leaves(value) : [String(value)];
  return texts
    .flatMap((text) => [text, ...text.split(/\s+|=|;/)])
    .filter((text) => text.length >= SECRET_CHARS_MIN && !/^(?:bearer|basic)$/i.test(text) && text !== REDACTED);
}

function leaves(value: Json[] | JsonObject | null): readonly string[] {
  return Object.values(value ?? {}).flatMap((member) =>
    typeof member === "object" ? leaves(member) : [String(member)],
  );
}

function parseObject(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
