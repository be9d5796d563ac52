import { expect } from "@jest/globals";
import * as matchers from "../shared/matchers/index.ts";
import { FOLLOWED } from "./settings.ts";

if (!(FOLLOWED in globalThis)) {
  throw new Error(
    'mcp-fakes follows tests that jest-circus runs. This configuration has another "testRunner": leave it out.',
  );
}
expect.extend(matchers);
