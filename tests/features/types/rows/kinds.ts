/** Columns of every kind, and what drivers do with their values. */

export interface Column {
  /** As SQL declares it, without its name. */
  readonly sql: string;
  /** An expression whose value every row has. */
  readonly value: string;
  /** Values that the driver has to accept for the column. */
  readonly accepted?: readonly unknown[];
  /** Values outside of the type, which the database refuses. */
  readonly refused?: readonly unknown[];
}

const DATES = [new Date(0), "2026-11-25"];

const INTERVAL = {
  days: 1,
  toPostgres: () => "1 day",
  toISOString: () => "P1D",
};

export const POSTGRESQL_TYPES =
  "CREATE TYPE mood AS ENUM ('sad', 'it''s \"ok\"'); CREATE DOMAIN amount AS numeric(9,2) CHECK (VALUE > 0);\n" +
  "CREATE TYPE pair AS (a int, b text);";

export const POSTGRESQL: Readonly<Record<string, Column>> = {
  bool: { sql: "bool", value: "true", accepted: [true] },
  int2: { sql: "int2", value: "1", accepted: [1] },
  int4: { sql: "int4", value: "1", accepted: [1] },
  int8: { sql: "int8", value: "9007199254740993", accepted: [1, 1n, "9007199254740993"] },
  oid: { sql: "oid", value: "1", accepted: [1] },
  float4: { sql: "float4", value: "1.5", accepted: [1.5] },
  float8: { sql: "float8", value: "1.5", accepted: [1.5] },
  numeric: { sql: "numeric", value: "1.5", accepted: [1.5, "1.5"] },
  amount: { sql: "amount", value: "1.5", accepted: [1.5, "1.5"], refused: [-1] },
  money: { sql: "money", value: "1.5", accepted: ["1.5"] },
  text: { sql: "text", value: "'a'", accepted: ["a"] },
  varchar: { sql: "varchar(9)", value: "'a'", accepted: ["a"] },
  bpchar: { sql: "char(3)", value: "'a'", accepted: ["a"] },
  name: { sql: "name", value: "'a'", accepted: ["a"] },
  date: { sql: "date", value: "'2026-11-25'", accepted: DATES },
  timestamp: { sql: "timestamp", value: "'2026-11-25'", accepted: DATES },
  timestamptz: { sql: "timestamptz", value: "'2026-11-25'", accepted: DATES },
  time: { sql: "time", value: "'12:00'", accepted: ["12:00"] },
  timetz: { sql: "timetz", value: "'12:00'", accepted: ["12:00"] },
  interval: { sql: "interval", value: "'1 day'", accepted: ["1 day", 5, INTERVAL] },
  uuid: { sql: "uuid", value: "gen_random_uuid()" },
  json: {
    sql: "json",
    value: `'{"a":[1]}'`,
    accepted: [{ a: [1] }, 1, true, '["text"]'],
    refused: [["an array"]],
  },
  jsonb: { sql: "jsonb", value: `'{"a":[1]}'`, accepted: [{ a: 1 }], refused: [["an array"]] },
  bytea: { sql: "bytea", value: "'\\x00ff'", accepted: [new Uint8Array([0, 255])] },
  point: { sql: "point", value: "'(1,2)'", accepted: ["(1,2)"], refused: [{ x: 1, y: 2 }] },
  circle: {
    sql: "circle",
    value: "'<(1,2),3>'",
    accepted: ["<(1,2),3>"],
    refused: [{ x: 1, y: 2, radius: 3 }],
  },
  box: { sql: "box", value: "'(1,2),(3,4)'", accepted: ["(1,2),(3,4)"] },
  inet: { sql: "inet", value: "'127.0.0.1'", accepted: ["127.0.0.1"] },
  bit: { sql: "bit(3)", value: "B'101'", accepted: ["101"] },
  xml: { sql: "tsvector", value: "'a b'", accepted: ["a b"] },
  range: { sql: "int4range", value: "'[1,2)'", accepted: ["[1,2)"] },
  mood: { sql: "mood", value: "'sad'", accepted: ["sad"], refused: ["angry"] },
  pair: { sql: "pair", value: "'(1,a)'", accepted: ["(1,a)"] },
  bools: { sql: "bool[]", value: "'{t}'", accepted: [[true]] },
  int2s: { sql: "int2[]", value: "'{1}'", accepted: [[1]] },
  int4s: { sql: "int4[]", value: "'{1}'", accepted: [[1]] },
  int8s: { sql: "int8[]", value: "'{9007199254740993}'", accepted: [[1, "2", 3n]] },
  oids: { sql: "oid[]", value: "'{1}'", accepted: [[1]] },
  float4s: { sql: "float4[]", value: "'{1}'", accepted: [[1]] },
  float8s: { sql: "float8[]", value: "'{1}'", accepted: [[1]] },
  numerics: { sql: "numeric[]", value: "'{1.5}'", accepted: [[1.5, "1.5"]] },
  moneys: { sql: "money[]", value: "'{1.5}'", accepted: [["1.5"]] },
  texts: { sql: "text[]", value: "'{a}'", accepted: [["a"]] },
  varchars: { sql: "varchar[]", value: "'{a}'", accepted: [["a"]] },
  bpchars: { sql: "char(1)[]", value: "'{a}'", accepted: [["a"]] },
  names: { sql: "name[]", value: "'{a}'", accepted: [["a"]] },
  dates: { sql: "date[]", value: "'{2026-11-25}'", accepted: [DATES] },
  timestamps: { sql: "timestamp[]", value: "'{2026-11-25}'", accepted: [DATES] },
  timestamptzs: { sql: "timestamptz[]", value: "'{2026-11-25}'", accepted: [DATES] },
  times: { sql: "time[]", value: "'{12:00}'", accepted: [["12:00"]] },
  timetzs: { sql: "timetz[]", value: "'{12:00}'", accepted: [["12:00"]] },
  intervals: { sql: "interval[]", value: "'{1 day}'", accepted: [["1 day"]] },
  uuids: { sql: "uuid[]", value: "ARRAY[gen_random_uuid()]" },
  jsons: { sql: "json[]", value: `ARRAY['{"a":1}'::json]`, accepted: [[{ a: 1 }]] },
  jsonbs: { sql: "jsonb[]", value: `ARRAY['{"a":1}'::jsonb]`, accepted: [[{ a: 1 }]] },
  byteas: { sql: "bytea[]", value: "ARRAY['\\x00'::bytea]", accepted: [[new Uint8Array([1])]] },
  points: { sql: "point[]", value: "ARRAY[point(1,2)]", accepted: [["(1,2)"]] },
  circles: { sql: "circle[]", value: "ARRAY['<(1,2),3>'::circle]", accepted: [["<(1,2),3>"]] },
  inets: { sql: "inet[]", value: "'{127.0.0.1}'", accepted: [["127.0.0.1"]] },
  cidrs: { sql: "cidr[]", value: "'{127.0.0.0/8}'" },
  macaddrs: { sql: "macaddr[]", value: "'{08:00:2b:01:02:03}'" },
  bits: { sql: "bit(3)[]", value: "'{101}'", accepted: [["101"]] },
  numranges: { sql: "numrange[]", value: `'{"[1,2)"}'` },
  ranges: { sql: "int4range[]", value: `'{"[1,2)"}'` },
  moods: { sql: "mood[]", value: "'{sad}'", accepted: [["sad"]], refused: [["angry"]] },
  amounts: { sql: "amount[]", value: "'{1.5}'", accepted: [["1.5"]] },
};

export const MARIADB: Readonly<Record<string, Column>> = {
  tiny: { sql: "TINYINT(1)", value: "1", accepted: [1] },
  small: { sql: "SMALLINT", value: "1", accepted: [1] },
  medium: { sql: "MEDIUMINT", value: "1", accepted: [1] },
  whole: { sql: "INT UNSIGNED", value: "1", accepted: [1] },
  big: { sql: "BIGINT", value: "1", accepted: [1] },
  exact: { sql: "DECIMAL(9,2)", value: "1.5", accepted: [1.5, "1.5"] },
  single: { sql: "FLOAT", value: "1.5", accepted: [1.5] },
  dbl: { sql: "DOUBLE", value: "1.5", accepted: [1.5] },
  bits: { sql: "BIT(3)", value: "b'101'", accepted: [new Uint8Array([5])] },
  letters: { sql: "CHAR(3)", value: "'a'", accepted: ["a"] },
  varied: { sql: "VARCHAR(9)", value: "'a'", accepted: ["a"] },
  long: { sql: "LONGTEXT", value: "'a'", accepted: ["a"] },
  json: { sql: "JSON", value: `'{"a":1}'`, accepted: ['{"a":1}'], refused: ["{"] },
  bin: { sql: "BINARY(2)", value: "'ab'", accepted: [new Uint8Array([1])] },
  bytes: { sql: "BLOB", value: "'ab'", accepted: [new Uint8Array([1])] },
  day: { sql: "DATE", value: "'2026-11-25'", accepted: DATES },
  at: { sql: "DATETIME(3)", value: "'2026-11-25'", accepted: DATES },
  stamp: { sql: "TIMESTAMP NULL", value: "'2026-11-25'", accepted: ["2026-11-25"] },
  clock: { sql: "TIME", value: "'12:00'", accepted: ["12:00"] },
  y: { sql: "YEAR", value: "2026", accepted: [2026] },
  one: { sql: "ENUM('a', 'it''s', 'b\\\\c')", value: "'b\\\\c'", accepted: ["a"], refused: ["z"] },
  some: { sql: "SET('a', 'b')", value: "'a,b'", accepted: ["a,b"] },
  id: { sql: "UUID", value: "UUID()" },
  ip: { sql: "INET6", value: "'::1'", accepted: ["::1"] },
  place: {
    sql: "POINT",
    value: "POINT(1, 2)",
    // The system of coordinates, and WKB.
    accepted: [new Uint8Array([0, 0, 0, 0, 1, 1, ...Array(19).fill(0)])],
    refused: [{ x: 1, y: 2 }, "POINT(1 2)"],
  },
};

export const SQLITE: Readonly<Record<string, Column>> = {
  whole: { sql: "INTEGER", value: "1", accepted: [1] },
  big: { sql: "BIGINT", value: "1", accepted: [1] },
  tiny: { sql: "TINYINT", value: "1", accepted: [1] },
  txt: { sql: "TEXT", value: "'a'", accepted: ["a"] },
  varied: { sql: "VARCHAR(9)", value: "1", accepted: ["a"] },
  letters: { sql: "NCHAR(9)", value: "'a'", accepted: ["a"] },
  clob: { sql: "CLOB", value: "'a'", accepted: ["a"] },
  bytes: { sql: "BLOB", value: "x'00ff'", accepted: [new Uint8Array([1])] },
  re: { sql: "REAL", value: "1", accepted: [1] },
  flo: { sql: "FLOAT", value: "'1.5'", accepted: [1] },
  dou: { sql: "DOUBLE PRECISION", value: "1", accepted: [1] },
  num: { sql: "NUMERIC(9, 2)", value: "'1.5'", accepted: [1] },
  exact: { sql: "DECIMAL(9, 2)", value: "1.5", accepted: [1] },
  flag: { sql: "BOOLEAN", value: "TRUE", accepted: [1] },
  day: { sql: "DATE", value: "'2026-11-25'", accepted: ["2026-11-25", 1] },
  at: { sql: "DATETIME", value: "1700000000", accepted: ["2026-11-25", 1] },
  json: { sql: "JSON", value: "'{}'", accepted: ["{}"] },
  none: { sql: "", value: "'a'", accepted: ["a", 1] },
};
