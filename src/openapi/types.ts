import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Direction, JsonSchema } from "../schema/mod.ts";

/** What the document says about the API as a whole (OpenAPI 3.1, 4.8.2). */
export interface ApiInfo {
  /** Its name. */
  readonly title: string;
  /** Version of the API, not of OpenAPI. */
  readonly version: string;
  /** More about it; CommonMark. */
  readonly description?: string;
}

/** Gives the JSON Schema of a schema, or `undefined` where it does not know it. */
export type SchemaConverter = (
  schema: StandardSchemaV1,
  direction: Direction,
) => JsonSchema | undefined;

/** Options of a document. */
export interface DocumentOptions {
  /**
   * Asked before the schema itself, for libraries whose schemas do not give their JSON Schema by the Standard
   * JSON Schema interface: `(schema) => toJsonSchema(schema)` of `@valibot/to-json-schema`.
   */
  readonly jsonSchema?: SchemaConverter;
  /**
   * Whose routes are described, where a header of requests says the version of the API: two may have one path.
   *
   * @default that which requests have that say none, or else the newest
   */
  readonly apiVersion?: string;
  /**
   * Told of each schema of which no JSON Schema is known, so that it is described as any value.
   *
   * @default nobody
   */
  readonly onUnknownSchema?: (name: string) => void;
  /** How clients prove who they are, by the names that `security` of an operation uses (OpenAPI 3.1, 4.8.27). */
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
}

/** Options of `openApi`. */
export interface OpenApiOptions extends DocumentOptions {
  /** What the configuration does not say under `openapi`: `title`, `version`, `description`. */
  readonly info?: Partial<ApiInfo>;
}

/** One response of an operation. */
export interface ResponseDescription {
  /** When it is given. @default the reason phrase of the status */
  readonly description?: string;
  /** Of its body; a class made with `Model(schema)` becomes a named component. Without it there is no body. */
  readonly schema?: StandardSchemaV1;
  /** Of the body. @default what the mapping `produces`, else `application/json` */
  readonly mediaType?: string;
}

/** What `@Operation` says. What a method says goes before what its class says; tags are added up. */
export interface OperationOptions {
  /** In a few words. */
  readonly summary?: string;
  /** At length; CommonMark. */
  readonly description?: string;
  /** Groups of operations. @default the name of the controller's class, without `Controller` */
  readonly tags?: readonly string[];
  /** By status; `default` stands for every error that has none of its own. */
  readonly responses?: Readonly<
    Partial<Record<number | "default", StandardSchemaV1 | ResponseDescription>>
  >;
  /** Whether clients should stop using it. */
  readonly deprecated?: boolean;
  /** Any of these suffices; each names schemes with the scopes that it takes (OpenAPI 3.1, 4.8.30). */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** `true` leaves it out of the document. */
  readonly hidden?: boolean;
}

/** An OpenAPI document (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiDocument {
  /** Version of the specification. */
  readonly openapi: "3.1.0";
  /** About the API. */
  readonly info: ApiInfo;
  /** Operations by path and, in lower case, method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** What the paths refer to. */
  readonly components: {
    /** Named schemas. */
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    /** Of the options. */
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}

/** One operation of the document (OpenAPI 3.1, 4.8.10). */
export interface OperationObject {
  /** Bean name of the controller and name of its method. */
  readonly operationId: string;
  /** Groups. */
  readonly tags: readonly string[];
  /** In a few words. */
  readonly summary?: string;
  /** At length. */
  readonly description?: string;
  /** Whether clients should stop using it. */
  readonly deprecated?: boolean;
  /** Which schemes protect it. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Of path, query, headers and cookies. */
  readonly parameters?: readonly ParameterObject[];
  /** What it takes. */
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** What it answers, by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** One parameter (OpenAPI 3.1, 4.8.12). */
export interface ParameterObject {
  /** Of the variable, parameter, header or cookie. */
  readonly name: string;
  /** Where it is. */
  readonly in: "path" | "query" | "header" | "cookie";
  /** Whether a missing one is an error. */
  readonly required: boolean;
  /** Whether an empty value will do, and counts as missing: of the query alone. */
  readonly allowEmptyValue?: true;
  /** Of its value. */
  readonly schema: JsonSchema;
  /** How an object is written. */
  readonly style?: "form";
  /** Whether each field is a parameter of its own. */
  readonly explode?: true;
}

/** One response (OpenAPI 3.1, 4.8.17). */
export interface ResponseObject {
  /** When it is given. */
  readonly description: string;
  /** Header fields by name. */
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** Of its body. */
  readonly content?: Content;
}

/** One header field of a response (OpenAPI 3.1, 4.8.21). */
export interface HeaderObject {
  /** What it says. */
  readonly description: string;
  /** Of its value. */
  readonly schema: JsonSchema;
}

/** Bodies by media type (OpenAPI 3.1, 4.8.14). */
export type Content = Readonly<Record<string, MediaTypeObject>>;

/** One kind of body. */
export interface MediaTypeObject {
  /** Of its value. */
  readonly schema: JsonSchema;
  /** How parts of a form are written. */
  readonly encoding?: JsonSchema;
}
