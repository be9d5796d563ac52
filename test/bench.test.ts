import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

test("the bench runs, and has a row for each bar beside its peers", { timeout: 120_000 }, async () => {
  const args = ["--import", "jiti/register", "bench/run.ts", "--small"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const rows = [...stdout.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  expect(rows).toEqual(
    expect.arrayContaining([
      "bare node:http",
      "mcp-fakes, a fake",
      "mcp-fakes, a fake, 2026-07-28",
      "mcp-fakes, 10000 blocks x 10",
      "aimock MCPMock, a handler",
      "official SDK server, a handler",
      "a mount that answers a constant",
      "ping in a session",
      "tools/call, a fake",
      "per test: announce, one matcher, end",
      "per test file, before its first test",
      "50 fixture files loaded, port open",
      "start of a shim",
      "import of mcp-fakes/vitest in a config",
      "import of mcp-fakes/mcp",
      "after 2000 journaled calls",
    ]),
  );
});
