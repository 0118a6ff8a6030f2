/** No secret in any output, whatever repeats it, and in whatever form. */
import { assert } from "@std/assert";
import { join } from "@std/path";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { main } from "../../src/cli/mod.ts";
import { ALL_FEATURES } from "../cli/program.ts";
import { loadConfig, migrateSearch, migrateSql } from "../../src/migrations/mod.ts";
import type { MigrationType } from "../../src/migrations/connections.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";
import { workspace } from "../e2e/command_line.ts";
import { depth } from "../long/mod.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import * as mysql from "./sql/mysql_support.ts";
import * as postgresql from "./sql/postgresql_support.ts";

/** Written here by hand, so that the masker's table is not compared with itself. */
function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  const url = encodeURIComponent(secret);
  const xml = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ...[secret, secret.toLowerCase(), secret.replaceAll("'", "''"), json, url, url.toLowerCase()],
    ...[`${new URLSearchParams({ "": secret })}`.slice(1), hex, hex.toUpperCase(), xml],
    ...[
      base64,
      base64.replaceAll("+", "-").replaceAll("/", "_"),
      JSON.stringify(json).slice(1, -1),
    ],
    ...[xml.replaceAll('"', "&quot;").replaceAll("'", "&apos;"), encodeURIComponent(json)],
  ];
}

/** As long as what is hidden inside words too; shorter ones have tests of their own. */
const SECRET = fc.string({
  minLength: 8,
  maxLength: 20,
  unit: fc.constantFrom(..."abyzABYZ0189'\"\\&<>%+/=:@#?-_.~!*() é😀"),
}).filter((text) => text.trim() === text && /[a-z0-9]{3}/i.test(text) && !text.startsWith("-"));

const COMMANDS = [
  ...["validate", "plan", "status", "migrate", "drift", "schema"],
].flatMap((command) => [[command], [command, "--json"]]);

/** Everything that the command line, and a start with the application, tell of a configuration. */
async function outputsOf(
  root: string,
  type: MigrationType,
  commands: readonly (readonly string[])[] = COMMANDS,
): Promise<string> {
  const runtime = await loadRuntime();
  const told: string[] = [];
  const output = { ...runtime.stdout, write: (text: string) => void told.push(text) };
  const own = ["-c", join(root, "config"), "--sqlPath", join(root, "migrations"), "-m", type];
  for (const command of commands) {
    const args = [...command, ...own];
    await main({ ...runtime, args, stdout: output, stderr: output, cwd: () => root }, ALL_FEATURES);
  }
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  try {
    const migrate = { sql: migrateSql, search: migrateSearch }[type];
    const onEvent = (event: unknown) => told.push(Deno.inspect(event, { depth: 9 }));
    const options = { onEvent, sqlPath: join(root, "migrations") };
    await migrate(options)(await loadConfig({ root }));
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
      told.push(cause.message, `${cause.stack}`, JSON.stringify(cause), Deno.inspect(cause));
      const { hints = [] } = cause as { hints?: string[] };
      told.push(...hints);
    }
  } finally {
    await provider.shutdown();
    trace.disable();
  }
  for (const { name, attributes, events, status } of exporter.getFinishedSpans()) {
    told.push(JSON.stringify({ name, attributes, events, status }));
  }
  return told.join("\n");
}

function assertHidden(told: string, ...secrets: string[]): void {
  for (const form of secrets.flatMap(formsOf)) {
    const at = told.indexOf(form);
    assert(
      at < 0,
      `${JSON.stringify(form)} is shown: …${told.slice(Math.max(0, at - 200), at + 80)}`,
    );
  }
}

/** @param sources files of SQL with `${secret}` in them, which fail or succeed */
async function sqlOutputs(
  url: string,
  secret: string,
  sources: readonly string[],
  more: { readonly password?: string } = {},
  commands = COMMANDS,
): Promise<string> {
  let told = "";
  for (const source of sources) {
    const config = [{
      name: "main",
      url,
      ...more,
      migrations: { enabled: true, lint: "warn", placeholders: { db_secret: secret } },
    }];
    await using space = await workspace({
      "config/application.yml": JSON.stringify({ datasource: config }),
      "migrations/main/1.sql": source.replaceAll("${secret}", "${db_secret}"),
    });
    told += await outputsOf(space.path, "sql", commands);
  }
  return told;
}

const SQLITE = [
  `SELECT "\${secret}" FROM nothing;`,
  "SELECT ${secret};",
  "SELECT [${secret}];",
  "CREATE TABLE a (b CONSTRAINT [${secret}] CHECK (b > 1)); INSERT INTO a VALUES (0);",
  "INSERT INTO [${secret}] VALUES (1);",
  "-- irori: no-transaction\nCREATE TABLE a (b);\nSELECT [${secret}];",
  "CREATE TABLE a (b DEFAULT '${secret}', c CHECK (c <> '${secret}')); INSERT INTO a (c) VALUES ('${secret}');",
  "SELECT json('${secret}');",
  "CREATE VIRTUAL TABLE v USING fts5(a, [${secret}]='x');",
  "ATTACH '/nowhere/at/all/${secret}' AS x;",
];

Deno.test("SQLite: no value of a secret placeholder is in any output", async () => {
  await fc.assert(
    fc.asyncProperty(SECRET, fc.constantFrom(...SQLITE), async (secret, source) => {
      assertHidden(await sqlOutputs("sqlite:./a.db", secret, [source]), secret);
    }),
    {
      numRuns: SQLITE.length + 20,
      examples: SQLITE.map((source): [string, string] => ["hunter2secret", source]),
    },
  );
});

/** A value with the delimiters of servers, which quote a part of it. */
const DELIMITED = "Xk9'fTz Qw7LmN2pR";
const QUOTING = "SELECT '${secret};";

Deno.test("SQLite: no part of a secret that it quotes is in any output", async () => {
  const told = await sqlOutputs("sqlite:./a.db", DELIMITED, [QUOTING], {}, [["migrate"]]);
  assert(told.includes("${db_secret}"), told);
  assertHidden(told, "Qw7LmN2pR");
});

/** The error messages of a server, which quote values. */
const POSTGRESQL = [
  ...["encode(s::bytea, 'hex')", "encode(s::bytea, 'base64')", "to_json(s)", "quote_literal(s)"],
  ...["s::bytea", "upper(encode(s::bytea, 'hex'))", "xmlelement(name a, s)", "concat('a', s, 'b')"],
].map((form) => {
  return `DO $$ DECLARE s text := '\${secret}'; BEGIN RAISE EXCEPTION '%', ${form} USING DETAIL = s, HINT = s; END $$;`;
});
const COLUMNS = "a bytea DEFAULT '${secret}'::bytea, b text DEFAULT '${secret}'";
const TABLES = [
  "SELECT ${secret};",
  `SELECT "\${secret}";`,
  `CREATE TABLE a (${COLUMNS}); SELECT '\${secret}'::int;`,
  `CREATE TABLE a (${COLUMNS}, c json DEFAULT json_build_object('k', '\${secret}')); COMMENT ON TABLE a IS '\${secret}';`,
];

/** Secrets that a literal of SQL takes as they are. */
const LITERAL = SECRET.filter((secret) => !/['"\\%]/.test(secret));

Deno.test("PGlite: no value of a secret placeholder is in any output, nor in the schema", async () => {
  await using space = await workspace();
  const folder = space.path;
  const secret = "Hunt3r & <sécret>/+";
  const told = await sqlOutputs(
    `pglite:${folder}/a`,
    secret,
    [...POSTGRESQL, ...TABLES].slice(0, 2),
  );
  assertHidden(told, secret);
  assert(told.includes("${db_secret}"));
});

for (
  const [name, support, missing, sources] of [
    ["PostgreSQL", postgresql, postgresql.postgresqlMissing, [...POSTGRESQL, ...TABLES]],
    ["MariaDB", mysql, mysql.mysqlMissing, [
      ...[
        "HEX('${secret}')",
        "TO_BASE64('${secret}')",
        "JSON_QUOTE('${secret}')",
        "QUOTE('${secret}')",
      ].map((form) =>
        `BEGIN NOT ATOMIC SET @m = ${form}; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = @m; END;`
      ),
      "SELECT `${secret}`;",
      "SELECT ${secret};",
      "CREATE TABLE a (b VARBINARY(80) DEFAULT '${secret}', c VARCHAR(80) DEFAULT '${secret}' COMMENT '${secret}');",
    ]],
  ] as const
) {
  Deno.test({
    name: `${name}: no part of a secret that it quotes is in any output`,
    ignore: missing !== undefined,
    fn: async () => {
      try {
        const outputs = async (secret: string, source: string) => {
          const { username, password, host, port, database } = await support.create();
          const scheme = name === "PostgreSQL" ? "postgres" : "mysql";
          const url = `${scheme}://${username}@${host}:${port}/${database}`;
          const more = { password: password!.reveal() };
          const told = await sqlOutputs(url, secret, [source], more, [["migrate"]]);
          assert(told.includes("${db_secret}"), told);
          assertHidden(told, "Qw7LmN2pR");
        };
        await outputs(DELIMITED, QUOTING);
        const table =
          "CREATE TABLE d (a VARCHAR(40) PRIMARY KEY); INSERT INTO d VALUES ('${secret}'), ('${secret}');";
        await outputs("Xk9fTz\u00e9Qw7LmN2pR", table);
      } finally {
        await support.cleanUp();
      }
    },
  });

  Deno.test({
    name: `${name}: no value of a secret placeholder is in any output, nor in the schema`,
    ignore: missing !== undefined,
    fn: async () => {
      const examples = sources.filter((_, index) => index % depth(3, 1) === 0);
      try {
        await fc.assert(
          fc.asyncProperty(LITERAL, fc.constantFrom(...sources), async (secret, source) => {
            const { username, password, host, port, database } = await support.create();
            const scheme = name === "PostgreSQL" ? "postgres" : "mysql";
            const url = `${scheme}://${username}@${host}:${port}/${database}`;
            const more = { password: password!.reveal() };
            assertHidden(await sqlOutputs(url, secret, [source], more), secret);
          }),
          {
            numRuns: examples.length + depth(1, 5),
            examples: examples.map((source): [string, string] => ["hunter2secret", source]),
          },
        );
      } finally {
        await support.cleanUp();
      }
    },
  });
}

/** A cluster in front of another one, that repeats the whole request in what it refuses, in every form. */
function reflectingCluster(upstream: string) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = request.method === "GET" ? null : await request.text();
      if (request.method === "GET" || !/template|_aliases/.test(pathname)) {
        const { method, headers } = request;
        return await fetch(`${upstream}${pathname}${search}`, { method, headers, body });
      }
      const { authorization = "" } = Object.fromEntries(request.headers);
      const decoded = /^Basic /.test(authorization) ? atob(authorization.slice(6)) : "";
      const basic = new TextDecoder().decode(Uint8Array.from(decoded, (c) => c.charCodeAt(0)));
      const strings = [...`${body}`.matchAll(/"s":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        JSON.parse(text!)
      );
      const reason = [
        pathname,
        body,
        authorization,
        decoded,
        basic,
        btoa(authorization),
        ...strings,
      ]
        .flatMap((text) =>
          text ? [text, ...formsOf(new TextDecoder().decode(new TextEncoder().encode(text)))] : []
        );
      return Response.json({
        error: { type: "mapper_parsing_exception", reason: reason.join(" | ") },
        status: 400,
      }, {
        status: 400,
      });
    },
  );
  const { port } = server.addr as Deno.NetAddr;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("OpenSearch: no password, token or placeholder value is in any output", async () => {
  await using double = startClusterDouble();
  await using cluster = reflectingCluster(double.url);
  await fc.assert(
    fc.asyncProperty(SECRET, SECRET, fc.boolean(), async (password, secret, isInUrl) => {
      const userinfo = `admin:${encodeURIComponent(password)}@`;
      const connection = {
        name: "main",
        hosts: [isInUrl ? cluster.url.replace("://", `://${userinfo}`) : cluster.url],
        ...!isInUrl && { username: "admin", password },
        migrations: { enabled: true, placeholders: { my_token: secret } },
      };
      await using space = await workspace({
        "config/application.yml": JSON.stringify({ search: [connection] }),
        "migrations/main/a-template.json":
          '{"index_patterns":["a-*"],"_meta":{"s":"${my_token}"},"template":{"settings":{"index":{"default_pipeline":"${my_token}"}}}}',
      });
      const commands = COMMANDS.filter(([name]) => name !== "schema");
      const told = await outputsOf(space.path, "search", commands);
      assert(told.includes("${my_token}"), told);
      assertHidden(told, password, secret);
    }),
    {
      numRuns: 15,
      examples: [["hunter2pass", "hunter2token", false], ["hunter2pass", "hunter2token", true]],
    },
  );
});

/** Configurations that cannot be used, with a secret in them. */
const UNUSABLE: readonly ((secret: string) => Record<string, unknown>)[] = [
  (secret) => ({ url: `postgres://u:${encodeURIComponent(secret)}@127.0.0.1:1/db` }),
  (secret) => ({ url: `postgres://u:${secret}@127.0.0.1:1/db?nonsense=1` }),
  (secret) => ({ url: `pgsql:host=127.0.0.1;port=1;dbname=a;user=u;password=${secret}` }),
  (secret) => ({
    url: `pgsql:host=127.0.0.1;port=x;dbname=a;user=u;password=${encodeURIComponent(secret)}`,
  }),
  (secret) => ({ url: `mysql://127.0.0.1:1/db?user=u&password=${encodeURIComponent(secret)}` }),
  (secret) => ({
    url: `mysql://127.0.0.1:1/db?user=u&nonsense=1&password=${encodeURIComponent(secret)}`,
  }),
  (secret) => ({ url: `nosuch://u:${secret}@127.0.0.1:1/db` }),
  (secret) => ({ url: "mysql://127.0.0.1:1/db", username: "u", password: secret }),
  (secret) => ({
    url: "postgres://127.0.0.1:1/db",
    username: "u",
    password: secret,
    connect_timeout: "x",
  }),
  (secret) => ({ url: "postgres://127.0.0.1:1/db", username: "u", password: [secret] }),
  (secret) => ({ url: "postgres://127.0.0.1:1/db", username: "u", password: { value: secret } }),
  (secret) => ({
    url: "sqlite:./a.db",
    migrations: { enabled: true, placeholders: { a_token: [secret] } },
  }),
];

Deno.test("a configuration that cannot be used: no password of it is in any output", async () => {
  await fc.assert(
    fc.asyncProperty(SECRET, fc.constantFrom(...UNUSABLE), async (secret, make) => {
      const main = { name: "main", migrations: { enabled: true }, ...make(secret) };
      await using space = await workspace({
        "config/application.yml": JSON.stringify({ datasource: [main] }, null, 2),
        "migrations/main/1.sql": "SELECT 1;",
      });
      const commands = [["migrate"], ["migrate", "--json"], ["status"], ["schema"]];
      assertHidden(await outputsOf(space.path, "sql", commands), secret);
    }),
    {
      numRuns: UNUSABLE.length + 10,
      examples: UNUSABLE.map((make): [string, typeof make] => ["hunter2secret", make]),
    },
  );
});
