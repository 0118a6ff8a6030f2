import type { SchemaComparison } from "./_compare_schemas.ts";
import type { Findings } from "./_findings.ts";
import type { DescribedOperation } from "./operations.ts";
import { isSchema, type Schema, type SchemaReader } from "./schema_form.ts";

export { recordOf } from "./schema_form.ts";

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** An operation with the document that it stands in. */
export interface OperationIn extends DescribedOperation {
  readonly document: Json;
  readonly reader: SchemaReader;
}

/** A part of an operation, with the operation. */
export type Owned = readonly [operation: OperationIn, part: Json];

/** What was found so far, and what compares the schemas of all operations, which they share. */
export interface Found {
  readonly findings: Findings;
  readonly input: SchemaComparison;
  readonly output: SchemaComparison;
}

/** The schema of a parameter, a header or a body. */
export function schemaOf({ schema }: Json): Schema {
  return isSchema(schema) ? schema : true;
}
