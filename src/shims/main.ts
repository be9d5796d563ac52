import { thrownText } from "../text.ts";
import { runShim } from "./shim.ts";

runShim(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`mcp-fakes: ${thrownText(error)}\n`);
  process.exitCode = 1;
});
