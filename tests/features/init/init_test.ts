import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import { configurationOf, folder } from "./init_support.ts";

const HUSH = "hush-hush";
/** Nothing listens there. */
const SERVER = `postgres://me:${HUSH}@127.0.0.1:1/shop`;
const CREATE = { a: "CREATE TABLE a (n INT);\n", b: "CREATE TABLE b (n INT);\n" };

const drizzle = (credentials: string, more = "") =>
  `export default defineConfig({ out: "./db/files", ${more} dbCredentials: ${credentials} });`;
const LINT_FROM = "      # lint_from: the first file after 'adopt'; earlier ones are not linted";
const configured = (...lines: readonly string[]) =>
  ["datasource:", "  name: main", ...lines, ""].join("\n").replaceAll("\n    ", "\n  ");
const enabled = (folder: string) =>
  ["    migrations:", "      enabled: true", `      folder: ${folder}`, LINT_FROM] as const;

/** Files, and the configuration that is proposed for them; `set` are the variables of the environment. */
interface Case {
  readonly tree: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly expected: string;
  /** The variables that are to be set. */
  readonly unset?: readonly string[];
  readonly unread?: string;
}

const SQL = { "db/files/1.sql": CREATE.a };
const PRISMA = { "prisma/migrations/1_a/migration.sql": CREATE.a };
const CASES: Readonly<Record<string, Case>> = {
  "Drizzle with a variable": {
    tree: { ...SQL, "drizzle.config.ts": drizzle("{ url: process.env.PG_URL! }") },
    set: { PG_URL: SERVER },
    expected: configured("    url: ${PG_URL}", ...enabled("db/files")),
  },
  "Drizzle with a variable of .env": {
    tree: {
      ...SQL,
      ".env": `PG_URL="${SERVER}"\n`,
      "drizzle.config.mjs": drizzle("{ url: process.env.PG_URL }"),
    },
    expected: configured("    url: ${PG_URL}", ...enabled("db/files")),
    unset: ["PG_URL"],
  },
  "Drizzle with a password in its file": {
    tree: { ...SQL, "drizzle.config.js": drizzle(`{ url: "${SERVER}" }`) },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("db/files")),
    unset: ["DATABASE_URL"],
  },
  "Drizzle with a password beside another DATABASE_URL": {
    tree: { ...SQL, "drizzle.config.ts": drizzle(`{ url: "${SERVER}" }`) },
    set: { DATABASE_URL: "postgres://other" },
    expected: configured("    url: ${MIGRATIONS_URL}", ...enabled("db/files")),
    unset: ["MIGRATIONS_URL"],
  },
  "Drizzle without a password": {
    tree: { ...SQL, "drizzle.config.ts": drizzle('{ url: "postgres://127.0.0.1:1/shop" }') },
    expected: configured("    url: postgres://127.0.0.1:1/shop", ...enabled("db/files")),
  },
  "Drizzle with PGlite, whose folder a trial would make": {
    tree: { ...SQL, "drizzle.config.ts": drizzle('{ url: "./data" }', 'driver: "pglite",') },
    set: { DATABASE_URL: SERVER },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("db/files")),
    unread: "dbCredentials.url",
  },
  "Drizzle with credentials that are no URL": {
    tree: { ...SQL, "drizzle.config.ts": drizzle(`{ host: "h", password: "${HUSH}" }`) },
    set: { DATABASE_URL: SERVER },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("db/files")),
    unread: "dbCredentials.url",
  },
  "Drizzle in JSON, in the folder that it takes by itself": {
    tree: {
      "drizzle/1.sql": CREATE.a,
      "drizzle.config.json": '{ "dbCredentials": { "url": "a.db" } }',
    },
    expected: configured("    url: sqlite:a.db", ...enabled("drizzle")),
  },
  "Prisma with parameters of its own": {
    tree: {
      ...PRISMA,
      "prisma/schema.prisma": 'datasource db {\n  url = env("DATABASE_URL")\n}\n',
      ".env": `DATABASE_URL="${SERVER}?connection_limit=5&schema=shop"\n`,
    },
    expected: configured("    url: ${MIGRATIONS_URL}", ...enabled("prisma/migrations")),
    unset: ["MIGRATIONS_URL"],
  },
  "Prisma beside a pooler": {
    tree: {
      ...PRISMA,
      "prisma/schema.prisma":
        'datasource db {\n  url = env("POOL_URL")\n  directUrl = env("DIRECT_URL")\n}\n',
    },
    set: { DIRECT_URL: SERVER, POOL_URL: "postgres://pooler" },
    expected: configured("    url: ${DIRECT_URL}", ...enabled("prisma/migrations")),
  },
  "Prisma with SQLite, beside its schema": {
    tree: {
      ...PRISMA,
      "prisma/schema.prisma": 'datasource db {\n  url = "file:./dev.db"\n}\n',
    },
    expected: configured("    url: sqlite:prisma/dev.db", ...enabled("prisma/migrations")),
  },
  "Prisma with a configuration": {
    tree: {
      "db/files/1_a/migration.sql": CREATE.a,
      "prisma/schema.prisma": 'datasource db {\n  provider = "sqlite"\n}\n',
      "prisma.config.ts":
        'export default defineConfig({ migrations: { path: "db/files" }, datasource: { url: env("DB") } });',
    },
    set: { DB: "file:./dev.db" },
    expected: configured("    url: sqlite:dev.db", ...enabled("db/files")),
  },
  "Flyway with lines": {
    tree: {
      "sql/V1__a.sql": CREATE.a,
      "flyway.conf":
        `flyway.url=jdbc:postgresql://127.0.0.1:1/shop\nflyway.user=me\nflyway.password=${HUSH}\n`,
    },
    expected: configured(
      "    url: jdbc:postgresql://127.0.0.1:1/shop",
      "    username: me",
      "    password: ${FLYWAY_PASSWORD}",
      ...enabled("sql"),
    ),
    unset: ["FLYWAY_PASSWORD"],
  },
  "Flyway with TOML": {
    tree: {
      "db/files/V1__a.sql": CREATE.a,
      "flyway.toml": `[flyway]
environment = "test"
locations = ["filesystem:db/files"]
[environments.test]
url = "jdbc:postgresql://127.0.0.1:1/shop?password=${HUSH}"
`,
    },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("db/files")),
    unset: ["DATABASE_URL"],
  },
  "Flyway with lines that name variables": {
    tree: {
      "sql/V1__a.sql": CREATE.a,
      "flyway.conf":
        "flyway.url=${JDBC_URL}\nflyway.user=${JDBC_USER}\nflyway.password=${JDBC_PASSWORD}\n",
      ".env": `JDBC_USER=me\nJDBC_PASSWORD=${HUSH}\n`,
    },
    set: { JDBC_URL: "jdbc:postgresql://127.0.0.1:1/shop" },
    expected: configured(
      "    url: ${JDBC_URL}",
      "    username: ${JDBC_USER}",
      "    password: ${JDBC_PASSWORD}",
      ...enabled("sql"),
    ),
    unset: ["JDBC_USER", "JDBC_PASSWORD"],
  },
  "Flyway with TOML that names variables": {
    tree: {
      "sql/V1__a.sql": CREATE.a,
      "flyway.toml": '[environments.default]\nurl = "${env.JDBC_URL}"\nuser = "true"\n',
    },
    set: { JDBC_URL: "jdbc:postgresql://127.0.0.1:1/shop" },
    expected: configured("    url: ${JDBC_URL}", '    username: "true"', ...enabled("sql")),
  },
  "Flyway with TOML whose values other programs have": {
    tree: {
      "sql/V1__a.sql": CREATE.a,
      "flyway.toml":
        '[environments.default]\nurl = "jdbc:postgresql://${env.HOST}:1/shop"\nuser = "me"\npassword = "${vault.key}"\n',
    },
    set: { DATABASE_URL: "jdbc:postgresql://127.0.0.1:1/shop", FLYWAY_PASSWORD: HUSH },
    expected: configured(
      "    url: ${DATABASE_URL}",
      "    username: me",
      "    password: ${FLYWAY_PASSWORD}",
      ...enabled("sql"),
    ),
    unread: "url",
  },
  "Flyway with a password that begins with a comment's sign": {
    tree: {
      "sql/V1__a.sql": CREATE.a,
      "flyway.conf":
        `flyway.url=jdbc:postgresql://127.0.0.1:1/shop\nflyway.user=1e5\nflyway.password=#${HUSH}\n`,
    },
    expected: configured(
      "    url: jdbc:postgresql://127.0.0.1:1/shop",
      '    username: "1e5"',
      "    password: ${FLYWAY_PASSWORD}",
      ...enabled("sql"),
    ),
    unset: ["FLYWAY_PASSWORD"],
  },
  "Supabase on this machine": {
    tree: {
      "supabase/migrations/1_a.sql": CREATE.a,
      "supabase/config.toml": "[db]\nport = 1\n",
    },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("supabase/migrations")),
    unset: ["DATABASE_URL"],
  },
  "dbmate": {
    tree: { "db/migrations/1_a.sql": `-- migrate:up\n${CREATE.a}` },
    set: { DATABASE_URL: SERVER },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("db/migrations")),
  },
  "plain files": {
    tree: { "migrations/1.sql": CREATE.a, ".env": `export DATABASE_URL='${SERVER}'\n` },
    expected: configured("    url: ${DATABASE_URL}", ...enabled("migrations")),
    unset: ["DATABASE_URL"],
  },
  "a folder that is named": {
    tree: { ...SQL, "drizzle.config.ts": "f({ out: folder(), dbCredentials: { url: 'a.db' } })" },
    args: ["--folder", "./db/files/"],
    expected: configured("    url: sqlite:a.db", ...enabled("db/files")),
  },
};

for (
  const [name, { tree, args = [], set = {}, expected, unset = [], unread }] of Object.entries(CASES)
) {
  Deno.test(`init + proposes a configuration without secrets, and writes nothing: ${name}`, async () => {
    await using space = await folder(tree);
    const before = await space.files();
    const found = await space.runWith(set, "init", "--json", ...args);
    assertEquals(configurationOf(found), expected, found.stderr);
    const document = JSON.parse(found.stdout);
    assertEquals([Object.keys(document.unset), document.unread], [unset, unread]);
    const isFile = /url: sqlite:/.test(expected);
    // Nothing listens on port 1.
    assertEquals(found.code, isFile ? 0 : 7, found.stderr);
    const text = await space.runWith(set, "init", ...args);
    assertStringIncludes(text.stdout, expected.replace(/^(?=.)/gm, "  "));
    for (const variable of unset) {
      assertMatch(text.stdout, new RegExp(`Before a run, set ${variable}: `));
    }
    assertEquals(await space.files(), before);
    const written = await space.runWith(set, "init", "--write", ...args);
    assertEquals([written.code, written.stderr], [0, ""]);
    assertEquals(await Deno.readTextFile(join(space.path, "config/application.yml")), expected);
    for (const { stdout, stderr } of [found, text, written]) {
      assert(!`${stdout}${stderr}`.includes(HUSH), stdout);
    }
    assertEquals((await space.runWith(set, "init")).code, 2);
  });
}

Deno.test("init + asks for the tool where there are several, and for what it cannot read", async () => {
  await using space = await folder({
    "drizzle.config.ts": "export default { out: read(), dbCredentials: { url: 'a.db' } };",
    "supabase/config.toml": "",
    "migrations/1.sql": CREATE.a,
  });
  const both = await space.run("init");
  assertEquals(both.code, 2);
  assertStringIncludes(both.stderr, "Cannot read 'out' of 'drizzle.config.ts': name the folder");
  const named = await space.run("init", "--folder", "migrations");
  assertEquals(
    named.stderr.split("\n")[0],
    "error: Found 'drizzle' (drizzle.config.ts), 'supabase' (supabase/config.toml): choose one by '--from <tool>'",
  );
  const chosen = await space.run("init", "--from", "drizzle", "--folder", "migrations", "--json");
  assertEquals([chosen.code, JSON.parse(chosen.stdout).tool], [0, "drizzle"]);
  assertEquals((await space.run("init", "--from", "flyway")).code, 2);
  assertEquals((await space.run("init", "--from", "liquibase")).code, 2);
});

Deno.test("init + says what it looked for, and leaves a configuration and files of others alone", async () => {
  await using space = await folder({ "config/default.yml": "" });
  const nothing = await space.run("init");
  assertEquals([nothing.code, nothing.stdout], [2, ""]);
  for (
    const file of ["drizzle.config.ts", "prisma/schema.prisma", "flyway.toml", "wrangler.jsonc"]
  ) {
    assertStringIncludes(nothing.stderr, file);
  }
  await Deno.writeTextFile(join(space.path, "wrangler.toml"), "name = ");
  const broken = await space.run("init");
  assertEquals(broken.code, 2);
  assertMatch(broken.stderr, /^error: Cannot read 'wrangler.toml': .* at line 1/);
  await Deno.writeTextFile(join(space.path, "wrangler.toml"), 'name = "w"');
  assertMatch((await space.run("init")).stderr, /Found no files of another tool/);
  await Deno.writeTextFile(join(space.path, "config/application.yml"), "server: { port: 1 }\n");
  const configured = await space.run("init", "--write");
  assertEquals(configured.code, 2);
  assertStringIncludes(configured.stderr, "There is a configuration in 'config' already");
});

Deno.test("init + leaves a configuration alone that has only comments", async () => {
  for (const name of ["application.yml", "application.yaml"]) {
    await using space = await folder({ [`config/${name}`]: "# later\n", "flyway.conf": "" });
    const { code, stderr } = await space.run("init", "--write");
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, "There is a configuration in 'config' already");
  }
});

Deno.test("init + says which variable is missing, and still prints the proposal", async () => {
  await using space = await folder({
    ...SQL,
    "drizzle.config.ts": drizzle("{ url: process.env.PG }"),
  });
  const { code, stdout, stderr } = await space.run("init");
  assertEquals(code, 2);
  assertStringIncludes(stdout, "    url: ${PG}\n");
  assertStringIncludes(stdout, "Before a run, set PG: the URL of the database\n");
  assertMatch(stdout, /error: proposed config.application\.yml:\d+: 'datasource\.url'.*PG/);
  assertEquals(stderr, "");
});

Deno.test("init + plans what comes after the history of the other tool, on SQLite", async () => {
  await using space = await folder({
    "migrations/1_a.sql": CREATE.a,
    "migrations/2_b.sql": CREATE.b,
    ".env": "DATABASE_URL=sqlite:app.db\n",
  });
  const connection = new DatabaseSync(join(space.path, "app.db"));
  connection.exec("CREATE TABLE schema_migrations (version TEXT PRIMARY KEY)");
  connection.exec("INSERT INTO schema_migrations VALUES ('1')");
  connection.exec(CREATE.a);
  connection.close();
  const before = await space.files();
  const { code, stdout } = await space.run("init", "--from", "sql", "--json");
  const { adopt, plan } = JSON.parse(stdout);
  assertEquals([code, adopt.connections[0].pending], [0, ["2_b.sql"]]);
  const { steps } = plan.connections[0];
  assertEquals(steps.map((step: { file: string }) => step.file), ["2_b.sql"]);
  assertEquals(await space.files(), before);
  assertEquals((await space.run("init", "--write")).code, 0);
  const env = { DATABASE_URL: "sqlite:app.db" };
  assertEquals((await space.runWith(env, "adopt")).code, 0);
  const applied = await space.runWith(env, "migrate");
  assertMatch(applied.stdout, /1 applied, 1 unchanged/);
});

Deno.test("init + says how a command gets what '.env' has, without a shell that reads it", async () => {
  await using space = await folder({
    "migrations/1.sql": CREATE.a,
    ".env": "DATABASE_URL=sqlite:app.db\n",
  });
  const { stdout } = await space.run("init", "--write");
  assertStringIncludes(
    stdout,
    "set DATABASE_URL: it is in '.env', which 'deno run --env-file -A jsr:@irori/irori/cli <command>' reads\n" +
      "Next: deno run --env-file -A jsr:@irori/irori/cli adopt --dry-run\n",
  );
});

Deno.test("new + says that a run leaves out a file beside the journal of Drizzle", async () => {
  await using space = await folder({
    "config/application.yml":
      "datasource:\n  name: main\n  url: sqlite:app.db\n  migrations: { enabled: true }\n",
    "migrations/main/meta/_journal.json": '{ "entries": [] }',
  });
  const { code, stdout, stderr } = await space.run("new", "x.sql");
  assertEquals([code, /_x\.sql\n$/.test(stdout)], [0, true]);
  assertStringIncludes(
    stderr,
    "notice: No run applies it, as 'meta/_journal.json' omits it: 'drizzle-kit generate --custom --name x' makes",
  );
  await space.remove("migrations/main/meta");
  assertEquals((await space.run("new", "y")).stderr, "");
});

Deno.test("migrations.folder + is where the files of a connection are, and not for D1", async () => {
  const config =
    "datasource:\n  name: main\n  url: URL\n  migrations: { enabled: true, folder: db/files }\n";
  await using space = await folder({
    ...SQL,
    "wrangler.jsonc": '{ "d1_databases": [{ "binding": "DB" }] }',
    "config/application.yml": config.replace("URL", "sqlite:app.db"),
  });
  assertEquals((await space.run("migrate")).code, 0);
  const created = await space.run("new", "more");
  assertMatch(created.stdout, /^.*\/db\/files\/[\d-]+_more\.sql\n$/);
  await Deno.writeTextFile(
    join(space.path, "config/application.yml"),
    config.replace("URL", "d1:DB"),
  );
  const refused = await space.run("plan");
  assertEquals(refused.code, 2);
  assertStringIncludes(
    refused.stderr,
    "config/application.yml:4: 'datasource.migrations.folder': 'migrations_dir' of wrangler",
  );
});

Deno.test("init + writes a map, into which a profile merges", async () => {
  await using space = await folder({
    "wrangler.jsonc": '{ "d1_databases": [{ "binding": "DB" }] }',
    "migrations/1.sql": CREATE.a,
  });
  assertEquals((await space.run("init", "--write")).code, 0);
  await Deno.writeTextFile(
    join(space.path, "config/application-remote.yml"),
    "datasource:\n  url: d1:DB?remote\n",
  );
  const { code, stdout, stderr } = await space.runWith({ PROFILES_ACTIVE: "remote" }, "validate");
  assertEquals([code, stdout, stderr], [0, "main: 1 file, valid\n", ""]);
});
