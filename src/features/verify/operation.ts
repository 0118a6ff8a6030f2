import {
  type DescribedOperation,
  isRecord,
  isSchema,
  operationsIn,
  recordOf,
  type Schema,
  type SchemaReader,
} from "../contract/reader.ts";
import { essence, isJson } from "../../text/mod.ts";

export type Operation = ReturnType<typeof operationOf>;
export type Parameter = Operation["parameters"][number];
export type Body = NonNullable<Operation["body"]>;

export function operationsOf(reader: SchemaReader, versionHeader?: string): readonly Operation[] {
  return operationsIn(reader)
    .filter(({ method }) => METHODS.includes(method))
    .toSorted((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method))
    .map((operation) => operationOf(operation, versionHeader));
}

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

function operationOf(
  { method, path, body: operation, parameters, reader }: DescribedOperation,
  versionHeader: string | undefined,
) {
  return {
    key: `${method} ${path}`,
    id: String(operation.operationId ?? ""),
    method,
    path,
    parameters: parameters.map((parameter) => ({
      name: String(parameter.name),
      in: parameter.in as "path" | "query" | "header" | "cookie",
      required: parameter.required === true,
      allowsEmpty: parameter.in === "query" && parameter.allowEmptyValue === true,
      schema: isSchema(parameter.schema) ? parameter.schema : true,
      isVersion: parameter.in === "header" && parameter.name === versionHeader,
    })),
    body: bodyOf(reader.follow(operation.requestBody), reader),
    responses: recordOf(operation.responses),
    isProtected: isProtected(operation.security),
  };
}

/** A requirement without a scheme allows anonymous requests (OpenAPI 3.1, 4.8.30). */
function isProtected(security: unknown): boolean {
  return Array.isArray(security) && security.length > 0 &&
    security.every((one) => isRecord(one) && Object.keys(one).length > 0);
}

function bodyOf(body: Readonly<Record<string, unknown>>, reader: SchemaReader) {
  const content = recordOf(body.content);
  const types = Object.keys(content);
  const type = PREFERRED.flatMap((wanted) => types.filter(wanted))[0] ?? types[0];
  if (type === undefined) return undefined;
  const media = recordOf(content[type]);
  const schema = isSchema(media.schema) ? media.schema : true;
  const named = [...reader.form(schema).properties];
  return {
    required: body.required === true,
    type,
    types,
    schema,
    jsonParts: new Set(Object.keys(recordOf(media.encoding))),
    fileParts: new Map(named.flatMap(([name, part]) => {
      const file = fileTypeOf(part, reader) ?? fileTypeOf(reader.form(part).items, reader);
      return file === undefined ? [] : [[name, file]];
    })),
  };
}

function fileTypeOf(schema: Schema, reader: SchemaReader): string | undefined {
  if (!reader.form(schema).formats.includes("binary")) return undefined;
  const type = isRecord(schema) ? reader.follow(schema).contentMediaType : undefined;
  return typeof type === "string" ? type : "application/octet-stream";
}

const PREFERRED: readonly ((type: string) => boolean)[] = [
  (type) => essence(type) === "application/json",
  isJson,
  (type) => type.includes("urlencoded"),
  (type) => type.startsWith("multipart/form-data"),
  (type) => type.startsWith("text/"),
];
