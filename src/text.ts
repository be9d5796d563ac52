import type { Json } from "./json.ts";

/** How much of one name or value a message shows. */
const SHOWN_CHARS = 200;

/**
 * Cuts a text to at most `limit` UTF-16 units, saying how much is missing: `abc… (57 more chars)`.
 * A surrogate pair or a JSON escape is never cut in two.
 */
export function cut(text: string, limit: number = SHOWN_CHARS): string {
  if (text.length <= limit) return text;
  for (let kept = limit; kept >= 0; kept--) {
    const suffix = `… (${text.length - kept} more chars)`;
    if (kept + suffix.length <= limit && !splitsACharacter(text, kept)) return text.slice(0, kept) + suffix;
  }
  return "…";
}

/** A string as JSON text on one line: what JSON leaves raw of control characters and line separators is escaped too. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(text));
}

/** A quoted name, cut to what a message shows. */
export function showName(name: string): string {
  return cut(quote(name));
}

/** A JSON value as compact text on one line, cut to what a message shows. */
export function showJson(value: Json): string {
  return cut(escapeControls(JSON.stringify(value)));
}

/** An unquoted name on one line, cut to what a message shows. */
export function showPlain(text: string): string {
  return cut(escapeControls(text));
}

/** Writes control characters (C0, DEL, C1) and the two Unicode line separators as `\uXXXX`. */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a thrown value says. By shape, not by class: test runners make errors of other realms. */
export function thrownText(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "message" in thrown ? String(thrown.message) : String(thrown);
}

/** What a thrown value says and what caused it: `fetch failed: connect ECONNREFUSED 127.0.0.1:80`. */
export function reasonText(thrown: unknown): string {
  const text = thrownText(thrown);
  if (!(thrown instanceof Error)) return text;
  // Of several attempts, one to each address of a host, only the code says what is common to them.
  if (text === "" && "code" in thrown) return String(thrown.code);
  if (thrown.cause === undefined) return text;
  const [inner, cause] = [thrownText(thrown.cause), reasonText(thrown.cause)];
  // What only repeats its cause between words of its own is left out.
  return inner !== "" && text.includes(inner) ? cause : `${text}: ${cause}`;
}

function splitsACharacter(text: string, at: number): boolean {
  if (/[\uD800-\uDBFF]$/.test(text.slice(Math.max(0, at - 1), at))) return true;
  return /(?:^|[^\\])(?:\\\\)*\\(?:u[0-9a-f]{0,3})?$/i.test(text.slice(0, at));
}
