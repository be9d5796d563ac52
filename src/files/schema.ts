import * as z from "zod/mini";
import type { Json } from "../json.ts";

/** Any JSON value. What we check was parsed from JSON, so only its absence is wrong. */
export const json = z.custom<Json>((value) => value !== undefined, "is missing");

/** Headers of HTTP that can be sent: another character would end the reply, or the connection, when it is too late. */
export const headers = z.record(
  z.string().check(
    z.regex(/^[\w!#$%&'*+.^`|~-]+$/, {
      error: "is no name of a header: letters, digits and the signs !#$%&'*+-.^_`|~ are allowed, and no spaces",
    }),
  ),
  z.string().check(
    z.regex(/^[\t -~\u0080-\u00ff]*$/, {
      error: "a header's value, without line breaks, control characters and characters beyond U+00FF",
    }),
  ),
);

/**
 * An object of one of our file formats: these keys and no others, save the comment keys that are allowed anywhere.
 * Source: scripting sheet, 1.
 */
export function fileObject<Shape extends Record<string, z.core.$ZodType>>(shape: Shape) {
  return z.strictObject({ ...shape, $schema: z.optional(z.string()), _comment: z.optional(json) });
}

/** No two items are called the same. */
export function isUnique<Key extends string>(key: Key) {
  return z.superRefine<readonly Readonly<Record<Key, string>>[]>((items, { addIssue }) => {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (seen.has(item[key]))
        addIssue({ code: "custom", message: "is there twice", path: [index, key], input: item[key] });
      seen.add(item[key]);
    }
  });
}
