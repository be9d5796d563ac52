const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/** True for the addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The URL of a server, without a trailing slash. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** True for pages of this machine. */
export function isLocalOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Guards a server on loopback against DNS rebinding: a request whose `Host` or `Origin` is not local is refused
 * (MCP 2025-11-25, Transports, security warning: 403). A server that is bound to another address answers any host.
 */
export function createOriginCheck(
  boundHost: string,
): (host: string | undefined, origin: string | undefined) => Refusal | undefined {
  if (!isLoopback(boundHost)) return () => undefined;
  // Nearly all requests of a run carry the same Host, so the last good one is compared before anything is parsed.
  let lastGood: string | undefined;
  return (host, origin) => {
    if (host !== lastGood) {
      if (host === undefined || !isLoopback(hostName(host))) return refusal("Host", host);
      lastGood = host;
    }
    if (origin !== undefined && !isLocalOrigin(origin)) return refusal("Origin", origin);
    return undefined;
  };
}

function hostName(host: string): string {
  return host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : (host.split(":", 1)[0] ?? "");
}

function refusal(header: string, value: string | undefined): Refusal {
  const message = `Forbidden ${header} header ${JSON.stringify(value ?? "")}: this server answers localhost, 127.0.0.1 and [::1] only`;
  return { jsonrpc: "2.0", id: null, error: { code: -32000, message } };
}
