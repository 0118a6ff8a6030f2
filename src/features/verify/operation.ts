import { essence, isJson } from "../../text/mod.ts";
import { isRecord, parameterKey, type Schema, type SchemaReader } from "../contract/reader.ts";
import type { OpenApiDocument, OperationObject, ParameterObject } from "../openapi/types.ts";

export type Operation = ReturnType<typeof operationsOf>[number];
export type Parameter = ParameterObject;
export type Body = NonNullable<Operation["body"]>;

export function operationsOf(
  { paths }: OpenApiDocument,
  reader: SchemaReader,
  versionHeader?: string,
) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const { operationId, parameters = [], requestBody, responses, security = [] } = operation;
      const unique = new Map(parameters.map((parameter) => [parameterKey(parameter), parameter]));
      const method = name.toUpperCase();
      return {
        key: `${method} ${path}`,
        operationId,
        method,
        path,
        parameters: [...unique.values()],
        body: requestBody && bodyOf(requestBody, reader),
        responses,
        // A requirement without a scheme allows anonymous requests (OpenAPI 3.1, 4.8.30).
        isProtected: security.length > 0 && security.every((one) => Object.keys(one).length > 0),
        versionHeader,
      };
    })
  );
  return operations.filter(({ method }) => METHODS.includes(method))
    .toSorted((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
}

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

function bodyOf(
  { required, content }: NonNullable<OperationObject["requestBody"]>,
  reader: SchemaReader,
) {
  const types = Object.keys(content);
  const type = PREFERRED.flatMap((wanted) => types.filter(wanted))[0] ?? types[0]!;
  const { schema, encoding = {} } = content[type]!;
  const named = [...reader.form(schema).properties];
  return {
    required,
    type,
    types,
    schema,
    jsonParts: new Set(Object.keys(encoding)),
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
