export { toHaveCalledTool } from "./to-have-called-tool.ts";
export { toHaveCalledToolTimes } from "./to-have-called-tool-times.ts";
export { toHaveCalledTools } from "./to-have-called-tools.ts";
export { toHaveConsumedAllFakes } from "./to-have-consumed-all-fakes.ts";
export { toHaveListedTools } from "./to-have-listed-tools.ts";
export { toHaveNoFakeFailures } from "./to-have-no-fake-failures.ts";
export { toHaveReadResource } from "./to-have-read-resource.ts";
export { toHaveUsedPrompt } from "./to-have-used-prompt.ts";
