import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";

export default withMcpFakes({ fixtures: "./fixtures", setup: "./mocks.ts", verify: "off", logLevel: "silent" }, base);
