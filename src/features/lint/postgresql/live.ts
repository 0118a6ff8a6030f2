import { literal } from "../../../migrations/sql/engines/postgresql/driver.ts";
import {
  type Check,
  type Column,
  parseColumnType,
  type QueryLive,
  type TableFacts,
  type TableName,
  type UserType,
} from "../facts.ts";
import { notNullOf } from "./constraints.ts";
import { fieldsIn, fieldsOf, type Parse } from "./tree.ts";

/** Asks once for tables, indexes by their tables, and domains. */
export async function describePostgresql(
  query: QueryLive,
  names: readonly TableName[],
  { sizes, parse }: { readonly sizes: boolean; readonly parse?: Parse },
): Promise<readonly TableFacts[]> {
  const sql =
    `SELECT json_strip_nulls(to_json(t)) AS fact FROM (${describeTables(names, sizes)}) t ` +
    `UNION ALL SELECT to_json(d) FROM (${describeDomains(names)}) d`;
  const { rows } = await query(sql);
  return rows.map(({ fact }) => {
    const { columns = [], checks = [], domain, ...known }: Row = JSON.parse(`${fact}`);
    return {
      ...known,
      columns: columns.map(([name, column]) => {
        return [name, { ...column, type: parseColumnType(column.type) }];
      }),
      checks: checks.map(([name, { expression, ...check }]) => {
        const select = fieldsOf(parse?.(`SELECT ${expression}`), "SelectStmt");
        const [target] = fieldsIn(select?.targetList, "ResTarget");
        return [name, { ...check, notNull: notNullOf(target?.val) }];
      }),
      ...(domain && { domain: { ...domain, base: parseColumnType(domain.base) } }),
    };
  });
}

function describeTables(names: readonly TableName[], sizes: boolean): string {
  const named = (condition: string) =>
    "SELECT COALESCE(json_agg(a.attname ORDER BY a.attnum), '[]') FROM pg_attribute a " +
    `WHERE a.attrelid = c.oid AND ${condition}`;
  const read = named(
    "a.attnum IN (SELECT d.refobjsubid FROM pg_depend d WHERE d.classid = 'pg_class'::regclass " +
      "AND d.objid = i.indexrelid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid)",
  );
  // The size of a table waits for an exclusive lock of others, also for one that is not granted yet.
  const locks = "FROM pg_locks k WHERE k.relation = l.oid AND k.mode = 'AccessExclusiveLock'";
  const empty = `bool_and(CASE WHEN l.relhassubclass OR EXISTS (SELECT ${locks}) THEN false ` +
    "ELSE pg_relation_size(l.oid) = 0 END)";
  const bytes = sizes ? "sum(pg_total_relation_size(l.oid))" : "NULL::bigint";
  return `
    SELECT CASE WHEN c.oid = x.oid THEN w.schema ELSE n.nspname END AS schema,
      CASE WHEN c.oid = x.oid THEN w.name ELSE c.relname END AS name,
      c.relkind = 'p' AS "isPartitioned", s.rows, s.bytes, NULLIF(s.empty, false) AS "isEmpty",
      (SELECT true FROM pg_policy y WHERE y.polrelid = c.oid LIMIT 1) AS "hasPolicy",
      (SELECT json_agg(json_build_array(a.attname, json_build_object(
          'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull, 'hasDefault', a.atthasdef OR a.attidentity <> '')))
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      (SELECT json_agg(json_build_array(k.conname, json_build_object('isValidated', k.convalidated,
          'expression', pg_get_expr(k.conbin, k.conrelid),
          'columns', (${named("a.attnum = ANY (k.conkey)")}))))
        FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c') AS checks,
      (SELECT json_agg(json_build_array(o.relname, json_build_object(
          'columns', (${named("a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])")}),
          'computedFrom', CASE WHEN i.indexprs IS NOT NULL OR i.indpred IS NOT NULL THEN (${read}) END)))
        FROM pg_index i JOIN pg_class o ON o.oid = i.indexrelid WHERE i.indrelid = c.oid) AS indexes,
      (SELECT json_build_object('schema', dn.nspname, 'name', dc.relname) FROM pg_partitioned_table p
        JOIN pg_class dc ON dc.oid = p.partdefid JOIN pg_namespace dn ON dn.oid = dc.relnamespace WHERE p.partrelid = c.oid) AS "defaultPartition",
      (SELECT (${named("a.attnum = ANY (p.partattrs::int2[])")}) FROM pg_partitioned_table p
        WHERE p.partrelid = c.oid AND p.partexprs IS NULL) AS "partitionKey"
    FROM ${valuesOf(names)}
    JOIN pg_class x ON x.oid = ${found("to_regclass")}
    JOIN pg_class c ON c.oid = COALESCE(
      (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = x.oid), x.oid)
    JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL (
      SELECT CASE WHEN min(l.reltuples) < 0 THEN NULL ELSE round(sum(l.reltuples)) END AS rows, ${bytes} AS bytes,
        ${empty} AS empty
      FROM pg_class l
      WHERE l.oid = c.oid AND c.relkind <> 'p'
        OR c.relkind = 'p' AND l.oid IN (SELECT t.relid FROM pg_partition_tree(c.oid) t WHERE t.isleaf)) s
    WHERE c.relkind IN ('r', 'p', 'm')`;
}

function describeDomains(names: readonly TableName[]): string {
  return `
    SELECT w.schema, w.name, false AS "isPartitioned",
      json_build_object('base', s.base, 'isConstrained', s.constrained) AS domain
    FROM ${valuesOf(names)}
    JOIN pg_type t ON t.typtype = 'd' AND t.oid = ${found("to_regtype")}
    CROSS JOIN LATERAL (
      WITH RECURSIVE d(oid, depth) AS (
        SELECT t.oid, 1 UNION ALL
        SELECT o.oid, depth + 1 FROM d JOIN pg_type y ON y.oid = d.oid
          JOIN pg_type o ON o.oid = y.typbasetype AND o.typtype = 'd')
      SELECT bool_or(y.typnotnull OR EXISTS (SELECT FROM pg_constraint k WHERE k.contypid = y.oid)) AS constrained,
        (array_agg(format_type(y.typbasetype, y.typtypmod) ORDER BY d.depth DESC))[1] AS base
      FROM d JOIN pg_type y ON y.oid = d.oid) s`;
}

/** A name without a schema may mean a later schema of the `search_path` than its first. */
function found(lookUp: "to_regclass" | "to_regtype"): string {
  return `COALESCE(${lookUp}(quote_ident(w.schema) || '.' || quote_ident(w.name)),
      CASE WHEN w.schema IN ('public', current_schema()) THEN ${lookUp}(quote_ident(w.name)) END)`;
}

function valuesOf(names: readonly TableName[]): string {
  const wanted = names.map(({ schema = "public", name }) =>
    `(${literal(schema)}, ${literal(name)})`
  );
  return `(VALUES ${wanted.join(", ")}) AS w(schema, name)`;
}

interface Row extends Omit<TableFacts, "columns" | "checks" | "domain"> {
  readonly columns?: readonly (readonly [string, Omit<Column, "type"> & { type: string }])[];
  readonly checks?: readonly (readonly [string, Omit<Check, "notNull"> & { expression: string }])[];
  readonly domain?: Omit<UserType, "base"> & { readonly base: string };
}
