import type { McpFakeScope } from "../fixtures/types.ts";
import { quote } from "../text.ts";
import type { TurnFixture } from "./fixture.ts";

/**
 * Finds scripted tool calls that nobody will answer: the agent would ask its MCP server for a tool that no fake and no
 * handler of the scenario knows. Where a scenario knows no tool at all, its agent has tools of another kind, and nothing
 * is said. Each turn is told once.
 *
 * @param knownTo the tools that a scope's fakes and the servers' handlers know
 */
export function createToolCheck(
  knownTo: (scope: McpFakeScope) => ReadonlySet<string>,
): (turns: readonly TurnFixture[]) => string[] {
  const told = new WeakSet<TurnFixture>();

  return (turns) => {
    const known = new Map<string, ReadonlySet<string>>();
    const toolsOf = (scope: McpFakeScope) => {
      const key = JSON.stringify(scope);
      const tools = known.get(key) ?? knownTo(scope);
      known.set(key, tools);
      return tools;
    };
    return turns.flatMap((turn) => {
      const calls = told.has(turn) || turn.reply.kind !== "message" ? [] : turn.reply.blocks;
      told.add(turn);
      const tools = toolsOf(turn.scope);
      if (tools.size === 0) return [];
      return calls.flatMap((block) => {
        if (block.type !== "toolCall" || tools.has(block.name)) return [];
        const names = [...tools].map(quote).join(", ");
        return [
          `${turn.id} calls the tool ${quote(block.name)}, which no fake or handler of its scenario knows; known: ${names}`,
        ];
      });
    });
  };
}
