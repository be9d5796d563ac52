import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MCPMock } from "../../src/index.ts";
import { thrownBy } from "../_support/thrown.ts";

test("README.md names every option of MCPMock", () => {
  const [, text = ""] = /^`MCPMock` takes ([\s\S]*?)\n\n/m.exec(readFileSync("README.md", "utf8")) ?? [];
  const named = [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const refused = thrownBy(() => new MCPMock({ unknown: 1 } as never));
  const [, known = ""] = /the options are (.+)$/.exec(String(refused)) ?? [];
  expect(named.sort()).toEqual(known.split(", ").sort());
});
