export const NODE_LINES = [20, 22, 24] as const;

export type NodeLine = (typeof NODE_LINES)[number];

export type RunnerName = "vitest" | "jest";

/** A line of a test runner's releases. */
export interface RunnerLine {
  readonly name: string;
  readonly runner: RunnerName;
  /** What a project installs to use it: the oldest release of a runner's oldest line, of the others a late one. */
  readonly packages: readonly string[];
  /** The Node lines that it runs on. */
  readonly nodes: readonly NodeLine[];
  /** The one that stands for all in a short run: the lines take turns. `null`: it waits for a full run. */
  readonly mainNode: NodeLine | null;
}

/** A runner on a Node line. */
export interface Cell {
  readonly line: RunnerLine;
  readonly node: NodeLine;
}

/** Other people's matchers, whose types must stand beside these. */
const BESIDE = ["@testing-library/jest-dom@8.0.0", "@types/aria-query@5", "jest-extended@7.0.0"];

/** The same as far as Vitest before 5 takes them. */
const BESIDE_BEFORE_5 = ["@testing-library/jest-dom@7.0.1", "@types/aria-query@5", "jest-extended@7.0.0"];

/** All that is supported; the README's table and the package's peers say the same. */
export const RUNNER_LINES: readonly RunnerLine[] = [
  vitest("3.2", { release: "3.2.0", nodes: NODE_LINES, mainNode: 20 }),
  vitest("4.0", { release: "4.0.18", nodes: NODE_LINES, mainNode: null }), // it is followed as 3.2 is
  vitest("4.1", { release: "4.1.12", nodes: NODE_LINES, mainNode: 24 }),
  vitest("5", { release: "5.1.2", nodes: [22, 24], mainNode: 22 }),
  jest("29", { release: "29.0.0", nodes: NODE_LINES, mainNode: 22 }),
  jest("30", { release: "30.5.2", nodes: NODE_LINES, mainNode: 24 }),
];

/** Runners once each. */
export const SOME_CELLS: readonly Cell[] = RUNNER_LINES.flatMap((line) =>
  line.mainNode === null ? [] : [{ line, node: line.mainNode }],
);

/** Every runner on every Node line that it runs on. */
export const ALL_CELLS: readonly Cell[] = RUNNER_LINES.flatMap((line) => line.nodes.map((node) => ({ line, node })));

type Releases = Pick<RunnerLine, "nodes" | "mainNode"> & { readonly release: string };

function vitest(line: string, { release, ...nodes }: Releases): RunnerLine {
  const beside = release < "5" ? BESIDE_BEFORE_5 : BESIDE;
  return { name: `Vitest ${line}`, runner: "vitest", packages: [`vitest@${release}`, ...beside], ...nodes };
}

function jest(line: string, { release, ...nodes }: Releases): RunnerLine {
  const packages = [`jest@${release}`, `@jest/globals@${release}`, `@types/jest@${line}`, ...BESIDE];
  return { name: `Jest ${line}`, runner: "jest", packages, ...nodes };
}
