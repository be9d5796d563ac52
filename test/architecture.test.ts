import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** The floors of the house, lowest first (docs/architecture.md). A file stands on the floor of its first match. */
const FLOORS: readonly { readonly floor: string; readonly files: RegExp }[] = [
  {
    floor: "values",
    files:
      /^(package\.json|schema\/fakes\.schema\.json|src\/(input|json|parse-json|partial|pattern|schema-check|tagged-base|text|difference|errors|limits|logger|nearest-name|deferred|lazy|logging-level)\.ts)$/,
  },
  {
    floor: "vocabulary",
    files:
      /^src\/(fakes\/(model|target|reason|fault|step|script|offers|outcome|fact|who)|fixtures\/(types|fault-types|mock\/settings)|llm\/(turn|reply|match|fixture)|journal\/facts|http\/exchange)\.ts$/,
  },
  { floor: "files", files: /^src\/files\// },
  { floor: "edges", files: /^src\/(http\/|identity\.ts$|options\.ts$|environment\.ts$)/ },
  {
    floor: "rules",
    files:
      /^src\/(fixtures\/|fakes\/(?!store|adds|claims|loaded|server-faults|verdicts)|llm\/(?!store|scripts|memory|mount|decide|speak|send)|mcp\/(json-rpc|era-\w+|versions|profile|notices|subscriptions|pages|uri-template|call\/[\w-]+)\.ts$)/,
  },
  {
    floor: "state",
    files:
      /^src\/(fakes\/(store|adds|claims|loaded|server-faults|verdicts)|llm\/(store|scripts|memory)|mcp\/registry|journal\/)/,
  },
  {
    floor: "endpoint",
    files:
      /^src\/(mcp\/(asked|faked|backend|offers|endpoint|tools|steps|faults|server-faults|resources|prompts|completion)|llm\/(decide|speak|send))\.ts$/,
  },
  { floor: "parts of wires", files: /^src\/mcp\/wires\/(?!(streamable-http|pipe-http|stdio)\.ts$)/ },
  { floor: "wires", files: /^src\/(mcp\/wires\/|llm\/mount\.ts$)/ },
  { floor: "mocks", files: /^src\/mcp\/(mcp-mock|mock-options|mock-host|fake-mounts|call-log-file|server)\.ts$/ },
  { floor: "control", files: /^src\/control\// },
  { floor: "host", files: /^src\/(llmock|index|mcp)\.ts$/ },
  { floor: "shims", files: /^src\/(shims|upstream)\// },
  { floor: "command line", files: /^src\/cli\// },
];

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

function arrowsOf(file: string): Arrow[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const imports = text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"/gms);
  return [...imports].map(([, type, path = ""]) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), path)),
    typeOnly: type !== undefined,
  }));
}

function floorOf(file: string): number {
  const floor = FLOORS.findIndex(({ files }) => files.test(file));
  if (floor === -1) throw new Error(`${file} stands on no floor: add it to FLOORS and to docs/architecture.md`);
  return floor;
}

test("imports in src point down only", () => {
  const arrows = sourceFiles("src").flatMap(arrowsOf);
  expect(arrows.length).toBeGreaterThan(50);
  const up = arrows.filter(({ from, to }) => floorOf(to) > floorOf(from));
  expect(up.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("every floor has somebody on it", () => {
  const files = sourceFiles("src");
  const empty = FLOORS.filter(({ files: pattern }) => !files.some((file) => pattern.test(file)));
  expect(empty.map(({ floor }) => floor)).toEqual([]);
});

test("a wire knows no other wire", () => {
  const isWire = (file: string) => FLOORS[floorOf(file)]?.floor === "wires";
  const sideways = sourceFiles("src")
    .flatMap(arrowsOf)
    .filter(({ from, to }) => isWire(from) && isWire(to));
  expect(sideways.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

/** All files that loading one file loads. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { to, typeOnly } of arrowsOf(file)) if (!typeOnly) loadedBy(to, seen);
  return seen;
}

test.each([
  ...["worker", "setup", "index"].map((name) => `plugins/vitest/${name}.ts`),
  ...["test-runner", "environment", "enter", "setup", "index"].map((name) => `plugins/jest/${name}.ts`),
])("%s, which test workers load, loads nothing of the server", (file) => {
  const outside = [...loadedBy(file)].filter((loaded) => !loaded.startsWith("plugins/"));
  const isAllowed = (loaded: string) =>
    FLOORS[floorOf(loaded)]?.floor === "values" || /^src\/(control\/(client|wire)|http\/tagged-path)\.ts$/.test(loaded);
  expect(outside.filter((loaded) => !isAllowed(loaded))).toEqual([]);
});

test("the server knows no runner", () => {
  const arrows = sourceFiles("src").flatMap(arrowsOf);
  expect(arrows.filter(({ to }) => to.startsWith("plugins/"))).toEqual([]);
});
