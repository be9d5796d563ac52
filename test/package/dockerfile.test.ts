import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../_support/temp.ts";

// These need no engine: what the Dockerfile names is looked up and built outside of a container.

const ROOT = resolve(import.meta.dirname, "../..");
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");

test("the image is built of what .dockerignore lets through", () => {
  const [all, ...exceptions] = readFileSync(join(ROOT, ".dockerignore"), "utf8").match(/^[^#\n].*$/gm) ?? [];
  expect(all).toBe("*");
  const context = tempFolder();
  for (const exception of exceptions) {
    const path = exception.replace(/^!/, "");
    cpSync(join(ROOT, path), join(context, path), { recursive: true });
  }
  for (const path of copied("COPY ")) expect(existsSync(join(context, path)), path).toBe(true);

  symlinkSync(join(ROOT, "node_modules"), join(context, "node_modules"));
  const [build = ""] = instructions("RUN").slice(-1);
  const { status, stdout, stderr } = spawnSync(build, { cwd: context, encoding: "utf8", shell: true });
  expect(status, stdout + stderr).toBe(0);
  for (const path of copied("COPY --from=build ")) {
    expect(existsSync(path.replace(/^\/app/, context)), path).toBe(true);
  }
});

// --- internal ---

/** What stands behind each instruction of this name. */
function instructions(name: string): string[] {
  return [...DOCKERFILE.matchAll(new RegExp(`^${name} (.+)$`, "gm"))].map(([, text = ""]) => text);
}

/** What is copied by instructions that start so. */
function copied(start: string): string[] {
  const lines = DOCKERFILE.split("\n").filter((line) => line.startsWith(start) && !line.startsWith(`${start}--`));
  return lines.flatMap((line) => line.slice(start.length).split(" ").slice(0, -1));
}
