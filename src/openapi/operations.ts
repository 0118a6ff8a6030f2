import { isRecord, type SchemaReader } from "./schema_form.ts";

/** An operation as it stands in a document, with what its path says for it. */
export interface DescribedOperation {
  /** In upper case. */
  readonly method: string;
  /** With its variables in braces. */
  readonly path: string;
  /** What it says itself. */
  readonly body: Readonly<Record<string, unknown>>;
  /** With those of its path, references followed. */
  readonly parameters: readonly Readonly<Record<string, unknown>>[];
  /** Its servers, or those of its path or of the document. */
  readonly servers?: unknown;
}

/** The operations of a document, in its order; the second door of this room for what reads documents. */
export function operationsIn(reader: SchemaReader): readonly DescribedOperation[] {
  const { paths, servers: all } = reader.document as Readonly<Record<string, unknown>>;
  return Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, value]) => {
    const item = reader.follow(value);
    return METHODS.flatMap((method) => {
      const body = item[method];
      if (!isRecord(body)) return [];
      const parameters = parametersIn([item.parameters, body.parameters], reader);
      const servers = body.servers ?? item.servers ?? all;
      return [{ method: method.toUpperCase(), path, body, parameters, servers }];
    });
  });
}

/** What names of methods are (OpenAPI 3.1, 4.8.9). */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** One of an operation stands in place of its path's of the same name and place (OpenAPI 3.1, 4.8.10). */
function parametersIn(
  lists: readonly unknown[],
  reader: SchemaReader,
): readonly Readonly<Record<string, unknown>>[] {
  const all = lists.flatMap((list) => Array.isArray(list) ? list : [])
    .map((parameter) => reader.follow(parameter));
  return [...new Map(all.map((parameter) => [parameterKey(parameter), parameter])).values()];
}

/** Place and name; names of headers have no upper case (RFC 9110, 5.1). */
export function parameterKey({ in: place, name }: Readonly<Record<string, unknown>>): string {
  return `${place} ${place === "header" ? String(name).toLowerCase() : name}`;
}
