/** The revisions of MCP with sessions, newest first (2024-11-05 to 2025-11-25: `initialize` opens one). */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The revisions without sessions, in which each request says all that the server needs to know. */
export const STATELESS_VERSIONS = ["2026-07-28"] as const;

export type SessionVersion = (typeof SESSION_VERSIONS)[number];
export type StatelessVersion = (typeof STATELESS_VERSIONS)[number];

/** A protocol revision that this server speaks. */
export type ProtocolVersion = SessionVersion | StatelessVersion;

export const PROTOCOL_VERSIONS: readonly ProtocolVersion[] = [...STATELESS_VERSIONS, ...SESSION_VERSIONS];

/** True for `first` and every later revision: revisions are named by date. */
export function isSince(version: ProtocolVersion, first: ProtocolVersion): boolean {
  return version >= first;
}
