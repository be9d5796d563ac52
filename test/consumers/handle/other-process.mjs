// An agent in a process of its own: it gets a URL and maybe headers, calls `search`, and prints the answer.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { AGENT_URL, AGENT_HEADERS = "{}" } = process.env;
const requestInit = { headers: JSON.parse(AGENT_HEADERS) };
const client = new Client({ name: "other-process", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(AGENT_URL), { requestInit }));
const { content } = await client.callTool({ name: "search", arguments: { query: "cats" } });
console.log(content[0].text);
await client.close();
