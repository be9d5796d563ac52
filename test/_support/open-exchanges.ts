import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";

const open = new Set<ServerResponse>();

subscribe("http.server.request.start", (event) => {
  const { response } = event as { response: ServerResponse }; // Node's own shape
  open.add(response);
  response.once("close", () => open.delete(response));
});

/** How many requests to servers of this process have no whole answer yet: event streams, and calls that wait. */
export function openExchanges(): number {
  return open.size;
}
