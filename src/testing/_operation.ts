import { isRecord, isSchema, type Schema, type SchemaReader } from "../openapi/schema_form.ts";

/** An operation of a document, with what requests are made of. */
export interface Operation {
  /** `GET /users/{id}`. */
  readonly key: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: Readonly<Record<string, unknown>>;
  /** Whether nobody may call it without credentials. */
  readonly isProtected: boolean;
}

/** One parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  /** Whether an empty text will do, whatever the schema says. */
  readonly allowsEmpty: boolean;
  readonly schema: Schema;
}

/** What it takes, of the one media type that is sent. */
export interface Body {
  readonly required: boolean;
  readonly type: string;
  readonly types: readonly string[];
  readonly schema: Schema;
  /** Parts of a form that are JSON. */
  readonly jsonParts: ReadonlySet<string>;
}

/** All of a document; those that delete come last. */
export function operationsOf(document: unknown, reader: SchemaReader): readonly Operation[] {
  const paths = isRecord(document) && isRecord(document.paths) ? document.paths : {};
  const all = Object.entries(paths).flatMap(([path, value]) => {
    const item = reader.follow(value);
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isRecord(operation) ? [operationOf(method, path, item, operation, reader)] : [];
    });
  });
  return all.toSorted((a, b) =>
    METHODS.indexOf(a.method.toLowerCase()) - METHODS.indexOf(b.method.toLowerCase())
  );
}

/** `fetch` sends no TRACE. */
const METHODS = ["get", "head", "options", "post", "put", "patch", "delete"];

function operationOf(
  method: string,
  path: string,
  item: Readonly<Record<string, unknown>>,
  operation: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): Operation {
  const parameters = [item.parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? list.map((one) => reader.follow(one)) : []
  );
  const body = operation.requestBody === undefined
    ? undefined
    : bodyOf(reader.follow(operation.requestBody));
  return {
    key: `${method.toUpperCase()} ${path}`,
    id: String(operation.operationId ?? ""),
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((parameter) => ({
      name: String(parameter.name),
      in: parameter.in as Parameter["in"],
      required: parameter.required === true,
      allowsEmpty: parameter.in === "query" && parameter.allowEmptyValue === true,
      schema: isSchema(parameter.schema) ? parameter.schema : true,
    })),
    ...(body && { body }),
    responses: isRecord(operation.responses) ? operation.responses : {},
    isProtected: isProtected(operation.security),
  };
}

/** Each requirement is a way to be let pass; one without a scheme lets everybody pass (OpenAPI 3.1, 4.8.30). */
function isProtected(security: unknown): boolean {
  return Array.isArray(security) && security.length > 0 &&
    security.every((one) => isRecord(one) && Object.keys(one).length > 0);
}

function bodyOf(body: Readonly<Record<string, unknown>>): Body | undefined {
  const content = isRecord(body.content) ? body.content : {};
  const types = Object.keys(content);
  const type = PREFERRED.flatMap((wanted) => types.filter((one) => wanted.test(one)))[0] ??
    types[0];
  if (type === undefined) return undefined;
  const media = isRecord(content[type]) ? content[type] : {};
  const encoding = isRecord(media.encoding) ? media.encoding : {};
  return {
    required: body.required === true,
    type,
    types,
    schema: isSchema(media.schema) ? media.schema : true,
    jsonParts: new Set(Object.keys(encoding)),
  };
}

/** Of several types of a body, the one that is sent. */
const PREFERRED = [
  /^application\/json/,
  /\+json/,
  /urlencoded/,
  /^multipart\/form-data/,
  /^text\//,
];
