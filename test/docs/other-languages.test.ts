import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasFailures } from "../../plugins/shared/findings.ts";
import type { FakesReport } from "../../src/fakes/report.ts";
import { startServer } from "../_support/server.ts";

const PAGE = readFileSync("docs/other-languages.md", "utf8");

test("docs/other-languages.md: its requests are answered as it shows, one after the other", async () => {
  const { url } = await startServer();
  const steps = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```\n+```json\n([\s\S]*?)^```$/gm)];
  expect(steps).toHaveLength(5);
  for (const [, command = "", shown = ""] of steps) {
    const reply = await curl(wordsOf(command.replaceAll("http://127.0.0.1:4010", url)));
    expect(await reply.json(), command).toMatchObject(JSON.parse(shown));
  }
});

type AnsweredBy = FakesReport["unfaked"][number]["answeredBy"];

/** The compiler keeps the list whole. */
const ANSWERED_BY: Record<AnsweredBy, true> = {
  handler: true,
  upstream: true,
  empty: true,
  "unknown-tool": true,
  "unknown-resource": true,
  "unknown-prompt": true,
  invalid: true,
};

test("docs/other-languages.md names what the plugins do not let pass, beside what makes a report not ok", async () => {
  const { llm } = await startServer();
  const report = llm.fakesReport("a test");
  const strict = Object.keys(ANSWERED_BY).filter((answeredBy) =>
    hasFailures({ ...report, unfaked: [{ mount: "/mcp", tool: "t", args: {}, answeredBy: answeredBy as AnsweredBy }] }),
  );
  const [, named = ""] = /whose `answeredBy` is ([^.]+)\./.exec(PAGE) ?? [];
  expect([...named.matchAll(/`([^`]+)`/g)].map(([, word]) => word).sort()).toEqual(strict.sort());
});

/** The arguments that a shell hands to `curl`. */
function wordsOf(command: string): string[] {
  const { stdout, stderr } = spawnSync("bash", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\0").slice(0, -1);
}

/** What curl would do: not every machine has it. */
async function curl(words: readonly string[]): Promise<Response> {
  const headers = new Headers();
  let url = "";
  let body: string | null = null;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "-s") continue;
    if (word === "-H") {
      const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(words[++at] ?? "") ?? [];
      headers.append(name, value);
    } else if (word === "-d") body = words[++at] ?? "";
    else if (/^http:/.test(word) && url === "") url = word;
    else throw new Error(`the test knows no curl ${word}`);
  }
  if (!headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded");
  return fetch(url, { method: body === null ? "GET" : "POST", headers, body });
}
