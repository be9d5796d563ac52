/** How the TypeScript of these projects is run: as ES modules where Node is told to take them, else as CommonJS. */
export const base = {
  testTimeout: 30_000,
  testPathIgnorePatterns: ["/node_modules/", "\\.vitest\\.test\\.ts$"],
  transform: { "\\.ts$": ["@swc/jest", { jsc: { target: "es2022" } }] },
  extensionsToTreatAsEsm: process.env.NODE_OPTIONS?.includes("--experimental-vm-modules") ? [".ts"] : [],
};
