/** `Database` in Kysely, and the types of a table without it. */
import { assertCompiles } from "../../../compiler.ts";
import { workspace } from "../../../e2e/command_line.ts";

const FILE = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  age INT,
  at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  initial TEXT AS (substr(name, 1, 1))
);
CREATE VIEW names AS SELECT name FROM users;
`;

const PROGRAM = `
import { type Insertable, Kysely, type Selectable, SqliteDialect, type Updateable } from "npm:kysely@^0.28.17";
import type { Database, Names, NewUsers, Users, UsersUpdate } from "./database.ts";

const database = new Kysely<Database>({ dialect: new SqliteDialect({ database: {} as never }) });

type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;
const same: [
  Same<Selectable<Database["users"]>, Users>,
  Same<Insertable<Database["users"]>, NewUsers>,
  Same<Updateable<Database["users"]>, UsersUpdate>,
  Same<Selectable<Database["names"]>, Names>,
  Same<keyof Insertable<Database["names"]>, never>,
  Same<keyof NewUsers, "id" | "name" | "age" | "at">,
] = [true, true, true, true, true, true];

export async function found(): Promise<readonly { name: string; age: number | null }[]> {
  const rows: Pick<Users, "name" | "age" | "initial">[] = await database.selectFrom("users")
    .select(["name", "age", "initial"]).where("id", "=", 1).execute();
  await database.insertInto("users").values({ name: "Ada" }).execute();
  await database.insertInto("users").values({ name: "Ada", age: null, at: 1 }).execute();
  await database.updateTable("users").set({ age: 36 }).execute();
  // @ts-expect-error -- a name is required
  await database.insertInto("users").values({ age: 36 }).execute();
  // @ts-expect-error -- SQLite makes it
  await database.insertInto("users").values({ name: "Ada", initial: "A" }).execute();
  // @ts-expect-error -- the same
  await database.updateTable("users").set({ initial: "A" }).execute();
  // @ts-expect-error -- it is never NULL
  await database.updateTable("users").set({ name: null }).execute();
  // @ts-expect-error -- there is no such table
  await database.selectFrom("user").selectAll().execute();
  return rows;
}

export const ada: NewUsers = { name: "Ada" };
// @ts-expect-error -- a name is required
export const empty: NewUsers = {};
export const older: UsersUpdate = { age: 37 };
export { same };
`;

Deno.test("types + Kysely: selects, inserts and updates have the types of Database", async () => {
  await using space = await workspace({
    "config/application.yml": JSON.stringify({
      datasource: { name: "main", url: "sqlite:./app.db", migrations: { enabled: true } },
    }),
    "migrations/main/1.sql": FILE,
    "program.ts": PROGRAM,
    "deno.json": JSON.stringify({ compilerOptions: { exactOptionalPropertyTypes: true } }),
  });
  await space.run("types", "--out", `${space.path}/database.ts`);
  await assertCompiles(`file://${space.path}/program.ts`);
});
