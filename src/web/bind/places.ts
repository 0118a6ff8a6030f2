/** Where in a request a binder finds its value. Documents, clients and generated requests read these facts, too. */
export interface Place {
  /** In messages. */
  readonly label: string;
  /** `in` of its parameters in OpenAPI documents. */
  readonly parameter?: "path" | "query" | "header" | "cookie";
  /** Whether it is the body of the request, or one field of it. */
  readonly body?: "whole" | "field";
  /** Whether it carries JSON, and not a text that is converted. */
  readonly isJson?: true;
  /** The key of its name in issues. @default "parameter" */
  readonly key?: "header" | "cookie";
  /** Whether its values never appear in messages. */
  readonly isSecret?: true;
}

export type PlaceName =
  | "path"
  | "query"
  | "header"
  | "cookie"
  | "body"
  | "form"
  | "part"
  | "custom";

/** What stands neither in a parameter nor in the body is in no document, and no client sends it. */
export const PLACES: Readonly<Record<PlaceName, Place>> = {
  path: { label: "path variable", parameter: "path" },
  query: { label: "query parameter", parameter: "query" },
  header: { label: "request header", parameter: "header", key: "header", isSecret: true },
  cookie: { label: "cookie", parameter: "cookie", key: "cookie", isSecret: true },
  body: { label: "body", body: "whole", isJson: true },
  form: { label: "form field", body: "field" },
  part: { label: "part", body: "field", isJson: true },
  custom: { label: "value" },
};

export function isSent({ in: place }: { readonly in: PlaceName }): boolean {
  const { parameter, body } = PLACES[place];
  return (parameter ?? body) !== undefined;
}
