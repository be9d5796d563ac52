import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/consumers/**"],
    // Most tests wait for programs of their own: on two processors, one worker would leave one of them idle.
    maxWorkers: 2,
    // For what hangs. What is only slow, on a machine that has other work too, is not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["test/_support/setup.ts"],
  },
});
