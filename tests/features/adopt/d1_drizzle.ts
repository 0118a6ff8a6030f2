import { join } from "@std/path";
import { installed } from "../../../tools/_npm.ts";
import type { Project } from "../../migrations/sql/d1/project.ts";

const PACKAGES = {
  "0.45.4": ["drizzle-orm@0.45.4", "drizzle-kit@0.31.11"],
  "1.0.0-rc.5": ["drizzle-orm@1.0.0-rc.5-5935859", "drizzle-kit@1.0.0-rc.5-5935859"],
};
/** The same set as in the tests of `adopt`, so that it is installed once. */
const CLIENTS = ["pg@8.23.0", "mysql2@3.24.0", "@libsql/client@0.15.15"];

export type Version = keyof typeof PACKAGES;

export function packagesOf(version: Version): Promise<string> {
  return installed("drizzle", [...PACKAGES[version], ...CLIENTS]);
}

/** The tables of a schema: `users`, whose name may be required, and `posts`, which refer to them. */
interface Schema {
  readonly isRequired?: boolean;
  readonly hasPosts?: boolean;
}

/** Generates a migration by drizzle-kit, as a project for D1 has it. @param schema without it, the file is empty */
export async function kit(
  space: Project,
  version: Version,
  name: string,
  schema?: Schema,
): Promise<void> {
  if (schema) await prepare(space, version, schema);
  const args = ["generate", `--name=${name}`, ...schema ? [] : ["--custom"]];
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: ["node_modules/drizzle-kit/bin.cjs", ...args],
    cwd: join(space.path, "app"),
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(text(stdout) + text(stderr));
}

async function prepare(
  space: Project,
  version: Version,
  { isRequired = false, hasPosts = false }: Schema,
): Promise<void> {
  const posts = `export const posts = sqliteTable("posts", {
  id: integer().primaryKey(),
  user_id: integer().references(() => users.id, { onDelete: "cascade" }),
});
`;
  const schema = `import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const users = sqliteTable("users", {
  id: integer().primaryKey(),
  name: text()${isRequired ? ".notNull()" : ""},
});
${hasPosts ? posts : ""}`;
  await space.write("app/package.json", '{ "type": "module" }');
  await space.write("app/schema.ts", schema);
  const config = {
    ...{ dialect: "sqlite", driver: "d1-http", schema: "./schema.ts", out: "../migrations" },
    dbCredentials: { accountId: "a", databaseId: "b", token: "c" },
  };
  await space.write("app/drizzle.config.ts", `export default ${JSON.stringify(config)};\n`);
  const link = join(space.path, "app/node_modules");
  await Deno.remove(link).catch(() => {});
  await Deno.symlink(join(await packagesOf(version), "node_modules"), link);
}
