import { each } from "../../../text/typescript.ts";
import type { CatalogRow, ReadCatalog, ValueTypes } from "./catalog.ts";

interface Driver {
  readonly types: Readonly<Record<string, ValueTypes>>;
  /** The element of an array that the driver returns as an array; others are returned as text. */
  elementOf(name: string, select: string): string | undefined;
}

const SHARED: Readonly<Record<string, ValueTypes>> = {
  ...each("int2 int4 oid float4 float8", ["number"]),
  ...each("date timestamp timestamptz", ["Date", "Date | string"]),
  ...each("json jsonb", ["Json", "JsonInput"]),
  bool: ["boolean"],
  numeric: ["string", "number | string"],
  bytea: ["Uint8Array"],
};

/** Elements of the arrays that `pg` parses. */
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

const PGLITE: Driver = {
  types: { ...SHARED, int8: ["bigint | number", "bigint | number | string"] },
  elementOf: (_, select) => select,
};

export const readPostgresql: ReadCatalog = (...given) => read(PG, ...given);
export const readPglite: ReadCatalog = (...given) => read(PGLITE, ...given);

async function read(
  { types, elementOf }: Driver,
  ...[database, names, home]: Parameters<ReadCatalog>
): ReturnType<ReadCatalog> {
  const { rows } = await database.query(COLUMNS);
  const enums = new Map<string, readonly string[]>();
  const known = new Map<unknown, string>();
  const enumOf = ({ type_id: id, type_schema, type, labels }: CatalogRow): string => {
    const name = known.get(id) ??
      names.take(type_schema === home ? `${type}` : `${type_schema}.${type}`);
    known.set(id, name);
    enums.set(name, JSON.parse(`${labels}`));
    return name;
  };
  const typesOf = (row: CatalogRow): ValueTypes => {
    const type = row.type_schema === "pg_catalog" ? `${row.type}` : "";
    const [select, insert = select] = row.labels === null
      ? types[type] ?? ["string"]
      : [enumOf(row)];
    if (row.is_array !== "t") return [select, insert];
    const element = elementOf(type, select);
    return [element === undefined ? "string" : arrayOf(element), arrayOf(insert)];
  };
  return { rows: rows as readonly CatalogRow[], typesOf, enums };
}

function arrayOf(element: string): string {
  return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
}

/** Without extensions, partitions and system schemas. A domain has its base type, constraints and default. */
const COLUMNS = `WITH RECURSIVE chain AS (
  SELECT oid, typbasetype AS base, typnotnull AS not_null, typdefault IS NOT NULL AS has_default
  FROM pg_catalog.pg_type WHERE typtype = 'd'
  UNION ALL
  SELECT chain.oid, t.typbasetype, chain.not_null OR t.typnotnull, chain.has_default OR t.typdefault IS NOT NULL
  FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.base AND t.typtype = 'd'
), domain AS (
  SELECT chain.* FROM chain JOIN pg_catalog.pg_type t ON t.oid = chain.base AND t.typtype <> 'd'
)
SELECT n.nspname AS schema, c.relname AS relation, c.relkind IN ('v', 'm') AS is_view,
  pg_catalog.obj_description(c.oid, 'pg_class') AS relation_comment,
  a.attname AS name, pg_catalog.col_description(c.oid, a.attnum) AS comment,
  a.attnotnull OR coalesce(domain.not_null, false) AS not_null,
  a.atthasdef OR a.attidentity <> '' OR coalesce(domain.has_default, false) AS has_default,
  a.attgenerated <> '' OR a.attidentity = 'a' AS is_generated,
  e.oid IS NOT NULL AS is_array, coalesce(e.oid, t.oid) AS type_id,
  tn.nspname AS type_schema, coalesce(e.typname, t.typname) AS type,
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
