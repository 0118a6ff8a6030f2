import { TypeNames } from "../../../text/typescript.ts";
import { firstSchema } from "../connect/datasource.ts";
import type { PostgresqlConnection } from "../engines/postgresql/driver.ts";
import type { Catalog, ColumnInfo, EnumInfo, TableInfo } from "./catalog.ts";
import { RESERVED } from "./declarations.ts";

/** What the driver returns, and what it accepts where that is more. */
type Types = readonly [select: string, insert?: string];

interface Driver {
  readonly types: Readonly<Record<string, Types>>;
  /** The element of an array that the driver returns as an array, by its type; others are returned as text. */
  elementOf(name: string, select: string): string | undefined;
}

const SHARED: Readonly<Record<string, Types>> = {
  bool: ["boolean"],
  int2: ["number"],
  int4: ["number"],
  oid: ["number"],
  float4: ["number"],
  float8: ["number"],
  numeric: ["string", "number | string"],
  date: ["Date", "Date | string"],
  timestamp: ["Date", "Date | string"],
  timestamptz: ["Date", "Date | string"],
  bytea: ["Uint8Array"],
  json: ["Json", "JsonInput"],
  jsonb: ["Json", "JsonInput"],
};

/** The types of the arrays that `pg` parses; its parser of `numeric[]` makes numbers. */
const PARSED = new Set(
  ("bool bpchar bytea cidr date float4 float8 inet int2 int4 int8 interval json jsonb macaddr money numeric numrange " +
    "oid point text time timestamp timestamptz timetz uuid varchar").split(" "),
);

/** `pg` with its defaults: https://github.com/brianc/node-pg-types */
const PG: Driver = {
  types: {
    ...SHARED,
    int8: ["string", "bigint | number | string"],
    interval: ["Interval", "Interval | number | string"],
    // As a parameter an object would be JSON, which the server rejects.
    point: ["Point", "string"],
    circle: ["Circle", "string"],
  },
  elementOf: (name, select) => {
    if (name === "numeric") return "number";
    return PARSED.has(name) ? select : undefined;
  },
};

/** PGlite with its defaults, which parses every array by its element. */
const PGLITE: Driver = {
  types: { ...SHARED, int8: ["bigint | number", "bigint | number | string"] },
  elementOf: (_, select) => select,
};

const DRIVERS = { pg: PG, PGlite: PGLITE };

type Row = Readonly<Record<string, string | null>>;

/** Objects of extensions, partitions and system schemas are left out. */
export async function readPostgresql(
  connection: Pick<PostgresqlConnection, "send">,
  searchPath: string | undefined,
  driver: keyof typeof DRIVERS,
): Promise<Catalog> {
  const { types, elementOf } = DRIVERS[driver];
  const home = firstSchema(searchPath) ?? "public";
  const rows = (await connection.send(COLUMNS)).at(-1)!.rows as readonly Row[];
  const qualified = (schema: string | null | undefined, name: string | null | undefined) =>
    schema === home ? `${name}` : `${schema}.${name}`;
  const names = new TypeNames(RESERVED);
  const enums = new Map<string, EnumInfo>();
  const enumOf = ({ type_schema, type, labels }: Row): string => {
    const key = qualified(type_schema, type);
    const known = enums.get(key) ?? { name: names.take(key), labels: JSON.parse(labels!) };
    enums.set(key, known);
    return known.name;
  };
  const typesOf = (row: Row): Types => {
    const isOwn = row.type_schema !== "pg_catalog";
    const [select, insert = select] = row.labels !== null
      ? [enumOf(row)]
      : isOwn
      ? ["string"] as Types
      : types[`${row.type}`] ?? ["string"];
    if (row.is_array !== "t") return [select, insert];
    const element = elementOf(isOwn ? "" : `${row.type}`, select);
    return [element === undefined ? "string" : arrayOf(element), arrayOf(insert)];
  };
  const tables = Map.groupBy(rows, (row) => qualified(row.schema, row.relation));
  return {
    tables: [...tables].map(([key, rows]) => tableOf(key, rows, typesOf)),
    enums: [...enums.values()],
  };
}

function tableOf(
  key: string,
  rows: readonly Row[],
  typesOf: (row: Row) => Types,
): TableInfo {
  const { schema, relation, kind, relation_comment: comment } = rows[0]!;
  return {
    schema: schema!,
    name: relation!,
    key,
    isView: kind === "v" || kind === "m",
    comment: comment ?? "",
    columns: rows.filter(({ name }) => name !== null).map((row): ColumnInfo => {
      const [select, insert = select] = typesOf(row);
      return {
        name: row.name!,
        select,
        ...(row.is_generated !== "t" && { insert }),
        isNullable: row.not_null !== "t",
        hasDefault: row.has_default === "t",
        comment: row.comment ?? "",
      };
    }),
  };
}

export function arrayOf(element: string): string {
  return / [|] /.test(element) ? `(${element})[]` : `${element}[]`;
}

/** A column of a domain has the base type of the domain, as in what drivers receive, and its constraints and default. */
const COLUMNS = `WITH RECURSIVE chain AS (
  SELECT oid, typbasetype AS base, typnotnull AS not_null, typdefault IS NOT NULL AS has_default
  FROM pg_catalog.pg_type WHERE typtype = 'd'
  UNION ALL
  SELECT chain.oid, t.typbasetype, chain.not_null OR t.typnotnull, chain.has_default OR t.typdefault IS NOT NULL
  FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.base AND t.typtype = 'd'
), domain AS (
  SELECT chain.* FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.base AND t.typtype <> 'd'
)
SELECT n.nspname AS schema, c.relname AS relation, c.relkind AS kind, pg_catalog.obj_description(c.oid, 'pg_class') AS relation_comment,
  a.attname AS name, pg_catalog.col_description(c.oid, a.attnum) AS comment,
  a.attnotnull OR coalesce(domain.not_null, false) AS not_null,
  a.atthasdef OR a.attidentity <> '' OR coalesce(domain.has_default, false) AS has_default,
  a.attgenerated <> '' OR a.attidentity = 'a' AS is_generated,
  e.oid IS NOT NULL AS is_array, tn.nspname AS type_schema, coalesce(e.typname, t.typname) AS type,
  (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_catalog.pg_enum WHERE enumtypid = coalesce(e.oid, t.oid)) AS labels
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN domain ON domain.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type t ON t.oid = coalesce(domain.base, a.atttypid)
LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid
LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid = coalesce(e.typnamespace, t.typnamespace)
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::regclass
    AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", a.attnum`;
