/**
 * Who is asking: the three values that a request can carry, each resolved on its own
 * (header, else query, else session). `null` means that the request sent none.
 */
export interface Identity {
  readonly testId: string | null;
  readonly context: string | null;
  /** The request's own say on tools that its blocks do not declare. */
  readonly undeclared: "allow" | "deny" | null;
}
