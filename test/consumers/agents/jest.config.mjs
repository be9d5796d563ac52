import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";

process.env.OPENAI_API_KEY = "test";

export default withMcpFakes({ fixtures: "./fixtures", logLevel: "silent" }, base);
