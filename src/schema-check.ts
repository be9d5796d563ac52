import { createRequire } from "node:module";
import type { Ajv } from "ajv";
import { type JsonObject, pathStep } from "./json.ts";
import { lazy } from "./lazy.ts";

/** Checks values against one JSON Schema: the problems, none when the value fits. */
export type SchemaCheck = (value: unknown) => readonly Misfit[];

/** One way in which a value does not fit a schema. */
export interface Misfit {
  readonly path: string;
  readonly text: string;
  /** The keyword of the schema that says so, e.g. `required`. */
  readonly keyword: string;
}

/** Compiles a JSON Schema (2020-12, or the draft 07 that many servers still send), or says why it is none. */
export function compileSchema(
  schema: JsonObject,
): { readonly ok: true; readonly check: SchemaCheck } | { readonly ok: false; readonly problem: string } {
  const ajv = ajvFor(schema);
  try {
    const validate = ajv.compile(schema);
    return {
      ok: true,
      check(value) {
        if (validate(value)) return [];
        return (validate.errors ?? []).map(({ instancePath, message, keyword }) => ({
          keyword,
          path: showPointer(instancePath),
          text: message ?? "does not fit the schema",
        }));
      },
    };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    // Two schemas may bring the same $id: none is to know of another.
    ajv.removeSchema(schema);
  }
}

function ajvFor({ $schema }: JsonObject): Ajv {
  return typeof $schema === "string" && /json-schema\.org\/draft-0[67]\//.test($schema) ? draft07() : draft2020();
}

// Made once: reading its own meta-schemas takes longer than compiling many schemas.
const draft07 = lazy(() => createAjv("ajv"));
const draft2020 = lazy(() => createAjv("ajv/dist/2020.js"));

/** `/a/0` as `$.a[0]`. */
function showPointer(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  const unescaped = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return `$${unescaped.map((step) => pathStep(/^\d+$/.test(step) ? Number(step) : step)).join("")}`;
}

/** The checker is a third of what importing this package would cost, and few fixtures need it. */
function createAjv(dialect: "ajv" | "ajv/dist/2020.js"): Ajv {
  const loaded: { readonly default: new (options: object) => Ajv } = createRequire(import.meta.url)(dialect);
  return new loaded.default({ allErrors: true, strict: false, validateFormats: false });
}
