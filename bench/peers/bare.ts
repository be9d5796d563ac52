import { createServer } from "node:http";
import { ready } from "./ready.ts";

/** The floor: a bare node:http server that parses the call and answers the same JSON as the fake does. */
const result = { content: [{ type: "text", text: "TICKET-42" }], isError: false };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
ready(server);
