import { escapePattern, searchFor } from "../pattern.ts";

/**
 * Matches URIs against a template (RFC 6570): `{id}` takes one path segment, `{+path}` and `{path*}` take slashes too,
 * `{?a,b}` takes query parameters in any order, each of which may be absent. Throws a `TypeError` for other operators.
 *
 * @example createUriMatcher("ticket://{id}/notes")("ticket://7/notes") // { id: "7" }
 */
export type UriMatcher = (uri: string) => Record<string, string> | undefined;

export function createUriMatcher(template: string): UriMatcher {
  const [path = "", query] = template.split(/(?=\{[?&])/);
  const names: string[] = [];
  const pattern = path.replace(/\{([^}]*)\}|[^{]+/g, (literal, expression?: string) => {
    if (expression === undefined) return escapePattern(literal);
    const { name, isWide } = readVariable(expression, template);
    names.push(name);
    return isWide ? "(.+)" : "([^/?#]+)";
  });
  const regExp = new RegExp(`^${pattern}$`);
  const parameters = query === undefined ? [] : query.slice(2, -1).split(",");

  return (uri) => {
    const [head = "", tail = ""] = parameters.length === 0 ? [uri] : uri.split("?", 2);
    const found = searchFor(regExp, head);
    if (found === null) return undefined;
    const given = new URLSearchParams(tail);
    const inQuery = parameters.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? ""]] : []));
    return Object.fromEntries([...names.map((name, index) => [name, decode(found[index + 1] ?? "")]), ...inQuery]);
  };
}

function readVariable(expression: string, template: string): { name: string; isWide: boolean } {
  const found = /^(\+?)([A-Za-z0-9_.]+)(\*?)$/.exec(expression);
  if (found === null) {
    throw new TypeError(
      `URI template ${JSON.stringify(template)}: "{${expression}}" is not supported; use {name}, {+name}, {name*} or {?a,b}`,
    );
  }
  return { name: found[2] ?? "", isWide: found[1] !== "" || found[3] !== "" };
}

/** What does not decode is taken as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
