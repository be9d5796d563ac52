import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// What an import costs is what it loads. The times are measured by `npm run bench`.

/** Tells each file that the modules of a program ask for. */
const TELLING = `
import { writeSync } from "node:fs";
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  writeSync(2, found.url + "\\n");
  return found;
}`;

/** The files that an import of the built package loads. */
function loadedBy(specifier: string, how: "import" | "require"): string[] {
  const hook = `data:text/javascript,${encodeURIComponent(TELLING)}`;
  const esm = `import { register } from "node:module"; register(${JSON.stringify(hook)}); await import("${specifier}");`;
  const cjs = `require("${specifier}"); for (const path of Object.keys(require.cache)) console.error("file://" + path);`;
  const { status, stderr } =
    how === "import"
      ? spawnSync(process.execPath, ["--input-type=module", "-e", esm], { encoding: "utf8" })
      : spawnSync(process.execPath, ["-e", cjs], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  // A file that several modules ask for is loaded once.
  const files = new Set(stderr.split("\n").filter((url) => url.startsWith("file:")));
  return [...files].map((url) => fileURLToPath(url));
}

describe.each(["import", "require"] as const)("%s", (how) => {
  test.each(["mcp-fakes/vitest", "mcp-fakes/jest"])("%s in a config loads no package and no server", (specifier) => {
    const files = loadedBy(specifier, how);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => path.includes("node_modules"))).toEqual([]);
    expect(holders(files, /MCPMock = class|LLMock = class/)).toEqual([]);
  });

  test("mcp-fakes/mcp loads no package, and no server for more than itself", () => {
    const files = loadedBy("mcp-fakes/mcp", how);
    expect(files.filter((path) => path.includes("node_modules"))).toEqual([]);
    expect(holders(files, /MCPMock = class/)).toHaveLength(1);
    expect(holders(files, /LLMock = class/)).toEqual([]);
  });
});

/** The files with such a text. */
function holders(files: readonly string[], text: RegExp): string[] {
  return files.filter((path) => text.test(readFileSync(path, "utf8")));
}
