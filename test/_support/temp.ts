import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of the running test's own, removed when the test is over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-fakes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of the running test's own with these files, by their path in it. What is no text is written as JSON. */
export function tempTree(files: Readonly<Record<string, unknown>>): string {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

/** A file in a folder of the running test's own; a value that is no text is written as JSON. */
export function tempFile(name: string, content: unknown): string {
  return join(tempTree({ [name]: content }), name);
}
