import packageJson from "../../package.json" with { type: "json" };
import fakesFile from "../../schema/fakes.schema.json" with { type: "json" };
import type { Param, Route } from "./route.ts";
import { ERROR, type JsonSchema } from "./schemas.ts";

/** The document of the control API, made from its one table of routes (OpenAPI 3.1.1). */
export function openApiOf(table: readonly Route[], prefix: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of table) {
    const [verb = "", path = ""] = route.route.split(" ");
    paths[prefix + path] = { ...paths[prefix + path], [verb.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "mcp-fakes control API", version: packageJson.version, description: ABOUT },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      parameters: { testId: TEST_ID },
      schemas: fixtureSchemas(),
    },
    // The first, empty choice: a server on loopback asks for no token unless it was given one.
    security: [{}, { token: [] }],
    paths,
  };
}

const ABOUT =
  "Requests to MCP mounts and to models say whose they are with the header of `components.parameters.testId`, or with `?testId=`. The routes below name a test in their bodies and parameters.";

/** No route of the document reads it: what it steers, does. */
const TEST_ID: JsonSchema = {
  name: "X-Test-Id",
  in: "header",
  description: "The id of the test that makes a request to an MCP mount or a model, percent-encoded (UTF-8).",
  schema: { type: "string" },
  example: "weather%20%E2%80%BA%20seattle",
};

/** The schema of fixture files, its parts where references of the document find them. */
function fixtureSchemas(): JsonSchema {
  const moved = JSON.stringify(fakesFile).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema, $defs, ...file } = JSON.parse(moved);
  return { fixtureFile: file, ...$defs };
}

function operationOf(route: Route): JsonSchema {
  const params = Object.entries(route.params ?? {});
  const reads = params.length > 0 || route.body !== undefined;
  const errors = [...(reads ? [400] : []), 401, ...(route.errors ?? [])];
  return {
    summary: route.summary,
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(params.length === 0 ? {} : { parameters: params.map(parameterOf) }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: json(route.body) } }),
    responses: {
      200: {
        description: "Done",
        content: route.okType === undefined ? json(route.ok) : { [route.okType]: { schema: route.ok } },
      },
      ...Object.fromEntries(errors.map((status) => [status, { description: MEANINGS[status], content: json(ERROR) }])),
    },
  };
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request is wrong; `error` says what is right",
  401: "The token is missing or wrong",
  404: "There is no such thing",
  503: "A limit is reached",
};

const PARAM_SCHEMAS: Readonly<Record<Param["kind"], JsonSchema>> = {
  text: { type: "string" },
  count: { type: "integer", minimum: 0 },
  integer: { type: "integer" },
};

function parameterOf([name, { kind, meaning }]: [string, Param]): JsonSchema {
  return { name, in: "query", description: meaning, schema: PARAM_SCHEMAS[kind] };
}

function json(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}
