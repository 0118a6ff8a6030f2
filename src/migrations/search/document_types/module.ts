/** TypeScript types of the documents of a cluster; loaded only by the command that writes them. */
import { docComment, moduleOf, type TypeModule, TypeNames } from "../../../text/typescript.ts";
import type { SearchMigration } from "../types.ts";
import { documentType } from "./document_type.ts";
import { documentMappings } from "./mappings.ts";

export function documentTypes(migrations: readonly SearchMigration[]): TypeModule {
  const names = new TypeNames(RESERVED);
  const mappings = documentMappings(migrations);
  const types = mappings.map((one) => {
    const { name, noun, path, unknown } = one;
    const missing = unknown.length === 0
      ? ""
      : `\nMay have fields of ${unknown.map((one) => `'${one}'`).join(", ")}, which no file makes.`;
    const comment = docComment(`Documents of the ${noun} '${name}', of '${path}'.${missing}`);
    return `${comment}export type ${names.take(name)} = ${documentType(one)};\n`;
  });
  return { text: moduleOf(types.join("\n"), DECLARATIONS), count: types.length };
}

const DECLARATIONS: Readonly<Record<string, string>> = {
  Field: `/** One value, a list of values, or none. */
export type Field<Value> = Value | null | readonly Value[];
`,
  Range: `/** Bounds of a range; a missing one, or \`null\`, is none. */
export interface Range<Bound> {
  gt?: Bound | null;
  gte?: Bound | null;
  lt?: Bound | null;
  lte?: Bound | null;
}
`,
  GeoPoint: `/** A text is \`"latitude,longitude"\`, a geohash or well-known text. */
export type GeoPoint = string | { lat: number; lon: number };
`,
  Point: "export type Point = string | { x: number; y: number };\n",
  Shape: `/** GeoJSON, or well-known text. */
export type Shape = string | { type: string; [member: string]: unknown };
`,
  Completion: `export interface Completion {
  input: string | readonly string[];
  weight?: number;
}
`,
};

const RESERVED: readonly string[] = [...Object.keys(DECLARATIONS), "Readonly", "Record"];
