import { readFileSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { check, type Problem, showProblem } from "../files/explain.ts";
import type { BlockSource } from "../fixtures/block-sources.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Backend } from "../mcp/backend.ts";
import { MCPMock } from "../mcp/mcp-mock.ts";
import { MCP_MOCK } from "../mcp/mock-host.ts";
import { nearestName } from "../nearest-name.ts";
import { showName, thrownText } from "../text.ts";
import type { UpstreamListener } from "./client.ts";
import type { UpstreamTold } from "./connection.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { type ProxyFile, proxyFile } from "./schema.ts";

/** Reads what `proxy` and `record` take. Throws an `Error` that names all that is wrong with it. */
export function readProxyFile(path: string): ProxyFile {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${thrownText(error)}`);
  }
  const checked = check(proxyFile, raw);
  if (checked.ok) {
    // What is wrong with the overrides is told before a server is started for them.
    addOverrides(new MCPMock(), path, checked.value);
    return checked.value;
  }
  throw new Error(`${path} is no proxy file:\n${checked.problems.map((each) => `  ${showProblem(each)}`).join("\n")}`);
}

/** All that is wrong with a proxy file, its overrides included. */
export function proxyProblems(raw: unknown, path: string): Problem[] {
  const checked = check(proxyFile, raw);
  if (!checked.ok) return [...checked.problems];
  try {
    addOverrides(new MCPMock(), path, checked.value);
    return [];
  } catch (error) {
    return [{ path: [], text: thrownText(error) }];
  }
}

/**
 * A mock that looks like the server behind it: the same name, capabilities and lists; what its overrides do not answer
 * goes to the backend.
 */
export function mockBefore(backend: Backend, told: UpstreamTold): MCPMock {
  const { serverInfo, instructions } = told;
  const options = { serverInfo, capabilities: servable(told.capabilities) };
  return new MCPMock(instructions === null ? options : { ...options, instructions }, backend);
}

/** Adds the overrides and expectations of a proxy file. Throws a `FixtureLoadError` that holds every problem. */
export function addOverrides(mock: MCPMock, path: string, file: ProxyFile): void {
  const { overrides = {}, mode, unexpected, expectations, resources, prompts } = file;
  const tools = Object.entries(overrides).map(([name, answers]) => ({ name, ...answers }));
  const blocks: BlockSource[] = [];
  if (tools.length > 0 || expectations !== undefined) {
    const raw = { tools, mode, unexpected, expectations };
    blocks.push({ source: path, blockIndex: null, raw, dialect: "mock" });
  }
  if (resources !== undefined || prompts !== undefined) {
    blocks.push({ source: path, blockIndex: null, raw: { scope: "shared", resources, prompts } });
  }
  if (blocks.length > 0) mock.addMcpFakes(blocks, { kind: "file" });
}

/** What a proxy file scripts that the server does not list, each with the name that may be meant. */
export function unlistedTools({ overrides = {}, expectations = [] }: ProxyFile, listed: readonly string[]): string[] {
  const named = [
    ...Object.keys(overrides).map((tool) => ({ tool, path: ["overrides", tool] })),
    ...expectations.map(({ tool }, index) => ({ tool, path: ["expectations", index, "tool"] })),
  ];
  return named
    .filter(({ tool }) => !listed.includes(tool))
    .map(({ tool, path }) => {
      const nearest = nearestName(listed, tool);
      const meant = nearest === undefined ? "it lists none" : `did you mean ${showName(nearest)}?`;
      return showProblem({ path, text: `the server lists no tool ${showName(tool)}; ${meant}` });
    });
}

/** The redactor of a recording: what file and environment list, and the secrets that the connection itself needs. */
export function redactorFor({ redact = [], upstream }: ProxyFile, environment: Environment): Redactor {
  const redactor = createRedactor([...redact, ...environment.redact]);
  redactor.learn(upstream as Json); // from a file of JSON
  return redactor;
}

/** Passes a server's unasked messages on to the mock's clients, and tells of trouble on stderr. */
export function listenerFor(mock: () => MCPMock | null, stderr: NodeJS.WritableStream): UpstreamListener {
  return {
    notice: (...said) => mock()?.[MCP_MOCK].passOn(...said),
    trouble: (text) => void stderr.write(`mcp-fakes: ${text}\n`),
  };
}

// --- internal ---

const FAMILIES = ["tools", "resources", "prompts", "completions", "logging"];

/** What a mock can pass on of what the server offers. */
function servable(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => FAMILIES.includes(name)));
}
