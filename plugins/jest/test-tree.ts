import type { Circus } from "@jest/types";
import { testIds } from "../shared/test-id.ts";

/** A test of a file and where it stands there. */
export interface TestPlace {
  readonly entry: Circus.TestEntry;
  readonly id: string;
  /** From the outermost describe to the test. */
  readonly names: readonly string[];
}

/** All tests of a file, in file order. */
export function placesIn(root: Circus.DescribeBlock, file: string): TestPlace[] {
  const tests = testsIn(root, []);
  const ids = testIds(
    file,
    tests.map(({ names }) => names),
  );
  return tests.map((test, index) => ({ ...test, id: ids[index] ?? "" }));
}

/** All hooks of a file that run around each test. */
export function testHooksIn(block: Circus.DescribeBlock): Circus.Hook[] {
  const inner = block.children.flatMap((child) => (child.type === "describeBlock" ? testHooksIn(child) : []));
  return [...block.hooks.filter((hook) => !isSuiteHook(hook)), ...inner];
}

/** Whether a hook runs once for a whole block. */
export function isSuiteHook({ type }: Circus.Hook): boolean {
  return type === "beforeAll" || type === "afterAll";
}

function testsIn(block: Circus.DescribeBlock, parents: readonly string[]): Omit<TestPlace, "id">[] {
  return block.children.flatMap((child) => {
    const names = [...parents, child.name];
    return child.type === "describeBlock" ? testsIn(child, names) : [{ entry: child, names }];
  });
}
