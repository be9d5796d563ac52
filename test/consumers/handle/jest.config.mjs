import { withMcpFakes } from "mcp-fakes/jest";
import { base } from "./jest.base.mjs";

export default withMcpFakes({ mount: ["/mcp", "/crm"], logLevel: "silent" }, base);
