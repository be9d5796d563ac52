/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error("unreachable: a promise runs its executor at once");
  return { promise, ...settle };
}
