import type { Identity } from "../../identity.ts";
import type { ExchangeFacts } from "../../journal/facts.ts";
import type { Session } from "../era-session.ts";
import type { Link } from "./link.ts";

/** Who sends a message, and over which connection: all that a method may know of the wire. */
export interface Caller {
  readonly identity: Identity;
  /** The path that the mock is served at. */
  readonly mount: string;
  /** Client name, when it told one. */
  readonly client: string | null;
  /** `null` in the era without sessions. */
  readonly session: Session | null;
  /** Takes what the journal is to hold of a message. */
  note(facts: ExchangeFacts): void;
  /** Calls back when the answer could not be delivered: the connection was gone, and cannot be resumed. */
  onLost(listener: () => void): void;
  /** The connection, for what goes over it before the answer. Made when first asked for: most calls need none. */
  link(): Link;
}
