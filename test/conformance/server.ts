import type { MCPMock } from "../../src/index.ts";
import { registerInputRounds } from "./input-rounds.ts";

/** What the official conformance suite calls on a server, registered with this package's public API alone. */
export function registerConformance(mcp: MCPMock): void {
  registerHeaderTool(mcp);
  registerContents(mcp);
  registerMidCall(mcp);
  registerInputRounds(mcp);
  registerResources(mcp);
  registerPrompts(mcp);
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const IMAGE = { type: "image", data: PNG, mimeType: "image/png" };
const EMBEDDED = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
};

/** The suite takes the first tool of the list for its header checks. */
function registerHeaderTool(mcp: MCPMock): void {
  mcp.addTool({
    name: "test_header_param",
    description: "Repeats its region, which clients of 2026-07-28 mirror in a header",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
  });
  mcp.onToolCall("test_header_param", (args) => JSON.stringify(args));
}

function registerContents(mcp: MCPMock): void {
  const answers: Record<string, unknown> = {
    test_simple_text: "This is a simple text response for testing.",
    test_image_content: [IMAGE],
    test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
    test_embedded_resource: [EMBEDDED],
    test_multiple_content_types: [{ type: "text", text: "Multiple content types test:" }, IMAGE, EMBEDDED],
    test_error_handling: {
      content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
      isError: true,
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    mcp.addTool({ name, description: `Answers ${name.slice("test_".length).replaceAll("_", " ")}` });
    mcp.onToolCall(name, () => answer);
  }
  mcp.addTool({
    name: "json_schema_2020_12_tool",
    description: "Has a schema of 2020-12",
    inputSchema: SCHEMA_2020_12,
  });
}

const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

function registerMidCall(mcp: MCPMock): void {
  tool(mcp, "test_tool_with_progress", "Reports progress", async (_args, context) => {
    for (const progress of [0, 50, 100]) {
      context.progress(progress, 100);
      await pause(50);
    }
    return "done";
  });
  tool(mcp, "test_tool_with_logging", "Logs", async (_args, context) => {
    for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      context.log("info", line);
      await pause(50);
    }
    return "done";
  });
  tool(mcp, "test_logging_tool", "Logs a line", (_args, context) => {
    context.log("info", "a line");
    return "done";
  });
  tool(mcp, "test_sampling", "Asks the client's model", async (args, context) => {
    const { prompt } = args as { prompt: string };
    const messages = [{ role: "user", content: { type: "text", text: prompt } }];
    const { content } = await context.sample({ messages, maxTokens: 100 });
    return `LLM response: ${JSON.stringify(content)}`;
  });
  tool(mcp, "test_elicitation", "Asks the user", async (args, context) => {
    const { message } = args as { message: string };
    const properties = { username: { type: "string" }, email: { type: "string" } };
    const requestedSchema = { type: "object", properties, required: ["username", "email"] };
    return `User response: ${JSON.stringify(await context.elicit({ message, requestedSchema }))}`;
  });
  for (const [name, properties] of Object.entries(ELICITED)) {
    tool(mcp, name, "Asks the user", async (_args, context) => {
      const requestedSchema = { type: "object", properties };
      const { action, content } = await context.elicit({ message: "Please fill in", requestedSchema });
      return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
    });
  }
  tool(mcp, "test_reconnection", "Closes its stream in the middle of the call", async (_args, context) => {
    context.closeStream(300);
    await pause(100);
    return "resumed";
  });
  tool(mcp, "test_missing_capability", "Needs sampling", async (_args, context) => {
    return JSON.stringify(await context.sample({ messages: [], maxTokens: 1 }));
  });
  tool(mcp, "test_trigger_tool_change", "Tells that the tools changed", () => mcp.notify.toolsChanged());
  tool(mcp, "test_trigger_prompt_change", "Tells that the prompts changed", () => mcp.notify.promptsChanged());
}

const titled = (...values: string[]) => values.map((value) => ({ const: value, title: `Title of ${value}` }));

const ELICITED = {
  test_elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("value1", "value2", "value3") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled("value1", "value2", "value3") } },
  },
};

function registerResources(mcp: MCPMock): void {
  mcp.addResource(
    { uri: "test://static-text", name: "Static text", mimeType: "text/plain" },
    { text: "This is the content of the static text resource." },
  );
  mcp.addResource({ uri: "test://static-binary", name: "Static binary", mimeType: "image/png" }, { blob: PNG });
  mcp.addResource({ uri: "test://watched-resource", name: "Watched", mimeType: "text/plain" }, { text: "Watched." });
  mcp.addResourceTemplate(
    { uriTemplate: "test://template/{id}/data", name: "Template", mimeType: "application/json" },
    ({ id }) => ({ text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }),
  );
}

function registerPrompts(mcp: MCPMock): void {
  const user = (content: object) => ({ role: "user" as const, content: { ...content } });
  const text = (text: string) => user({ type: "text", text });
  mcp.addPrompt({ name: "test_simple_prompt", description: "A simple prompt" }, () => ({
    messages: [text("This is a simple prompt for testing.")],
  }));
  const names = ["arg1", "arg2"].map((name) => ({ name, description: `The ${name}`, required: true }));
  mcp.addPrompt(
    { name: "test_prompt_with_arguments", description: "A prompt with arguments", arguments: names },
    ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  mcp.onComplete({ prompt: "test_prompt_with_arguments" }, ({ value }) =>
    ["paris", "park", "party"].filter((each) => each.startsWith(value)),
  );
  mcp.addPrompt(
    {
      name: "test_prompt_with_embedded_resource",
      description: "A prompt with a resource",
      arguments: [{ name: "resourceUri", required: true }],
    },
    ({ resourceUri = "" }) => {
      const resource = { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return { messages: [user({ type: "resource", resource }), text("Please process the embedded resource above.")] };
    },
  );
  mcp.addPrompt({ name: "test_prompt_with_image", description: "A prompt with an image" }, () => ({
    messages: [user(IMAGE), text("Please analyze the image above.")],
  }));
}

type Handler = Parameters<MCPMock["onToolCall"]>[1];

function tool(mcp: MCPMock, name: string, description: string, handler: Handler): void {
  mcp.addTool({ name, description });
  mcp.onToolCall(name, handler);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
