import type { MCPMock } from "../../src/index.ts";

/** The tools and the prompt with which the suite tries out calls that go back to the client with questions. */
export function registerInputRounds(mcp: MCPMock): void {
  const tool = (name: string, handler: Parameters<MCPMock["onToolCall"]>[1]) => {
    mcp.addTool({ name, description: "Asks the client before it answers" });
    mcp.onToolCall(name, handler);
  };

  tool("test_streaming_elicitation", (_args, context) => context.elicit(ask("Go on?", "ok", "boolean")));
  tool("test_input_required_result_elicitation", async (_args, context) => {
    const { content } = await context.elicit(ask("What is your name?", "name"), { key: "user_name" });
    return `Hello, ${content?.name}!`;
  });
  tool("test_input_required_result_sampling", async (_args, context) => {
    const { content } = await context.sample(question("What is the capital of France?"), { key: "capital_question" });
    return JSON.stringify(content);
  });
  tool("test_input_required_result_list_roots", async (_args, context) => {
    return JSON.stringify((await context.roots({ key: "client_roots" })).roots);
  });
  tool("test_input_required_result_request_state", async (_args, context) => {
    await context.elicit(ask("Please confirm", "ok", "boolean"), { key: "confirm" });
    return "state-ok";
  });
  tool("test_input_required_result_multiple_inputs", async (_args, context) => {
    const answers = await Promise.all([
      context.elicit(ask("What is your name?", "name"), { key: "user_name" }),
      context.sample(question("Generate a greeting"), { key: "greeting" }),
      context.roots({ key: "client_roots" }),
    ]);
    return JSON.stringify(answers);
  });
  tool("test_input_required_result_multi_round", async (_args, context) => {
    const name = await context.elicit(ask("Step 1: What is your name?", "name"), { key: "step1" });
    const color = await context.elicit(ask("Step 2: What is your favorite color?", "color"), { key: "step2" });
    return `${name.content?.name} likes ${color.content?.color}`;
  });
  tool("test_input_required_result_tampered_state", async (_args, context) => {
    await context.elicit(ask("Please confirm", "ok", "boolean"), { key: "confirm" });
    return "state-ok";
  });
  tool("test_input_required_result_capabilities", async (_args, context) => {
    const { sampling, elicitation } = context.request.clientCapabilities;
    const answers = await Promise.all([
      ...(elicitation === undefined ? [] : [context.elicit(ask("What is your name?", "name"))]),
      ...(sampling === undefined ? [] : [context.sample(question("Generate a greeting"))]),
    ]);
    return JSON.stringify(answers);
  });
  mcp.addPrompt(
    { name: "test_input_required_result_prompt", description: "Asks for its context" },
    async (_args, context) => {
      const { content } = await context.elicit(ask("What context should the prompt use?", "context"), {
        key: "user_context",
      });
      return { messages: [{ role: "user", content: { type: "text", text: `Use this context: ${content?.context}` } }] };
    },
  );
}

function ask(message: string, name: string, type = "string") {
  return { message, requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] } };
}

function question(text: string) {
  return { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 50 };
}
