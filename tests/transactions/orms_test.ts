/** The managers of the guide for ORMs, with the real packages. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { DENO, node, run, tsx } from "../runtimes/executables.ts";
import { fragmentOf, ofNpm } from "../runtimes/guide.ts";
import { packLibrary, Project } from "../runtimes/project.ts";
import { npmInstall } from "../../tools/_npm.ts";

/** An ORM: how an application makes its client, and what a repository does with it. */
interface Orm {
  /** Declares `Connections` with the bean, and `Database`. */
  readonly manager: string;
  /** Declares `insert(connection, id)` and `idsOf(connection)`. */
  readonly use: string;
  readonly files?: Readonly<Record<string, string>>;
}

const KYSELY: Orm = {
  manager: fragmentOf("orms.md", "inject<Kysely<Tables>>")
    .replace('"kysely"', '"npm:kysely@^0.28.17"'),
  files: {
    "tables.ts": "export interface Tables { notes: { id: number; text: string | null } }\n",
  },
  use: `import type { Kysely } from "npm:kysely@^0.28.17";
import type { Tables } from "./tables.ts";

const insert = (connection: Kysely<Tables>, id: number) =>
  connection.insertInto("notes").values({ id, text: "text" }).execute();
const idsOf = async (connection: Kysely<Tables>) =>
  (await connection.selectFrom("notes").select("id").orderBy("id").execute()).map(({ id }) => id);
`,
};

const DRIZZLE: Orm = {
  manager: fragmentOf("orms.md", "NodePgQueryResultHKT")
    .replaceAll('"drizzle-orm', '"npm:drizzle-orm@^0.45.4'),
  use: `import type { NodePgDatabase } from "npm:drizzle-orm@^0.45.4/node-postgres";
import { integer, pgTable, varchar } from "npm:drizzle-orm@^0.45.4/pg-core";

const notes = pgTable("notes", { id: integer().primaryKey(), text: varchar() });

type Connection = Pick<NodePgDatabase, "insert" | "select">;
const insert = (connection: Connection, id: number) =>
  connection.insert(notes).values({ id, text: "text" });
const idsOf = async (connection: Connection) =>
  (await connection.select().from(notes).orderBy(notes.id)).map(({ id }) => id);
`,
};

const PRISMA: Orm = {
  manager: fragmentOf("orms.md", "./generated/client.ts"),
  files: {
    "schema.prisma": `generator client {
  provider = "prisma-client"
  output   = "./generated"
}
datasource db {
  provider = "postgresql"
}
model Note {
  id   Int     @id
  text String?
  @@map("notes")
}
`,
  },
  use: `import type { Prisma } from "./generated/client.ts";

const insert = (connection: Prisma.TransactionClient, id: number) =>
  connection.note.create({ data: { id, text: "text" } });
const idsOf = async (connection: Prisma.TransactionClient) =>
  (await connection.note.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
`,
};

const MAIN = `import { bootstrap } from "@irori/irori";
import { afterCommit, current, transactional } from "@irori/irori/transactions";
import process from "node:process";
import { Connections, Database } from "./database.ts";
USE
const app = await bootstrap({
  components: [Connections, Database],
  config: { datasource: [{ name: "main", url: process.env.DATABASE_URL ?? "" }] },
});
const manager = app.context.get(Database);
const log: unknown[] = [];
const say = (error: Error) => void log.push(error.name === "Error" ? error.message : error.name);
const add = async (id: number) => {
  await insert(current(manager), id);
  afterCommit(() => log.push(id));
};
const fail = () => Promise.reject(new Error("refused"));

await transactional({ manager, isolation: "repeatable read" }, async () => {
  await add(1);
  await transactional({ manager, propagation: "nested" }, () => add(2).then(fail)).catch(say);
  await transactional({ manager, propagation: "nested" }, () => add(3));
  await transactional({ manager, propagation: "requires-new" }, () => add(4));
});
await transactional({ manager }, () => add(5).then(fail)).catch(say);
await transactional({ manager }, async () => {
  await add(6);
  await add(6).catch(() => {});
}).catch(say);
await transactional({ manager, readOnly: true }, () => add(7)).catch(() => say(new Error("read")));
await insert(current(manager), 8);
await transactional({ manager }, async () => {
  const text = "UPDATE notes SET text = $1 WHERE id = $2";
  await manager.query(current(manager), text, ["it's", 8]);
  const select = "SELECT text, id FROM notes WHERE text = $1 AND id < $2";
  log.push(await manager.query(current(manager), select, ["it's", 9]));
});
console.log(JSON.stringify([log, await idsOf(current(manager))]));
await app.close();
`;
const EXPECTED = [
  ["refused", 4, 1, 3, "refused", "TransactionRolledBackError", "read", [{ text: "it's", id: 8 }]],
  [1, 3, 4, 8],
];

function test(
  name: string,
  body: (project: Project, url: string) => Promise<string>,
  expected: unknown = EXPECTED,
): void {
  Deno.test({
    name: `the manager of the guide for ${name} + commits, rolls back and nests: PostgreSQL`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      const { database } = datasource;
      await postgresql.query(
        datasource,
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(40))",
      );
      const url = Object.assign(new URL(Deno.env.get("TEST_PG_URL")!), {
        pathname: `/${database}`,
      });
      try {
        await using project = name === "Prisma"
          ? await Project.installed("prisma@7", "@prisma/client@7", "@prisma/adapter-pg@7")
          : await Project.empty();
        assertEquals(JSON.parse(await body(project, url.href)), expected);
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}

async function write(project: Project, { manager, use, files }: Orm): Promise<void> {
  const all = { ...files, "database.ts": manager, "main.ts": MAIN.replace("USE", use) };
  for (const [path, text] of Object.entries(all)) await project.write(path, text);
}

for (const [name, orm] of Object.entries({ Kysely: KYSELY, Drizzle: DRIZZLE })) {
  test(name, async (project, url) => {
    await write(project, orm);
    return await check(project, url);
  });
}

async function check(project: Project, url: string): Promise<string> {
  const config = ["--config", fromFileUrl(new URL("../../deno.json", import.meta.url))];
  const command = [...DENO, "--check", ...config, project.file("main.ts")];
  return await run(command, { cwd: project.path, env: { DATABASE_URL: url } });
}

const NOTES = `import { bootstrap } from "@irori/irori";
import process from "node:process";
import { Connections, Database } from "./database.ts";
import { NoteController, NoteRepository } from "./notes.ts";

const app = await bootstrap({
  components: [Connections, Database, NoteRepository, NoteController],
  config: { datasource: [{ name: "main", url: process.env.DATABASE_URL ?? "" }] },
  extensions: [() => ({ log: () => {} })],
});
const manager = app.context.get(Database);
const put = async (text: string) =>
  (await app.request("/notes/" + text, { method: "PUT" })).status;
await manager.connection.insertInto("notes").values({ id: 2, text: "in the way" }).execute();
const refused = await put("tea");
await manager.connection.deleteFrom("notes").execute();
const statuses = [refused, await put("milk")];
const rows = await manager.connection.selectFrom("notes").select("text").orderBy("id").execute();
console.log(JSON.stringify([statuses, rows.map(({ text }) => text)]));
await app.close();
`;

test("Kysely, by a repository", async (project, url) => {
  await write(project, KYSELY);
  await project.write("notes.ts", fragmentOf("orms.md", "class NoteRepository"));
  await project.write("main.ts", NOTES);
  return await check(project, url);
}, [[500, 204], ["milk", "milk again"]]);

test("Prisma", async (project, url) => {
  const { manager, use, files } = PRISMA;
  // With the first packages npm 11 fails: "Cannot read properties of null".
  await npmInstall(project.path, [await packLibrary(project.path), "hono@4"]);
  await write(project, { files, use, manager: ofNpm(manager) });
  await project.write("main.ts", ofNpm(MAIN.replace("USE", use)));
  const prisma = [...await node(22), project.file("node_modules/prisma/build/index.js")];
  await run([...prisma, "generate", "--schema", "schema.prisma"], {
    cwd: project.path,
    // Generating needs no engine, but the command would download one.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CI: "1", CHECKPOINT_DISABLE: "1" },
  });
  const command = [...await tsx(22), project.file("main.ts")];
  return await run(command, { cwd: project.path, env: { DATABASE_URL: url } });
});
