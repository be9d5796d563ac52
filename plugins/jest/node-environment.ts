import { createRequire } from "node:module";
import { createMcpFakesEnvironment, type EnvironmentClass } from "./environment.ts";
import { findInJest } from "./find-jest.ts";

const { TestEnvironment } = createRequire(import.meta.url)(findInJest("jest-environment-node", process.cwd()));

/** Jest's own environment for Node, whose tests are followed. */
const McpFakesEnvironment: EnvironmentClass = createMcpFakesEnvironment(TestEnvironment);

export default McpFakesEnvironment;
