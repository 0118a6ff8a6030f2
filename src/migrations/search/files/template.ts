import { invalid, type JsonMember, type JsonObject, member } from "../json/json.ts";
import type { SearchFile } from "../types.ts";

const PARTS = ["settings", "mappings", "aliases"];

/** Whether an object has settings, mappings or aliases at its top level. */
export function isDefinition({ members }: JsonObject): boolean {
  return members.some(({ name }) => PARTS.includes(name));
}

/**
 * The body of a composable index template (reference 4.4 rules 1 and 2): a whole one as it is; bare settings,
 * mappings and aliases below `template`, with `["{name}*"]` as patterns unless the file lists its own. The parts are cut
 * out of the text.
 *
 * @throws {InvalidFilesError} for what is neither
 */
export function templateBody(file: SearchFile, json: JsonObject, name: string): string {
  const { text, members } = json;
  const patterns = member(members, "index_patterns");
  const template = member(members, "template");
  const defaults = `"index_patterns":${JSON.stringify(defaultPatterns(name))}`;
  if (isDefinition(json)) {
    if (template) {
      const message = "Expected 'settings', 'mappings' and 'aliases' below 'template', found both";
      throw invalid(file, text, template.offset, message);
    }
    const inside = members.filter((part) => PARTS.includes(part.name)).map(({ source }) => source);
    const beside = members.filter((part) => !PARTS.includes(part.name)).map(({ source }) => source);
    const parts = [...(patterns ? [] : [defaults]), ...beside, `"template":{${inside.join(",")}}`];
    return `{${parts.join(",")}}`;
  }
  if (patterns) return text;
  if (template) {
    const start = text.indexOf("{") + 1;
    return `${text.slice(0, start)}${defaults},${text.slice(start)}`;
  }
  const expected = "'index_patterns', 'template', 'settings', 'mappings' or 'aliases'";
  throw invalid(file, text, 0, `Expected an index template with ${expected}, found none of them`);
}

/** Where a pattern has a capital letter: names of indices have none, so it matches nothing. */
export function capitalPattern({ members }: JsonObject): JsonMember["value"] | undefined {
  const patterns = member(members, "index_patterns");
  const found = [patterns?.data ?? []].flat()
    .some((pattern) => typeof pattern === "string" && pattern !== pattern.toLowerCase());
  return found ? patterns : undefined;
}

function defaultPatterns(name: string): readonly string[] {
  return [`${name}*`];
}
