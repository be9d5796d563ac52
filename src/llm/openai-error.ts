import type { Json } from "../json.ts";
import type { ErrorReply } from "./reply.ts";

/** The body of an OpenAI refusal. */
export function openAiError({ status, message, type, param, code }: ErrorReply): Json {
  return {
    error: {
      message,
      type: type ?? TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error"),
      param,
      code,
    },
  };
}

/** OpenAI's word for a status, where it has one of its own. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};
