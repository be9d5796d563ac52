import type { IncomingMessage } from "node:http";
import type { Headers } from "./exchange.ts";

/**
 * Reads the headers of the requests of one server. Clients say the same of themselves each time: what has not changed
 * since the request before is the same object again, so that the journal keeps it once and not with every record.
 */
export function createHeaderReader(): (request: IncomingMessage) => Headers {
  let before: Headers = {};
  let size = 0;
  return (request) => {
    const headers = flatHeaders(request);
    let count = 0;
    let isChanged = false;
    for (const name in headers) {
      count++;
      const known = before[name];
      if (headers[name] === known) headers[name] = known;
      else isChanged = true;
    }
    if (!isChanged && count === size) return before;
    before = headers;
    size = count;
    return headers;
  };
}

/** Node keeps repeated `set-cookie` as a list, which no request to a mock needs; all else is flat already. */
function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers = request.headers;
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return headers as Record<string, string | undefined>; // flat but for set-cookie, by Node's own rule
  return { ...headers, "set-cookie": cookies.join(", ") } as Record<string, string | undefined>;
}
