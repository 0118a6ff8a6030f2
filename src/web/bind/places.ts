/** Where in a request a binder finds its value. Documents, clients and generated requests read these facts, too. */
interface Place {
  /** In messages; absent if the value is in no one place of the request. */
  readonly label?: string;
  /** Whether it is the body, or one field of it. What is neither is named as in documents (OpenAPI 3.1, 4.8.12.1). */
  readonly body?: "whole" | "field";
  readonly isJson?: true;
  /** Whether its values never appear in messages. Issues have its name below that of the place. */
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

export const PLACES: Readonly<Record<PlaceName, Place>> = {
  path: { label: "path variable" },
  query: { label: "query parameter" },
  header: { label: "request header", isSecret: true },
  cookie: { label: "cookie", isSecret: true },
  body: { label: "body", body: "whole", isJson: true },
  form: { label: "form field", body: "field" },
  part: { label: "part", body: "field", isJson: true },
  custom: {},
};

export function isPlaced({ in: place }: { readonly in: PlaceName }): boolean {
  return PLACES[place].label !== undefined;
}
