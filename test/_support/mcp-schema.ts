import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** What a server may send, by JSON-RPC method: the definition of the specification's schema that it must fit. */
const RESULTS: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "EmptyResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};

const REQUESTS: Readonly<Record<string, string>> = {
  ping: "PingRequest",
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
};

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  "notifications/cancelled": "CancelledNotification",
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/prompts/list_changed": "PromptListChangedNotification",
  "notifications/elicitation/complete": "ElicitationCompleteNotification",
  "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
};

/** The revision whose results must say what they are; in the others the same keys would be foreign. */
const STATELESS = "2026-07-28";

/**
 * What is wrong with a message that a server sent, by the specification's own schema of that revision.
 * `method` is the method of the request that a response answers.
 */
export function schemaProblems(version: string, message: unknown, method?: string): string[] {
  if (!isObject(message)) return ["a message must be a JSON object"];
  if (message.jsonrpc !== "2.0") return ['"jsonrpc" must be "2.0"'];
  const name = typeof message.method === "string" ? message.method : undefined;
  if (name !== undefined) {
    const table = "id" in message ? REQUESTS : NOTIFICATIONS;
    if ("id" in message && version === STATELESS) return [`a ${STATELESS} server must not send requests, got ${name}`];
    return findMisfits(version, table[name], message, name);
  }
  if ("error" in message) return errorProblems(version, message);
  if (!("result" in message)) return ["a response needs result or error"];
  if (method === undefined) return [`response to an unknown id ${JSON.stringify(message.id)}`];
  return resultProblems(version, message.result, method);
}

function resultProblems(version: string, result: unknown, method: string): string[] {
  if (!isObject(result)) return ["result must be an object"];
  if (version === STATELESS && result.resultType === "input_required") {
    return findMisfits(version, "InputRequiredResult", result, method);
  }
  const foreign = ["resultType", "ttlMs", "cacheScope"].filter((key) => version !== STATELESS && key in result);
  return [
    ...foreign.map((key) => `${method}: "${key}" has no place before ${STATELESS}`),
    ...findMisfits(version, RESULTS[method], result, method),
  ];
}

/** JSON-RPC answers a message whose id could not be read with `null`, which the MCP schemas leave out. */
function errorProblems(version: string, message: Record<string, unknown>): string[] {
  const named = message.id === null ? { ...message, id: 0 } : message;
  const [definition] = ["JSONRPCErrorResponse", "JSONRPCError"].filter((name) => validatorOf(version, name));
  return findMisfits(version, definition, named, "error");
}

function findMisfits(version: string, definition: string | undefined, value: unknown, what: string): string[] {
  const validate = definition === undefined ? undefined : validatorOf(version, definition);
  if (validate === undefined) return [`${what} is not a message that a ${version} server may send`];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${what} ${definition}${instancePath} ${message}`);
}

const ajvs = new Map<string, Ajv>();

function validatorOf(version: string, definition: string): ValidateFunction | undefined {
  const ajv = ajvs.get(version) ?? load(version);
  ajvs.set(version, ajv);
  for (const key of ["$defs", "definitions"]) {
    const found = ajv.getSchema(`${version}#/${key}/${definition}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function load(version: string): Ajv {
  const file = new URL(`./mcp-schema/${version}.json`, import.meta.url);
  const schema: { readonly $defs?: object } = JSON.parse(readFileSync(file, "utf8"));
  const options = { strict: false, allErrors: true };
  const ajv = schema.$defs === undefined ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  ajv.addSchema(schema, version);
  return ajv;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
