import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { type JsonObject, pathStep } from "./json.ts";
import { lazy } from "./lazy.ts";

/** Checks values against one JSON Schema: the problems, none when the value fits. */
export type SchemaCheck = (value: unknown) => readonly { readonly path: string; readonly text: string }[];

/** Compiles a JSON Schema (2020-12), or says why it is none. */
export function compileSchema(
  schema: JsonObject,
): { readonly ok: true; readonly check: SchemaCheck } | { readonly ok: false; readonly problem: string } {
  const ajv = sharedAjv();
  try {
    const validate = ajv.compile(schema);
    return {
      ok: true,
      check(value) {
        if (validate(value)) return [];
        return (validate.errors ?? []).map(({ instancePath, message }) => ({
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

/** Made once: reading its own meta-schemas takes longer than compiling many schemas. */
const sharedAjv = lazy(createAjv);

/** `/a/0` as `$.a[0]`. */
function showPointer(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  const unescaped = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return `$${unescaped.map((step) => pathStep(/^\d+$/.test(step) ? Number(step) : step)).join("")}`;
}

/** The checker is a third of what importing this package would cost, and few fixtures need it. */
function createAjv(): Ajv2020 {
  const loaded: { readonly Ajv2020: new (options: object) => Ajv2020 } = createRequire(import.meta.url)(
    "ajv/dist/2020.js",
  );
  return new loaded.Ajv2020({ allErrors: true, strict: false, validateFormats: false });
}
