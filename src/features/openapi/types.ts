import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Direction, JsonSchema } from "../../schema/mod.ts";

/** Metadata about the API (OpenAPI 3.1, 4.8.2). */
export interface ApiInfo {
  /** The name of the API. */
  readonly title: string;
  /** The version of the API, not of OpenAPI. */
  readonly version: string;
  /** A description in CommonMark. */
  readonly description?: string;
  /** Where users of the API get help. */
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  /** The licence of the API, with an SPDX `identifier` or a `url`. */
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
}

/** Returns the JSON Schema of a schema, or `undefined` for an unknown schema. */
export type SchemaConverter = (
  schema: StandardSchemaV1,
  direction: Direction,
) => JsonSchema | undefined;

/** Options of an OpenAPI document. */
export interface DocumentOptions {
  /**
   * Called before the schema itself is asked, for libraries without the Standard JSON Schema interface:
   * `(schema) => toJsonSchema(schema)` of `@valibot/to-json-schema`.
   */
  readonly jsonSchema?: SchemaConverter;
  /**
   * The version of the API that is described, where a request header selects the version.
   *
   * @default the version of requests without the header, or else the newest
   */
  readonly apiVersion?: string;
  /** Where the API is, without the paths of operations, which have the context path (OpenAPI 3.1, 4.8.5). @default "/" */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  /** Called for each schema without a known JSON Schema, which is described as any value. */
  readonly onUnknownSchema?: (name: string) => void;
  /** Authentication schemes, by the names in `security` of an operation (OpenAPI 3.1, 4.8.27). */
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
}

/** Options of `openApi`. */
export interface OpenApiOptions extends DocumentOptions {
  /** Contact and licence; defaults for `title`, `version` and `description` below `openapi` in the configuration. */
  readonly info?: Partial<ApiInfo>;
}

/** A response of an operation. */
export interface ResponseDescription {
  /** When it is returned. @default the reason phrase of the status */
  readonly description?: string;
  /** The schema of its body. A class made by `Model(schema)` becomes a named component. Without it there is no body. */
  readonly schema?: StandardSchemaV1;
  /** The media type of the body. @default what the mapping `produces`, else `application/json` */
  readonly mediaType?: string;
}

/** Options of `@Operation`. Those of a method override those of its class; tags are combined. */
export interface OperationOptions {
  /** For tools that generate code; numbered where several operations would have it. @default bean and method */
  readonly operationId?: string;
  /** A short summary. */
  readonly summary?: string;
  /** A long description in CommonMark. */
  readonly description?: string;
  /** Groups of operations. @default the name of the controller's class, without `Controller` */
  readonly tags?: readonly string[];
  /** Responses by status; `default` is for all errors without a status of their own. */
  readonly responses?: Readonly<
    Partial<Record<number | "default", StandardSchemaV1 | ResponseDescription>>
  >;
  /** Whether clients should stop using it. */
  readonly deprecated?: boolean;
  /** Any of these is enough; each names schemes with the required scopes (OpenAPI 3.1, 4.8.30). */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** `true` omits it from the document. */
  readonly hidden?: boolean;
}

/** An OpenAPI document (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiDocument {
  /** The version of the specification. */
  readonly openapi: "3.1.0";
  /** Metadata about the API. */
  readonly info: ApiInfo;
  /** Where the API is. */
  readonly servers?: DocumentOptions["servers"];
  /** Operations by path and, in lower case, method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** Shared parts that the paths refer to. */
  readonly components: {
    /** Named schemas. */
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    /** The declarations of handlers of errors. */
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    /** Authentication schemes by name. */
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}

/** An operation of the document (OpenAPI 3.1, 4.8.10). */
export interface OperationObject {
  /** By default the bean name of the controller and the name of its method. */
  readonly operationId: string;
  /** Groups of operations. */
  readonly tags: readonly string[];
  /** A short summary. */
  readonly summary?: string;
  /** A long description. */
  readonly description?: string;
  /** Whether clients should stop using it. */
  readonly deprecated?: boolean;
  /** The schemes that protect it. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Parameters of path, query, headers and cookies. */
  readonly parameters?: readonly ParameterObject[];
  /** The body of requests. */
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** Responses by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** A parameter (OpenAPI 3.1, 4.8.12). */
export interface ParameterObject {
  /** The name of the variable, parameter, header or cookie. */
  readonly name: string;
  /** The part of the request. */
  readonly in: "path" | "query" | "header" | "cookie";
  /** Whether a missing one is an error. */
  readonly required: boolean;
  /** Its meaning. */
  readonly description?: string;
  /** Whether an empty value is allowed, and counts as missing; only in the query. */
  readonly allowEmptyValue?: true;
  /** The schema of its value. */
  readonly schema: JsonSchema;
  /** How an object is serialized. */
  readonly style?: "form";
  /** Whether each field is a separate parameter. */
  readonly explode?: true;
}

/** A response (OpenAPI 3.1, 4.8.17). */
export interface ResponseObject {
  /** Refers to one of `components.responses`, which has the rest. */
  readonly $ref?: string;
  /** When it is returned. */
  readonly description: string;
  /** Header fields by name. */
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** Bodies by media type. */
  readonly content?: Content;
}

/** A header field of a response (OpenAPI 3.1, 4.8.21). */
export interface HeaderObject {
  /** The meaning of the field. */
  readonly description: string;
  /** The schema of its value. */
  readonly schema: JsonSchema;
}

/** Bodies by media type (OpenAPI 3.1, 4.8.14). */
export type Content = Readonly<Record<string, MediaTypeObject>>;

/** A body of one media type. */
export interface MediaTypeObject {
  /** The schema of its value. */
  readonly schema: JsonSchema;
  /** How the parts of a form are serialized. */
  readonly encoding?: JsonSchema;
}
