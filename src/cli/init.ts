import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { Command } from "commander";
import type { JsonObject } from "../json.ts";
import { type ExitCode, type Terminal, UsageError } from "./command.ts";
import { refuseFileThere } from "./file-there.ts";
import { upstreamOf } from "./init/source.ts";
import { type FileKind, TEMPLATES } from "./init/templates.ts";
import { PROGRAMS_STOP_MS, untilStopped } from "./until-stopped.ts";

/** `mcp-fakes init`: a file to start from, commented or filled in from a real server. Source: product page, 8. */
export function describe(command: Command): Command {
  return command
    .argument("[kind]", `${Object.keys(TEMPLATES).join(", ")} (default: fakes)`)
    .argument("[file]", "where to write it; - prints it (default: by kind, see below)")
    .option("--from <url|command>", "fill it in from the lists of a real MCP server")
    .option("--force", "replace a file that is there")
    .addHelpText(
      "after",
      `
Kinds:
${Object.entries(TEMPLATES)
  .map(([kind, { about, file }]) => `  ${kind.padEnd(7)} ${about} (${file})`)
  .join("\n")}

Examples:
  $ mcp-fakes init
  $ mcp-fakes init fakes fixtures/github.json --from "npx -y @modelcontextprotocol/server-everything"
  $ mcp-fakes init server mock.json --from http://127.0.0.1:3001/mcp`,
    );
}

export async function run(
  [kind = "fakes", file]: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  if (!isKind(kind)) {
    throw new UsageError(`the kind must be ${Object.keys(TEMPLATES).join(", ")}, got ${JSON.stringify(kind)}`);
  }
  const template = TEMPLATES[kind];
  const path = file === undefined ? template.file : String(file);
  if (path !== "-") refuseFileThere(path, options);
  const content = { $schema: schemaPath(kind, path), ...(await contentOf(kind, options.from, stderr)) };
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (path === "-") {
    stdout.write(text);
    return 0;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  stderr.write(`${path} is written. Next:\n  ${template.next(path, content)}\n`);
  return 0;
}

// --- internal ---

function isKind(value: unknown): value is FileKind {
  return typeof value === "string" && Object.hasOwn(TEMPLATES, value);
}

/** Where an editor finds the file's JSON Schema, seen from the file: in the package as npm installs it. */
function schemaPath(kind: FileKind, path: string): string {
  const installed = `node_modules/mcp-fakes/schema/${TEMPLATES[kind].schema}.schema.json`;
  const from = path === "-" ? "." : dirname(path);
  const seen = relative(from, installed).split(sep).join("/");
  return seen.startsWith(".") ? seen : `./${seen}`;
}

async function contentOf(kind: FileKind, from: unknown, stderr: Terminal["stderr"]): Promise<JsonObject> {
  const { content, fromServer } = TEMPLATES[kind];
  if (from === undefined) return content;
  if (fromServer === null) throw new UsageError(`--from asks an MCP server, and ${kind} describes none`);
  const source = String(from);
  const upstream = upstreamOf(source);
  stderr.write(`asking ${source} for its lists …\n`);
  const { readServer } = await import("./init/read-server.ts");
  const stopped = untilStopped(PROGRAMS_STOP_MS).then((): never => {
    throw new Error(`stopped before ${source} had answered`);
  });
  return fromServer(await Promise.race([readServer(upstream), stopped]), source);
}
