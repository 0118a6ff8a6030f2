import { columnTypeIn } from "../lint/column_types.ts";
import type { TableName } from "../lint/rules.ts";
import type { TableFacts } from "../lint/schema.ts";
import { literal } from "./_postgresql_driver.ts";

/**
 * The query for {@linkcode factsOf}. A table that is not in its schema is looked for along the `search_path`.
 *
 * @param sizes whether to measure them, which waits for who keeps a table for itself
 */
export function describeTables(names: readonly TableName[], sizes: boolean): string {
  const wanted = names.map(({ schema = "public", name }) =>
    `(${literal(schema)}, ${literal(name)})`
  );
  return `
    SELECT w.schema, w.name, c.relkind = 'p' AS partitioned, ${
    sizes ? "s.rows, s.bytes" : "NULL AS rows, NULL AS bytes"
  },
      (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull))
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      (SELECT json_agg(json_build_array(k.conname, k.convalidated, pg_get_expr(k.conbin, k.conrelid)))
        FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c') AS checks
    FROM (VALUES ${wanted.join(", ")}) AS w(schema, name)
    JOIN pg_class c ON c.oid = COALESCE(
      to_regclass(quote_ident(w.schema) || '.' || quote_ident(w.name)), to_regclass(quote_ident(w.name)))
    ${sizes ? SIZES : ""}
    WHERE c.relkind IN ('r', 'p', 'm')`;
}

const SIZES = `CROSS JOIN LATERAL (
      SELECT CASE WHEN min(l.reltuples) < 0 THEN NULL ELSE sum(l.reltuples) END AS rows,
        sum(pg_total_relation_size(l.oid)) AS bytes
      FROM pg_class l
      WHERE l.oid = c.oid AND c.relkind <> 'p'
        OR c.relkind = 'p' AND l.oid IN (SELECT t.relid FROM pg_partition_tree(c.oid) t WHERE t.isleaf)) s`;

/** What the catalog says of a table. */
export function factsOf(row: Readonly<Record<string, unknown>>): TableFacts {
  const columns = JSON.parse(`${row.columns ?? "[]"}`) as [string, string, boolean][];
  const checks = JSON.parse(`${row.checks ?? "[]"}`) as [string, boolean, string][];
  return {
    schema: `${row.schema}`,
    name: `${row.name}`,
    isPartitioned: row.partitioned === "t",
    columns: columns.map(([name, type, notNull]) => [name, { type: columnTypeIn(type), notNull }]),
    checks: checks.map(([name, isValidated, expression]) => {
      const notNull = notNullIn(expression);
      return [name, { isValidated, ...(notNull !== undefined && { notNull }) }];
    }),
    ...(row.rows !== null && { rows: Math.round(Number(row.rows)) }),
    ...(row.bytes !== null && { bytes: Number(row.bytes) }),
  };
}

/** The column of `(column IS NOT NULL)`. */
function notNullIn(expression: string): string | undefined {
  const [, quoted, plain] = /^\((?:"((?:[^"]|"")+)"|(\w+)) IS NOT NULL\)$/.exec(expression) ?? [];
  return quoted?.replaceAll('""', '"') ?? plain;
}
