import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/cli/config.ts";
import { mountConfigured } from "../../src/cli/config-mcp.ts";
import { readServeOptions } from "../../src/cli/serve-options.ts";
import { normalizeOptions } from "../../src/options.ts";
import { connect } from "../_support/mcp.ts";
import { startServer } from "../_support/server.ts";
import { tempFile, tempTree } from "../_support/temp.ts";
import { thrownBy } from "../_support/thrown.ts";

const PAGE = readFileSync("docs/config-file.md", "utf8");
const ROWS = PAGE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

const UNKNOWN = { unknown: 1 };

/** A file that has a key too many in each of its objects. */
const EVERYWHERE = {
  ...UNKNOWN,
  limits: UNKNOWN,
  llm: UNKNOWN,
  mcp: {
    ...UNKNOWN,
    serverInfo: UNKNOWN,
    tools: [UNKNOWN],
    resources: [UNKNOWN],
    prompts: [{ ...UNKNOWN, arguments: [UNKNOWN], messages: [UNKNOWN] }],
  },
};

test("docs/config-file.md has a row for each key that a config file may hold, and for no other", () => {
  const refused = String(thrownBy(() => readConfig(tempFile("config.json", EVERYWHERE))));
  const known = [...refused.matchAll(/\$\.(.*)unknown: unknown key; known: (.+)$/gm)].flatMap(
    ([, at = "", keys = ""]) => [...keys.matchAll(/"(\w+)"/g)].map(([, key]) => `${at.replaceAll("[0]", "[]")}${key}`),
  );
  const rows = ROWS.map(([, key = ""]) => key.replaceAll("`", ""));
  const limits = ROWS.find(([, key]) => key === "`limits`")?.at(4) ?? "";
  const named = [...limits.matchAll(/`(\w+)`/g)].map(([, limit]) => `limits.${limit}`);
  expect([...rows.map((key) => key.replace(/\[\]$/, "")), ...named].sort()).toEqual(known.sort());
});

test("docs/config-file.md tells the defaults that serve starts with", () => {
  const { options, watch } = readServeOptions({}, {});
  const { limits, ...normal } = normalizeOptions(options);
  const defaults: Readonly<Record<string, unknown>> = {
    ...{ ...normal, watch, journalMax: limits.max.journalRecords, fixtureCountsMax: limits.max.testIds },
    ...{ "llm.latency": normal.latency, "llm.chunkSize": normal.chunkSize },
  };
  const told = ROWS.flatMap(([, key = "", , value = ""]) => {
    const [, json] = /^`(.+)`$/.exec(value) ?? [];
    return json === undefined || key === "`mcp.path`" || key === "`log`"
      ? []
      : [[key.replaceAll("`", ""), JSON.parse(json)]];
  });
  expect(told).toHaveLength(10);
  expect(told).toEqual(told.map(([key]) => [key, defaults[key]]));
});

test("docs/config-file.md shows a file that is served, its fixtures relative to itself", async () => {
  const [, example = ""] = /^```json\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  const folder = tempTree({ "conf/mcp-fakes.config.json": JSON.parse(example) });
  const config = readConfig(join(folder, "conf/mcp-fakes.config.json"));
  expect(config.fixtures).toEqual([join(folder, "conf/fixtures"), join(folder, "conf/more/tickets.json")]);
  expect(config.log).toBe("./calls.jsonl");
  const { url } = await startServer({}, (llm) => {
    for (const section of config.mcp) mountConfigured(llm, section);
  });
  const client = await connect(`${url}/search`);
  expect(await client.call("search")).toMatchObject({ result: { content: [{ text: "Found it" }] } });
});
