/** Where a request goes, as a `URL` has it. */
export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
}

/** Whether a request goes to one certain server. */
export type OriginTest = (target: Target) => boolean;

/** All names under which this machine reaches itself. */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0"]);

/** A test for requests to `url`'s server, by whichever of this machine's names they reach it. */
export function originTest(url: string): OriginTest {
  const ours = new URL(url);
  return ({ protocol, hostname, port }) =>
    protocol === ours.protocol &&
    (port || "80") === (ours.port || "80") &&
    (hostname === ours.hostname || (LOOPBACK.has(hostname) && LOOPBACK.has(ours.hostname)));
}
