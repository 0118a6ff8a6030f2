/**
 * Writes the JSON Schemas of the folder `schemas`, for editors and for `irori validate`, and the settings that connect them
 * with the files of a project. They are draft 7, which all editors read.
 *
 * Usage: `deno task schemas`
 */
import { dirname } from "@std/path";
import { application } from "./schemas/application.ts";
import { analysis } from "./schemas/analysis.ts";
import { type Clients, clients } from "./schemas/client_types.ts";
import { ENDINGS, files } from "./schemas/files.ts";
import { FORMS, type Members, ref, type Schema } from "./schemas/forms.ts";
import { keysOfGuide } from "./schemas/guide.ts";
import { mappings } from "./schemas/mappings.ts";
import { policies } from "./schemas/policies.ts";
import { processors } from "./schemas/processors.ts";
import { security } from "./schemas/security.ts";
import { settings } from "./schemas/settings.ts";
import { vscodeSettings } from "./schemas/vscode.ts";

const FOLDER = "schemas";
const DRAFT = "http://json-schema.org/draft-07/schema#";

/** The texts of the files by their paths. */
export async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const settings = JSON.stringify(vscodeSettings(), null, 2);
  const keys = application(await keysOfGuide());
  return new Map([
    ["templates/service/.vscode/settings.json", `${settings}\n`],
    [
      `${FOLDER}/application.schema.json`,
      schemaText({ $schema: DRAFT, title: "application.yml", ...keys }),
    ],
    [`${FOLDER}/search.schema.json`, schemaText(searchSchema(await clients()))],
    ...ENDINGS.map((ending): [string, string] => [
      `${FOLDER}/${ending}.schema.json`,
      schemaText({
        $schema: DRAFT,
        title: `*-${ending}.json`,
        allOf: [{ $ref: `search.schema.json${ref(`file.${ending}`).$ref}` }],
      }),
    ]),
  ]);
}

function searchSchema(types: Clients): Schema {
  const definitions: Members = {
    ...FORMS,
    ...settings(types),
    ...analysis(types),
    ...mappings(types),
    ...processors(types),
    ...policies(types),
    ...security(types),
    ...files(),
  };
  return {
    $schema: DRAFT,
    title: "Search migrations",
    allOf: [ref("file.other")],
    definitions,
  };
}

/** A line for each definition, so that a change shows where it is. */
function schemaText({ definitions, ...rest }: Schema): string {
  const head = JSON.stringify(rest);
  if (definitions === undefined) return `${head}\n`;
  const lines = Object.entries(definitions as Members).map(([name, schema]) =>
    `${JSON.stringify(name)}:${JSON.stringify(schema)}`
  );
  return `${head.slice(0, -1)},"definitions":{\n${lines.join(",\n")}\n}}\n`;
}

if (import.meta.main) {
  for (const [path, text] of await schemaFiles()) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
}
