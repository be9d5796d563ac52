import type { Writable } from "node:stream";

const SECOND_MS = 1000;

/**
 * Says what is waited for once that takes over a second. Source: product page, 8.
 *
 * @example await patiently(connect(), { what: "the real server to start", stderr: process.stderr })
 */
export async function patiently<T>(
  work: Promise<T>,
  { what, stderr }: { readonly what: string; readonly stderr: Writable },
): Promise<T> {
  const timer = setTimeout(() => stderr.write(`waiting for ${what} …\n`), SECOND_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
