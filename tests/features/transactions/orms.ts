/** The managers that the guide has for ORMs, in projects with the real packages. */
import { fromFileUrl } from "@std/path";
import { DENO, node, run, tsx } from "../../runtimes/executables.ts";
import { fragmentOf, ofNpm } from "../../runtimes/guide.ts";
import { packLibrary, Project } from "../../runtimes/project.ts";
import { npmInstall } from "../../../tools/_npm.ts";

/** An ORM: how an application makes its client, and what a repository does with it. */
export interface Orm {
  /** Declares `Connections` with the bean, and `Database`. */
  readonly manager: string;
  /** Declares `insert(connection, id)` and `idsOf(connection)`. */
  readonly use: string;
  readonly files?: Readonly<Record<string, string>>;
}

export const KYSELY: Orm = {
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

export const DRIZZLE: Orm = {
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

export const PRISMA: Orm = {
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

/**
 * Runs a program beside the manager of an ORM.
 *
 * @param main with `USE` for what a repository does
 * @returns what it has printed
 */
export async function runWith(
  { manager, use, files }: Orm,
  main: string,
  url: string,
  { more = {}, isChecked = true }: {
    readonly more?: Readonly<Record<string, string>>;
    /** Whether types are checked, too, which takes most of the time. */
    readonly isChecked?: boolean;
  } = {},
): Promise<string> {
  const isPrisma = files?.["schema.prisma"] !== undefined;
  await using project = isPrisma ? await prismaProject() : await Project.empty();
  const all = { ...files, ...more, "database.ts": manager, "main.ts": main.replace("USE", use) };
  for (const [path, text] of Object.entries(all)) {
    await project.write(path, isPrisma ? ofNpm(text) : text);
  }
  const options = { cwd: project.path, env: { DATABASE_URL: url } };
  const file = project.file("main.ts");
  if (!isPrisma) {
    const config = fromFileUrl(new URL("../../../deno.json", import.meta.url));
    const checked = isChecked ? ["--check"] : [];
    return await run([...DENO, ...checked, "--config", config, file], options);
  }
  const prisma = [...await node(22), project.file("node_modules/prisma/build/index.js")];
  await run([...prisma, "generate", "--schema", "schema.prisma"], {
    cwd: project.path,
    // Generating needs no engine, but the command would download one.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CI: "1", CHECKPOINT_DISABLE: "1" },
  });
  return await run([...await tsx(22), file], options);
}

async function prismaProject(): Promise<Project> {
  const packages = ["prisma@7", "@prisma/client@7", "@prisma/adapter-pg@7", "pg@8", "pg-boss@12"];
  const project = await Project.installed(...packages);
  // With the first packages npm 11 fails: "Cannot read properties of null".
  await npmInstall(project.path, [await packLibrary(project.path), "hono@4"]);
  return project;
}

/** The URL of a database of the tests. */
export function urlOf(database: string): string {
  return Object.assign(new URL(Deno.env.get("TEST_PG_URL")!), { pathname: `/${database}` }).href;
}
