import { test } from "./runner.ts";

test("weather", () => {});
