/** Why a schema of answers may give what it does not name, and where. */
export interface AdditionalProperties {
  /** JSON pointer, with `*` for any item. */
  readonly pointer: string;
  readonly reason: "allowsUnknownKeys" | "isOpaque" | "hasNoJsonSchema";
}
