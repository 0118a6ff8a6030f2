import { type Node, nodesIn, textsOf } from "./tree.ts";

/** Functions of defaults that return another value for each row: the table is rewritten. */
const VOLATILE = new Set([
  ...["random", "random_normal", "clock_timestamp", "timeofday", "nextval", "setval", "currval"],
  ...["gen_random_uuid", "uuidv4", "uuidv7", "uuid_generate_v1", "uuid_generate_v1mc"],
  ...["uuid_generate_v4", "gen_random_bytes", "gen_salt", "lastval"],
]);
/** Functions of defaults that give one value for the whole statement. */
const STABLE = new Set([
  ...["now", "transaction_timestamp", "statement_timestamp", "current_setting", "to_char"],
  ...["to_timestamp", "to_date", "to_number", "date_trunc", "date_part", "timezone", "age", "abs"],
  ...["make_date", "make_interval", "make_time", "make_timestamp", "make_timestamptz", "extract"],
  ...[
    "lower",
    "upper",
    "md5",
    "concat",
    "concat_ws",
    "format",
    "left",
    "right",
    "substr",
    "repeat",
  ],
  ...["substring", "replace", "trim", "btrim", "lpad", "rpad", "length", "encode", "decode", "chr"],
  ...["jsonb_build_object", "jsonb_build_array", "json_build_object", "json_build_array", "sha256"],
  ...[
    "to_json",
    "to_jsonb",
    "array_fill",
    "array_append",
    "array_remove",
    "string_to_array",
    "round",
  ],
  ...["floor", "ceil", "int4range", "int8range", "tstzrange", "daterange", "numrange", "tsrange"],
  ...["inet_client_addr", "pg_backend_pid", "txid_current", "pg_current_xact_id", "to_tsvector"],
  ...[
    "point",
    "box",
    "cidr",
    "inet",
    "overlay",
    "session_user",
    "current_database",
    "current_schema",
  ],
]);

/** Whether an expression has another value for each row: `unknown` where that lies with a function of the user. */
export function volatilityOf(expression: Node | undefined): "stable" | "volatile" | "unknown" {
  let found: "stable" | "unknown" = "stable";
  for (const [kind, fields] of nodesIn(expression)) {
    if (kind !== "FuncCall") continue;
    const name = textsOf(fields.funcname as readonly Node[]).at(-1) ?? "";
    if (VOLATILE.has(name)) return "volatile";
    if (!STABLE.has(name)) found = "unknown";
  }
  return found;
}
