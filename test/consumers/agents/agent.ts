/** What an agent is given. It knows neither test nor mock: the URL of its MCP server and its task, no more. */
export interface Task {
  readonly mcpUrl: string;
  readonly task: string;
  /** Most requests to the model; 10 without it. */
  readonly maxTurns?: number;
}

/** Does a task with the tools of an MCP server, and answers what the model said last. */
export type RunAgent = (task: Task) => Promise<string>;
