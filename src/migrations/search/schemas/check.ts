import type { FileProblem, JsonSchemas, LoadedFile } from "../../runner/mod.ts";
import { endingOf } from "../files/classify.ts";
import { filledFile } from "../files/placeholders.ts";
import { FileText } from "../json/json.ts";
import type { Placeholders } from "../types.ts";
import { misfitsIn } from "./misfits.ts";

/**
 * What does not fit the schema of a file: warnings, because the cluster knows better.
 * @param schemas the definitions of `search.schema.json`
 */
export function schemaWarnings(
  file: LoadedFile,
  schemas: JsonSchemas,
  placeholders: Placeholders,
): readonly FileProblem[] {
  const source = new FileText(filledFile(file, placeholders));
  const schema = schemas[`file.${endingOf(file.path) ?? "other"}`]!;
  return misfitsIn(source.text, schema, schemas)
    .map(({ offset, message }) => source.problem("warning", offset, message));
}
