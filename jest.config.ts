/** @jest-config-loader esbuild-register */
import { withMcpFakes } from "mcp-fakes/jest";

/** The scenarios of the shipped fixtures under Jest itself; all other tests run in Vitest. */
export default withMcpFakes(
  { fixtures: ["./fixtures/tickets", "./fixtures/weather"] },
  { testMatch: ["<rootDir>/test/jest/**/*.jest.ts"], transform: { "\\.ts$": "@swc/jest" } },
);
