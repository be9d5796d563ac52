import type { ErrorReply } from "./reply.ts";

/** What goes with a refusal beside its body. */
export function errorHeaders({ status, retryAfter }: ErrorReply): Record<string, string> {
  const seconds = retryAfter ?? (status === 429 ? 1 : null);
  return {
    ...(seconds !== null && { "retry-after": String(seconds) }),
    ...(status === 429 && RATE_LIMIT),
  };
}

/** Told to a client whose request no second try can help: the official clients obey it. */
export const NO_RETRY = { "x-should-retry": "false" } as const;

/** What providers tell of a limit that is reached. */
const RATE_LIMIT = {
  "x-ratelimit-limit-requests": "60",
  "x-ratelimit-limit-tokens": "150000",
  "x-ratelimit-remaining-requests": "0",
  "x-ratelimit-remaining-tokens": "0",
  "x-ratelimit-reset-requests": "1s",
  "x-ratelimit-reset-tokens": "6m0s",
} as const;
