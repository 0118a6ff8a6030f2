import { resolveReference } from "../../schema/mod.ts";
import {
  ANYTHING,
  isRecord,
  isSchema,
  type Json,
  mergeForms,
  ownForm,
  type Schema,
  type SchemaForm,
  schemasOf,
} from "./schema_form.ts";

export class SchemaReader {
  constructor(readonly document: object) {}

  resolve(reference: string): unknown {
    return resolveReference(this.document, reference);
  }

  /** A reference object (OpenAPI 3.1, 4.8.23), or what it refers to. */
  follow(value: unknown): Json {
    const seen = new Set<string>();
    let target = value;
    while (isRecord(target) && typeof target.$ref === "string" && !seen.has(target.$ref)) {
      seen.add(target.$ref);
      target = this.resolve(target.$ref);
    }
    return isRecord(target) ? target : {};
  }

  form(schema: Schema, seen: ReadonlySet<string> = new Set()): SchemaForm {
    if (typeof schema === "boolean") return schema ? ANYTHING : { ...ANYTHING, types: new Set() };
    const { $ref, allOf } = schema;
    let form = ownForm(schema);
    if (typeof $ref === "string" && !seen.has($ref)) {
      const target = this.resolve($ref);
      const rest = isSchema(target)
        ? this.form(target, new Set([...seen, $ref]))
        : { ...ANYTHING, others: [["$ref", $ref] as const] };
      form = mergeForms(form, rest);
    }
    for (const part of schemasOf(allOf)) form = mergeForms(form, this.form(part, seen));
    return form;
  }

  isAnnotated(schema: Schema | undefined, keyword: string): boolean {
    return isRecord(schema) && (schema[keyword] ?? this.follow(schema)[keyword]) === true;
  }

  defaultOf(schema: Schema | undefined): unknown {
    if (!isRecord(schema)) return undefined;
    return (Object.hasOwn(schema, "default") ? schema : this.follow(schema)).default;
  }
}

export type DescribedOperation = ReturnType<typeof operationsIn>[number];

export function operationsIn(reader: SchemaReader) {
  const { paths, servers: all } = reader.document as Json;
  return Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, value]) => {
    const item = reader.follow(value);
    return METHODS.flatMap((method) => {
      const body = item[method];
      if (!isRecord(body)) return [];
      const parameters = parametersIn([item.parameters, body.parameters], reader);
      const servers = body.servers ?? item.servers ?? all;
      return [{ method: method.toUpperCase(), path, body, parameters, servers, reader }];
    });
  });
}

/** The members of a path item that are operations (OpenAPI 3.1, 4.8.9). */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** A parameter of an operation overrides the one of its path (OpenAPI 3.1, 4.8.10). */
function parametersIn(lists: readonly unknown[], reader: SchemaReader): readonly Json[] {
  const all = lists.flatMap((list) => Array.isArray(list) ? list : [])
    .map((parameter) => reader.follow(parameter));
  return [...new Map(all.map((parameter) => [parameterKey(parameter), parameter])).values()];
}

export function parameterKey(
  { in: place, name }: { readonly in?: unknown; readonly name?: unknown },
): string {
  return `${place} ${place === "header" ? String(name).toLowerCase() : name}`;
}

export * from "./schema_form.ts";
