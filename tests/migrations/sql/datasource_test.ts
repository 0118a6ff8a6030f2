import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { FEATURES } from "../../features/all.ts";
import { readDatasources } from "../../../src/migrations/sql/mod.ts";

const read = (datasource: ConfigMap | ConfigMap[]) =>
  readDatasources(createConfig({ datasource }, { root: "/app" }), {}, FEATURES);
const readOne = (options: ConfigMap) => {
  const [datasource] = read({ name: "main", ...options });
  assert(datasource);
  const { password, offers: _, ...rest } = datasource;
  return { ...rest, ...(password && { password: password.reveal() }) };
};

const DEFAULTS = {
  name: "main",
  host: "localhost",
  connectTimeoutMs: 5000,
  migrations: { enabled: false, onChange: "fail", placeholders: {} },
};
const postgresql = { ...DEFAULTS, kind: "postgresql", database: "db", port: 5432 };
const mysql = { ...DEFAULTS, kind: "mysql", database: "db", port: 3306 };
const sqlite = { ...DEFAULTS, kind: "sqlite", port: 0 };

const FORMS: [string, unknown][] = [
  ["sqlite:./data/app.db", { ...sqlite, database: "/app/data/app.db" }],
  ["sqlite:app.db", { ...sqlite, database: "/app/app.db" }],
  ["sqlite:/var/app.db", { ...sqlite, database: "/var/app.db" }],
  ["sqlite:///var/app.db", { ...sqlite, database: "/var/app.db" }],
  ["jdbc:sqlite:/var/app.db", { ...sqlite, database: "/var/app.db" }],
  ["sqlite::memory:", { ...sqlite, database: ":memory:" }],
  ["postgres://h/db", { ...postgresql, host: "h" }],
  ["postgresql://u:p%40ss@h:5433/db", {
    ...postgresql,
    host: "h",
    port: 5433,
    username: "u",
    password: "p@ss",
  }],
  ["postgres://[::1]:5433/db", { ...postgresql, host: "::1", port: 5433 }],
  ["postgres:///db?host=/run/postgresql", { ...postgresql, host: "/run/postgresql" }],
  ["postgres://h/db?host=/cloudsql/p:r:i", { ...postgresql, host: "/cloudsql/p:r:i" }],
  ["postgres://u:p@/db?host=/cloudsql/p:r:i", {
    ...postgresql,
    host: "/cloudsql/p:r:i",
    username: "u",
    password: "p",
  }],
  ["postgres://u:p@h:1/x?host=k&port=5433&dbname=db&user=v&password=q", {
    ...postgresql,
    host: "k",
    port: 5433,
    username: "v",
    password: "q",
  }],
  ["postgres://h/x?dbname=y&dbname=db", { ...postgresql, host: "h" }],
  ["postgres://h/db?host=&dbname=", { ...postgresql, host: "h" }],
  ["mysql://localhost:3306/x?socket=/run/mysqld.sock&database=db", {
    ...mysql,
    host: "/run/mysqld.sock",
  }],
  ["mysql://h/db?socketPath=/run/mysqld.sock", { ...mysql, host: "/run/mysqld.sock" }],
  ["postgres://%2Frun%2Fpostgresql/db", { ...postgresql, host: "/run/postgresql" }],
  ["jdbc:postgresql://h:5433/db?user=u&password=p&currentSchema=s", {
    ...postgresql,
    host: "h",
    port: 5433,
    username: "u",
    password: "p",
    schema: "s",
    historySchema: "s",
  }],
  ["pgsql:host=h;port=5433;dbname=db;user=u;password=p=;", {
    ...postgresql,
    host: "h",
    port: 5433,
    username: "u",
    password: "p=",
  }],
  ["mysql://h:3307/db?charset=utf8mb4", { ...mysql, host: "h", port: 3307 }],
  ["mariadb://u@h/db", { ...mysql, host: "h", username: "u" }],
  ["jdbc:mariadb://h/db", { ...mysql, host: "h" }],
  ["mysql:host=h;dbname=db;charset=utf8mb4", { ...mysql, host: "h" }],
  ["mysql:unix_socket=/run/mysqld.sock;dbname=db", { ...mysql, host: "/run/mysqld.sock" }],
  ["mysql:///db?socket=/run/mysqld.sock&user=u", {
    ...mysql,
    host: "/run/mysqld.sock",
    username: "u",
  }],
  ["postgres://h/db?connect_timeout=2.5", { ...postgresql, host: "h", connectTimeoutMs: 2500 }],
];

for (const [url, expected] of FORMS) {
  Deno.test(`readDatasources takes ${url}`, () =>
    assertEquals<unknown>(readOne({ url }), expected));
}

const full = { verify: "full", optional: false };
const ENCRYPTED: [string, ConfigMap, unknown][] = [
  ["postgres://h/db", {}, undefined],
  ["postgres://h/db", { ssl: false }, undefined],
  ["postgres://h/db", { ssl: true }, full],
  ["postgres://h/db", { ssl: { verify: false } }, { ...full, verify: "none" }],
  ["postgres://h/db", { ssl: { ca: "ca.pem", cert: "/c.pem", key: "-----BEGIN KEY" } }, {
    ...full,
    ca: { kind: "certificate", path: "/app/ca.pem" },
    cert: { kind: "certificate", path: "/c.pem" },
    key: { kind: "key", text: "-----BEGIN KEY" },
  }],
  ["postgres://h/db?sslmode=disable", {}, undefined],
  ["postgres://h/db?sslmode=prefer", {}, { verify: "none", optional: true }],
  ["postgres://h/db?sslmode=require", {}, { verify: "none", optional: false }],
  ["postgres://h/db?sslmode=require&sslrootcert=ca.pem", {}, {
    verify: "chain",
    optional: false,
    ca: { kind: "certificate", path: "/app/ca.pem" },
  }],
  ["postgres://h/db?sslmode=verify-ca", {}, { verify: "chain", optional: false }],
  ["postgres://h/db?sslmode=verify-full", {}, full],
  ["postgres://h/db?sslmode=require", { ssl: true }, full],
  ["mysql://h/db?ssl-mode=VERIFY_IDENTITY", {}, full],
  ["mysql:host=h;dbname=db;ssl_ca=/ca.pem", {}, {
    ...full,
    ca: { kind: "certificate", path: "/ca.pem" },
  }],
];

for (const [url, options, expected] of ENCRYPTED) {
  Deno.test(`readDatasources takes ${url} with ${JSON.stringify(options)}`, () => {
    const { tls } = readOne({ url, ...options });
    // Without the functions that make errors.
    assertEquals<unknown>(tls && JSON.parse(JSON.stringify(tls)), expected);
  });
}

Deno.test("readDatasources takes every key", () => {
  const datasource = readOne({
    url: "postgres://other:wrong@h/db",
    username: "u",
    password: "p",
    connect_timeout: 0.5,
    statement_timeout: 90,
    migrations: {
      ...{ enabled: true, on_change: "reapply" },
      placeholders: { a: "x", b: 2 },
    },
  });
  assertEquals<unknown>(datasource, {
    ...postgresql,
    host: "h",
    username: "u",
    password: "p",
    connectTimeoutMs: 500,
    statementTimeoutMs: 90_000,
    migrations: {
      ...{ enabled: true, onChange: "reapply" },
      placeholders: { a: "x", b: "2" },
    },
  });
});

Deno.test("readDatasources takes another URL for migrating, with the rest of the datasource", () => {
  const { host, port, username, password, database } = readOne({
    url: "postgres://u:p@pooler:6432/db",
    migrations: { url: "postgres://direct:5433/db" },
  });
  assertEquals([host, port, username, password, database], ["direct", 5433, "u", "p", "db"]);
  const own = readOne({
    url: "postgres://pooler/db",
    username: "app",
    password: "p",
    migrations: { url: "postgres://owner:q@direct/db?sslmode=require&currentSchema=S" },
  });
  assertEquals([own.username, own.password, own.schema, own.historySchema], [
    ...["owner", "q", "S", "s"],
  ]);
  assertEquals(own.tls, { verify: "none", optional: false });
});

const SCHEMAS: readonly (readonly [currentSchema: string, historySchema: string | undefined])[] = [
  ["s", "s"],
  ["Shop", "shop"],
  ['"Shop"', "Shop"],
  ['"a""b", public', 'a"b'],
  ["tenant,public", "tenant"],
  ['"$user",public', undefined],
  ["$user,public", undefined],
];

for (const [currentSchema, expected] of SCHEMAS) {
  Deno.test(`readDatasources keeps records in the first schema of ${currentSchema}`, () => {
    const url = `postgres://h/db?currentSchema=${encodeURIComponent(currentSchema)}`;
    const { schema, historySchema } = readOne({ url });
    assertEquals([schema, historySchema], [currentSchema, expected]);
    const named = readOne({ url, migrations: { history_schema: "History" } });
    assertEquals([named.schema, named.historySchema], [currentSchema, "History"]);
  });
}

Deno.test("readDatasources takes the line break off that ends a file with a password", () => {
  const url = "postgres://h/db";
  assertEquals(readOne({ url, password: "p\n" }).password, "p");
  assertEquals(readOne({ url, password: "p\r\n" }).password, "p");
  assertEquals(readOne({ url, password: " p\n\n" }).password, " p\n");
});

Deno.test("readDatasources takes a single map, a list, and nothing", () => {
  assertEquals(read({ name: "a", url: "sqlite:a.db" }).length, 1);
  const names = read([{ name: "a", url: "sqlite:a.db" }, { name: "b", url: "sqlite:b.db" }]);
  assertEquals(names.map(({ name }) => name), ["a", "b"]);
  assertEquals(readDatasources(createConfig({})), []);
});

const WRONG: [ConfigMap, string, string][] = [
  [{ url: "sqlite:a.db" }, "name", "A connection needs a name"],
  [{ name: "a/b", url: "sqlite:a.db" }, "name", "the name of a folder"],
  [{ name: "a" }, "url", "Expected a URL such as 'postgres://localhost/app', found none"],
  [{ name: "a", url: "oracle://h/db" }, "url", "expected it to start with one of 'sqlite:'"],
  [{ name: "a", url: "sqlite:" }, "url", "expected a path"],
  [{ name: "a", url: "postgres://h" }, "url", "names no database"],
  [{ name: "a", url: "mysql:host" }, "url", "expected 'name=value' parts"],
  [{ name: "a", url: "postgres://u:hidden#1@h/db" }, "url", "percent-encoded"],
  [{ name: "a", url: "postgres://u:hidden/1@h/db" }, "url", "percent-encoded"],
  [{ name: "a", url: "postgres://u:hidden%@h/db" }, "url", "percent-encoded"],
  [{ name: "a", url: "postgres://u:hidden@h:port/db" }, "url", "percent-encoded"],
  [
    { name: "a", url: "postgres://h/db?sslmode=maybe" },
    "url",
    "'sslmode' of the URL is unknown",
  ],
  [
    { name: "a", url: "postgres://h/db?sslcrl=x" },
    "url",
    "parameter 'sslcrl' that is not supported",
  ],
  [
    { name: "a", url: "postgres://h/db?target_session_attrs=any" },
    "url",
    "parameter 'target_session_attrs' that is not supported",
  ],
  [{ name: "a", url: "postgres://h/db?schema=s" }, "url", "name the schema by 'currentSchema'"],
  [
    { name: "a", url: "postgres://h/db?dbname=a&database=b" },
    "url",
    "its parameters 'dbname', 'database' contradict each other",
  ],
  [
    { name: "a", url: "mysql:host=h;unix_socket=/run/mysqld.sock;dbname=db" },
    "url",
    "its parameters 'host', 'unixsocket', 'socket', 'socketpath' contradict",
  ],
  [{ name: "a", url: "postgres://h/db?hostaddr=10.0.0.1" }, "url", "parameter 'hostaddr'"],
  [{ name: "a", url: "sqlite:a.db", ssl: true }, "ssl", "no connection to encrypt"],
  [{ name: "a", url: "sqlite:a.db", statement_timeout: 1 }, "statement_timeout", "has no"],
  [{ name: "a", url: "postgres://h/db", connect_timeout: 0 }, "connect_timeout", "above 0"],
  [
    { name: "a", url: "postgres://h/db", migrations: { lock_timeout: 0 } },
    "migrations.lock_timeout",
    "above 0",
  ],
  [
    { name: "a", url: "mysql://h/db", migrations: { lock_timeout: 1 } },
    "migrations.lock_timeout",
    "Only PostgreSQL has it for all files: remove it, or start files with '-- irori: lock-timeout'",
  ],
  [{ name: "a", url: "sqlite:a.db", migrations: { on_change: "skip" } }, "on_change", "'fail' or"],
  [
    { name: "a", url: "sqlite:a.db", migrations: { lint: "on" } },
    "migrations.lint",
    "Expected 'warn', 'error' or 'off', found 'on'",
  ],
  [
    { name: "a", url: "postgres://h/db", migrations: { url: "mysql://h/db" } },
    "migrations.url",
    "another kind of database",
  ],
  [
    { name: "a", url: "postgres://h/db", migrations: { url: "postgres://u:hidden@h" } },
    "migrations.url",
    "names no database",
  ],
  [
    { name: "a", url: "mysql://h/db", migrations: { history_schema: "s" } },
    "migrations.history_schema",
    "Only PostgreSQL databases",
  ],
  ...["", 'a"b', "a\nb", "x".repeat(64)].map((
    history_schema,
  ): [ConfigMap, string, string] => [
    { name: "a", url: "postgres://h/db", migrations: { history_schema } },
    "migrations.history_schema",
    "Expected the name of a schema",
  ]),
  [
    { name: "a", url: "postgres://h/db", migrations: { history_shema: "hidden" } },
    "migrations.history_shema",
    "There is no setting 'history_shema': expected one of 'enabled', ",
  ],
  [
    { name: "a", url: "postgres://h/db", migrations: true },
    "migrations",
    "Expected a map of 'enabled'",
  ],
  [
    { name: "a", url: "postgres://h/db", ssl: { vrify: false } },
    "ssl.vrify",
    "There is no setting 'vrify'",
  ],
  [{ name: "a", url: "sqlite:a.db?mode=ro" }, "url", "SQLite takes no parameters"],
  ...Object.entries({
    migration: "migrations",
    enabled: "migrations.enabled",
    usernam: "username",
    pasword: "password",
    statement_timeot: "statement_timeout",
  }).map(([key, meant]): [ConfigMap, string, string] => [
    { name: "a", url: "postgres://h/db", [key]: "hidden" },
    key,
    `Unknown setting: did you mean '${meant}'?`,
  ]),
];

Deno.test("readDatasources leaves settings of the application alone", () => {
  const own = { pool: { max: 10 }, description: "x", replica: "y", sql: "SELECT 1", dsn: "x" };
  const near = { uri: "x", use: "y", idle_timeout: 5, m: 1, enabled: true, usernames: "z" };
  const migrations = { enabled: true };
  assertEquals(
    read({ name: "a", url: "sqlite:a.db", username: "u", migrations, ...own, ...near }).length,
    1,
  );
});

Deno.test("readDatasources leaves a list of the application alone that has another shape", () => {
  const lists: readonly ConfigMap[] = [
    { data: { folder: "/var/data" } },
    { d: [] },
    { datasources: ["a", "b"] },
    { datasources: "a" },
    { datasources: { main: { url: "sqlite:a.db" } } },
    { datasources: [{ name: "main" }] },
    { datasources: [] },
  ];
  for (const list of lists) assertEquals(readDatasources(createConfig(list)), []);
});

Deno.test("readDatasources refuses connections below a misspelt name", () => {
  const connection = { name: "main", url: "sqlite:a.db" };
  const lists: readonly ConfigMap[] = [
    { datasources: [connection] },
    { datasource_: connection },
    { dataSuorce: [{ name: "main", migrations: { enabled: true } }] },
  ];
  for (const list of lists) {
    const { message } = assertThrows(() => readDatasources(createConfig(list)), ConfigError);
    assertStringIncludes(message, "Unknown setting: did you mean 'datasource'?");
  }
});

for (const [datasource, key, message] of WRONG) {
  Deno.test(`readDatasources refuses ${JSON.stringify(datasource)}`, () => {
    const error = assertThrows(() => read(datasource), ConfigError);
    assertStringIncludes(error.message, message);
    assertStringIncludes(error.message, key);
    assert(!Deno.inspect(error).includes("hidden"));
  });
}

Deno.test("readDatasources refuses two datasources of one name", () => {
  const twins = [{ name: "a", url: "sqlite:a.db" }, { name: "a", url: "sqlite:b.db" }];
  assertStringIncludes(assertThrows(() => read(twins), ConfigError).message, "two connections 'a'");
});
