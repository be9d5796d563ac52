import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/consumers/**"],
    // Most tests wait for programs of their own: on two processors, one worker would leave one of them idle.
    maxWorkers: 2,
    setupFiles: ["test/_support/setup.ts"],
  },
});
