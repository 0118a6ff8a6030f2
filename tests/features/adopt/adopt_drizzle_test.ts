import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import { fragmentOf } from "../../runtimes/guide.ts";
import { installed } from "../../../tools/_npm.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { urlOf } from "./adopt_support.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

const CLIENTS = ["pg@8.23.0", "mysql2@3.24.0", "@libsql/client@0.15.15"];
const PACKAGES = {
  "0.45.4": ["drizzle-orm@0.45.4", "drizzle-kit@0.31.11", ...CLIENTS],
  "1.0.0-rc.5": [
    ...["drizzle-orm@1.0.0-rc.5-5935859", "drizzle-kit@1.0.0-rc.5-5935859"],
    ...CLIENTS,
  ],
};

type Version = keyof typeof PACKAGES;

interface Engine {
  readonly name: string;
  readonly missing?: string | undefined;
  readonly dialect: string;
  /** Imports of a schema, and the beginning of a table `name` with an id. */
  readonly schema: readonly [imports: string, table: (name: string) => string];
  /** A program that applies the folder of its second argument to the database of its first. */
  readonly apply: string;
  create(folder: string): Promise<{
    readonly url: string;
    execute(sql: string): Promise<unknown>;
    end(): Promise<void>;
  }>;
}

const server = (support: typeof mysql | typeof postgresql, scheme: string) => async () => {
  const datasource = await support.create();
  return {
    url: urlOf(datasource, scheme),
    execute: (sql: string) => support.query(datasource, sql),
    end: () => support.cleanUp(),
  };
};

const ENGINES: readonly Engine[] = [
  {
    name: "PostgreSQL",
    missing: postgresql.postgresqlMissing,
    dialect: "postgresql",
    schema: [
      'import { integer, pgTable, serial } from "drizzle-orm/pg-core";',
      (name) => `pgTable("${name}", { id: serial().primaryKey()`,
    ],
    apply: `
import pg from "pg";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
const client = new pg.Client(process.argv[2]);
await client.connect();
await migrate(drizzle({ client }), { migrationsFolder: process.argv[3] });
await client.end();
`,
    create: server(postgresql, "postgres"),
  },
  {
    name: "MariaDB",
    missing: mysql.mysqlMissing,
    dialect: "mysql",
    schema: [
      'import { int as integer, mysqlTable } from "drizzle-orm/mysql-core";',
      (name) => `mysqlTable("${name}", { id: integer().autoincrement().primaryKey()`,
    ],
    apply: `
import mysql from "mysql2/promise";
import { drizzle } from "drizzle-orm/mysql2";
import { migrate } from "drizzle-orm/mysql2/migrator";
const client = await mysql.createConnection(process.argv[2]);
await migrate(drizzle({ client }), { migrationsFolder: process.argv[3] });
await client.end();
`,
    create: server(mysql, "mysql"),
  },
  {
    name: "SQLite",
    dialect: "sqlite",
    schema: [
      'import { integer, sqliteTable } from "drizzle-orm/sqlite-core";',
      (name) => `sqliteTable("${name}", { id: integer().primaryKey()`,
    ],
    apply: `
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
const client = createClient({ url: process.argv[2].replace(/^sqlite:/, "file:") });
await migrate(drizzle({ client }), { migrationsFolder: process.argv[3] });
client.close();
`,
    create: (folder) => {
      const file = join(folder, "app.db");
      const execute = (sql: string) => {
        using database = new DatabaseSync(file);
        return Promise.resolve(database.exec(sql));
      };
      return Promise.resolve({ url: `sqlite:${file}`, execute, end: () => Promise.resolve() });
    },
  },
];

/** A project of Drizzle in a workspace, whose migrations are those of the connection 'main'. */
class Project {
  readonly folder: string;
  readonly migrations: string;

  constructor(
    readonly space: Workspace,
    readonly engine: Engine,
    readonly url: string,
    readonly execute: (sql: string) => Promise<unknown>,
  ) {
    this.folder = join(space.path, "app");
    this.migrations = join(space.path, "migrations/main");
  }

  async use(version: Version): Promise<void> {
    const packages = await installed("drizzle", PACKAGES[version]);
    await Deno.mkdir(this.folder, { recursive: true });
    const link = join(this.folder, "node_modules");
    await Deno.remove(link).catch(() => {});
    await Deno.symlink(join(packages, "node_modules"), link);
    const { dialect, apply } = this.engine;
    await Deno.writeTextFile(join(this.folder, "package.json"), '{ "type": "module" }');
    await Deno.writeTextFile(join(this.folder, "apply.mjs"), apply);
    const config = { dialect, schema: "./schema.ts", out: "../migrations/main" };
    const file = join(this.folder, "drizzle.config.ts");
    await Deno.writeTextFile(file, `export default ${JSON.stringify(config)};\n`);
  }

  /** Writes a schema of tables with these columns, and the migration to it. */
  async generate(name: string, tables: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const [imports, table] = this.engine.schema;
    const lines = Object.entries(tables).map(([table_, columns]) =>
      `export const ${table_} = ${table(table_)}, ${
        columns.map((column) => `${column}: integer()`).join(", ")
      } });`
    );
    await Deno.writeTextFile(join(this.folder, "schema.ts"), [imports, ...lines, ""].join("\n"));
    await this.kit("generate", `--name=${name}`);
  }

  async kit(...args: readonly string[]): Promise<void> {
    await this.node(["node_modules/drizzle-kit/bin.cjs", ...args]);
  }

  /** Applies the folder as an application does. */
  async apply(url = this.url): Promise<void> {
    await this.node(["apply.mjs", url, this.migrations]);
  }

  async node(args: readonly string[]): Promise<string> {
    const command = new Deno.Command("node", { args: [...args], cwd: this.folder, stdin: "null" });
    const { success, stdout, stderr } = await command.output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    if (!success) throw new Error(`node ${args.join(" ")}: ${text(stdout)}${text(stderr)}`);
    return text(stdout);
  }
}

function drizzleTest(
  engine: Engine,
  name: string,
  body: (project: Project) => Promise<void>,
): void {
  Deno.test({
    name: `cli with Drizzle on ${engine.name} ${name}`,
    ignore: engine.missing !== undefined,
    fn: async () => {
      await using space = await workspace();
      const { url, execute, end } = await engine.create(space.path);
      const config =
        `datasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true }\n`;
      await space.write("config/application.yml", config);
      try {
        await body(new Project(space, engine, url, execute));
      } finally {
        await end();
      }
    },
  });
}

for (const engine of ENGINES) {
  drizzleTest(
    engine,
    "adopts 0.45.4, applies what drizzle-kit adds, and refuses an edit",
    async (project) => {
      const { space } = project;
      await project.use("0.45.4");
      await project.generate("one", { a: ["n"], b: ["n"] });
      await project.generate("two", { a: ["n", "m"], b: ["n"], c: ["n"] });
      const [first = "", second = ""] = await names(project);
      assertEquals([first, second], ["0000_one.sql", "0001_two.sql"]);
      assertStringIncludes(await text(project, second), "--> statement-breakpoint");
      await project.apply();

      const early = await space.run("migrate");
      assertEquals(early.code, 2, early.stdout);
      assertStringIncludes(early.stderr, "there is a history of Drizzle (the table '");
      const dry = await space.run("adopt", "--dry-run");
      assertEquals([dry.code, dry.stderr], [0, ""]);
      assertStringIncludes(dry.stdout, "main: 2 would be recorded without applying, 0 pending");
      const edited = `${await text(project, second)}-- edited\n`;
      await project.space.write(`migrations/main/${second}`, edited);
      const refused = await space.run("adopt");
      assertEquals(refused.code, 2);
      assertStringIncludes(refused.stdout, `differs   ${second}`);
      const accepted = await space.run("adopt", "--changed", second);
      assertEquals([accepted.code, accepted.stderr], [0, ""]);
      assertEquals((await space.run("status", "--check")).code, 0);

      await project.generate("three", { a: ["n", "m"], b: ["n"], c: ["n", "m"], d: ["n"] });
      const third = await space.run("migrate");
      assertEquals([third.code, third.stderr], [0, ""]);
      assertMatch(third.stdout, /1 applied, 2 unchanged/);
      await space.write(`migrations/main/${first}`, "SELECT 1;\n");
      assertEquals((await space.run("migrate")).code, 8);
    },
  );

  drizzleTest(
    engine,
    "builds a new database, and keeps its records when 'drizzle-kit up' moves the files",
    async (project) => {
      const { space } = project;
      await project.use("0.45.4");
      await project.generate("one", { a: ["n"], b: ["n"] });
      await project.generate("two", { a: ["n", "m"], b: ["n"], c: ["n"] });
      const applied = await space.run("migrate");
      assertEquals([applied.code, applied.stderr], [0, ""]);
      assertMatch(applied.stdout, /2 applied/);

      await project.use("1.0.0-rc.5");
      await project.kit("up");
      const moved = await names(project);
      assertEquals(moved.map((name) => name.replace(/^\d{14}/, "")), [
        ...["_one/migration.sql", "_two/migration.sql"],
      ]);
      assertEquals((await space.run("status", "--check")).code, 0);
      const again = await space.run("migrate");
      assertEquals(again.code, 0, again.stderr);
      assertStringIncludes(
        again.stderr,
        `'0000_one.sql' was moved to '${moved[0]}' and keeps its record`,
      );
      assertEquals((await space.run("migrate")).stderr, "");
      await project.generate("three", { a: ["n", "m"], b: ["n"], c: ["n", "m"] });
      const third = await space.run("migrate");
      assertEquals([third.code, third.stderr], [0, ""]);
      assertMatch(third.stdout, /1 applied, 2 unchanged/);
    },
  );

  for (const version of ["0.45.4", "1.0.0-rc.5"] as const) {
    drizzleTest(
      engine,
      `tells ${version} by the program of the guide what it applied`,
      async (project) => {
        const { space } = project;
        await project.use(version);
        await project.generate("one", { a: ["n"] });
        await project.apply();
        await project.generate("two", { a: ["n"], b: ["n"] });
        await project.generate("three", { a: ["n"], b: ["n"], c: ["n"] });
        const adopted = await space.run("adopt");
        assertEquals(adopted.code, 0, adopted.stderr);
        assertStringIncludes(adopted.stdout, "main: Drizzle, the table '__drizzle_migrations'\n");
        assertMatch((await space.run("migrate")).stdout, /2 applied, 1 unchanged/);
        const statements = await missingRows(project, version);
        assertEquals(statements.length, 3);
        // The second time nothing is missing.
        for (const sql of [...statements, ...statements]) await project.execute(sql);
        await project.apply();
        assertEquals((await space.run("status", "--check")).code, 0);
        const again = await space.run("adopt");
        assertEquals([again.code, again.stdout.match(/ known /g)?.length], [0, 3], again.stdout);
      },
    );
  }

  drizzleTest(engine, "adopts 1.0.0-rc.5, also what 0.45.4 has recorded", async (project) => {
    const { space } = project;
    await project.use("0.45.4");
    await project.generate("one", { a: ["n"], b: ["n"] });
    await project.apply();
    await project.use("1.0.0-rc.5");
    await project.kit("up");
    const before = await space.run("adopt", "--dry-run");
    assertEquals([before.code, before.stderr], [0, ""]);
    assertStringIncludes(before.stdout, "main: 1 would be recorded without applying, 0 pending");
    await project.generate("two", { a: ["n", "m"], b: ["n"], c: ["n"] });
    await project.apply();
    const adopted = await space.run("adopt");
    assertEquals([adopted.code, adopted.stderr], [0, ""]);
    assertStringIncludes(adopted.stdout, "main: 2 recorded without applying, 0 pending");
    assertEquals((await space.run("status", "--check")).code, 0);
    await project.generate("three", { a: ["n", "m"], b: ["n"], c: ["n", "m"] });
    const third = await space.run("migrate");
    assertEquals([third.code, third.stderr], [0, ""]);
    assertMatch(third.stdout, /1 applied, 2 unchanged/);
  });
}

for (const version of ["0.45.4", "1.0.0-rc.5"] as const) {
  const [engine] = ENGINES as [Engine];
  drizzleTest(
    engine,
    `lets ${version} make a new database of files without a transaction, edited as the guide says`,
    async (project) => {
      const { space } = project;
      await project.use(version);
      await project.generate("one", { a: ["n"] });
      await project.apply();
      await project.generate("two", { a: ["n"], b: ["n"] });
      const [, path = ""] = await names(project);
      const write = (sql: string) => space.write(`migrations/main/${path}`, sql);
      const own = `${await text(project, path)}
--> statement-breakpoint
CREATE INDEX CONCURRENTLY a_n ON a (n);
--> statement-breakpoint
DO $$ BEGIN FOR i IN 1..2 LOOP UPDATE a SET n = i; COMMIT; END LOOP; END $$;
`;
      await write(`-- irori: no-transaction\n${own}`);
      assertEquals((await space.run("adopt")).code, 0);
      assertMatch((await space.run("migrate")).stdout, /1 applied, 1 unchanged/);
      const { url } = await engine.create(space.path);
      await assertRejects(() => project.apply(url), Error, "cannot run inside a transaction");
      await write(own.replace(" CONCURRENTLY", ""));
      await assertRejects(() => project.apply(url), Error, "invalid transaction termination");
      await write(own.replace(" CONCURRENTLY", "").replace(" COMMIT;", ""));
      await project.apply(url);
      for (const sql of await missingRows(project, version)) await project.execute(sql);
      // It would fail if it made the second table again.
      await project.apply();
    },
  );
}

/** The statements that the program of the guide prints, with what the page says of version 1. */
async function missingRows(project: Project, version: Version): Promise<readonly string[]> {
  const program = fragmentOf("irori-migrate.md", "node rows.mjs")
    .replace('"drizzle"', JSON.stringify(project.migrations))
    .replace('"drizzle.', project.engine.name === "PostgreSQL" ? '"drizzle.' : '"');
  const entries = (await names(project)).map((path) => {
    const [folder = ""] = path.split("/");
    const [, ...parts] = /^(....)(..)(..)(..)(..)(..)/.exec(folder) ?? [];
    const [year = 0, month = 0, ...rest] = parts.map(Number);
    return { tag: path.replace(/\.sql$/, ""), when: Date.UTC(year, month - 1, ...rest), folder };
  });
  await Deno.writeTextFile(
    join(project.folder, "rows.mjs"),
    version === "0.45.4" ? program : program
      .replace(/^const \{ entries \}.*$/m, `const entries = ${JSON.stringify(entries)};`)
      .replace("{ tag, when }", "{ tag, when, folder }")
      .replace("created_at)", "created_at, name)")
      .replace("content_hash, ${when}", "content_hash, ${when}, '${folder}'"),
  );
  const printed = await project.node(["rows.mjs"]);
  return printed.split(";").map((sql) => sql.trim()).filter(Boolean);
}

async function names({ migrations }: Project, below = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(migrations, below))) {
    const path = `${below}${name}`;
    if (isDirectory) found.push(...await names({ migrations } as Project, `${path}/`));
    else if (name.endsWith(".sql")) found.push(path);
  }
  return found.sort();
}

function text({ migrations }: Project, name: string): Promise<string> {
  return Deno.readTextFile(join(migrations, name));
}
