import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../_support/cli.ts";
import { CLI, startCli } from "../_support/program.ts";
import { tempFolder } from "../_support/temp.ts";

// These need no engine: what the Dockerfile names is looked up, built and run outside of a container.

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

test("the image's command serves with a token only, and its health check asks the port that is exposed", async () => {
  const [program, entry = "", ...args] = [...commandOf("ENTRYPOINT"), ...commandOf("CMD")];
  expect([program, entry.replace(/^\/app/, ROOT)]).toEqual(["node", CLI]);
  const fixtures = tempFolder();
  const given = args.map((argument) => (argument === "/fixtures" ? fixtures : argument));
  const refused = startCli(given, { env: { MCP_FAKES_TOKEN: "" } });
  expect((await refused.ended).code).toBe(2);
  expect(refused.output.stderr).toContain("token must be a string of at least 16 visible ASCII characters");

  const [exposed = ""] = instructions("EXPOSE");
  expect((await runCommand("serve", "--help")).stdout).toContain(`(default: ${exposed})`);
  const server = startCli([...given, "--port", "0"], { env: { MCP_FAKES_TOKEN: "correct-horse-battery" } });
  const [, port = ""] = await server.until(/^\[mcp-fakes\] listening on http:\/\/0\.0\.0\.0:(\d+)$/m);
  const isHealthy = () => {
    const [check = "", ...checked] = commandOf("HEALTHCHECK").map((part) => part.replace(`:${exposed}/`, `:${port}/`));
    return spawnSync(check, checked).status === 0;
  };
  expect(isHealthy()).toBe(true);
  server.child.kill();
  await server.ended;
  expect(isHealthy()).toBe(false);
});

// --- internal ---

/** What stands behind each instruction of this name. */
function instructions(name: string): string[] {
  return [...DOCKERFILE.matchAll(new RegExp(`^${name} (.+)$`, "gm"))].map(([, text = ""]) => text);
}

/** The command line that an instruction gives as JSON. */
function commandOf(name: string): string[] {
  const [text = ""] = instructions(name);
  return JSON.parse(text.slice(text.indexOf("[")));
}

/** What is copied by instructions that start so. */
function copied(start: string): string[] {
  const lines = DOCKERFILE.split("\n").filter((line) => line.startsWith(start) && !line.startsWith(`${start}--`));
  return lines.flatMap((line) => line.slice(start.length).split(" ").slice(0, -1));
}
