import type { Circus } from "@jest/types";

/** Calls `body`, in whatever surroundings. */
export type Around = <T>(body: () => T) => T;

/**
 * The same function of a test or hook, each part of it run inside of `around`. It may take `done`, return a promise, or
 * be a generator function; Jest sees no difference.
 */
export function wrapFunction(fn: Circus.TestFn, around: Around): Circus.TestFn {
  const wrapped = isGeneratorFunction(fn)
    ? function* (this: unknown, ...args: unknown[]) {
        return yield* stepwise(Reflect.apply(fn, this, args), around);
      }
    : function (this: unknown, ...args: unknown[]) {
        return around(() => Reflect.apply(fn, this, args));
      };
  // By the length Jest knows whether a function takes `done`.
  Object.defineProperty(wrapped, "length", { value: fn.length });
  return wrapped as Circus.TestFn; // takes and returns the same
}

/** Whether Jest would run this one step by step. It may come from another realm, with a constructor of its own. */
export function isGeneratorFunction(fn: Circus.TestFn): boolean {
  return Object.prototype.toString.call(fn) === "[object GeneratorFunction]";
}

function* stepwise(steps: Generator, around: Around): Generator {
  let step = around(() => steps.next());
  while (!step.done) {
    let resume: () => IteratorResult<unknown>;
    try {
      const value: unknown = yield step.value;
      resume = () => steps.next(value);
    } catch (error) {
      resume = () => steps.throw(error);
    }
    step = around(resume);
  }
  return step.value;
}
