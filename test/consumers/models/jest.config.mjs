import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";

export default withMcpFakes({ fixtures: "./fixtures", logLevel: "silent" }, base);
