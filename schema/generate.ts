import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FORMATS, schemaText } from "./formats.ts";

// `npm run schema`: writes the JSON Schemas of all file formats.
for (const format of FORMATS)
  writeFileSync(join(import.meta.dirname, `${format.name}.schema.json`), schemaText(format));
