export { default } from "./dist/jest-preset.mjs";
