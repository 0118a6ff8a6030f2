import { TABLE } from "./journal/records.ts";

/** Tables of the library in databases of applications: schemas, drift and types of rows leave them out. */
export const OWN_TABLES: readonly string[] = [TABLE, "irori_ticks", "irori_idempotency_keys"];
/** Schemas of PostgreSQL with tables of the library alone. */
export const OWN_SCHEMAS: readonly string[] = ["irori_jobs"];
