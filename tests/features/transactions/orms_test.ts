/** The managers of the guide for ORMs, with the real packages. */
import { assertEquals } from "@std/assert";
import { IS_ALL } from "../../long/mod.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { fragmentOf } from "../../runtimes/guide.ts";
import { DRIZZLE, KYSELY, PRISMA, runWith, urlOf } from "./orms.ts";

const MAIN = `import { bootstrap } from "@irori/irori";
import { afterCommit, current, sqlStateOf, transactional } from "@irori/irori/transactions";
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
  const select = "SELECT text, id FROM notes WHERE id < $2 AND text = $1";
  log.push(await manager.query(current(manager), select, ["it's", 9]));
});
await Promise.resolve().then(() => insert(current(manager), 8)).catch((error) => log.push(sqlStateOf(error)));
const lost = await bootstrap({
  components: [Connections, Database],
  config: { datasource: [{ name: "main", url: "postgresql://a:b@127.0.0.1:1/a" }] },
});
await transactional({ manager: lost.context.get(Database) }, () => add(9)).catch(say);
await lost.close();
console.log(JSON.stringify([log, await idsOf(current(manager))]));
await app.close();
`;
const EXPECTED = [
  [
    "refused",
    4,
    1,
    3,
    "refused",
    "TransactionRolledBackError",
    "read",
    [{ text: "it's", id: 8 }],
    "23505",
    "ConnectionUnavailableError",
  ],
  [1, 3, 4, 8],
];

function test(
  name: string,
  body: (url: string) => Promise<string>,
  expected: unknown = EXPECTED,
): void {
  Deno.test({
    name: `the manager of the guide for ${name} + commits, rolls back and nests: PostgreSQL`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      await postgresql.query(
        datasource,
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(40))",
      );
      try {
        assertEquals(JSON.parse(await body(urlOf(datasource.database))), expected);
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}

for (const [name, orm] of Object.entries({ Kysely: KYSELY, Drizzle: DRIZZLE, Prisma: PRISMA })) {
  // The manager for Kysely is compiled with a repository, too.
  test(name, (url) => runWith(orm, MAIN, url, { isChecked: IS_ALL || orm !== KYSELY }));
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

test("Kysely, by a repository", (url) => {
  const repository = fragmentOf("orms.md", "class NoteRepository");
  return runWith(KYSELY, NOTES, url, { more: { "notes.ts": repository } });
}, [[500, 204], ["milk", "milk again"]]);
