/** Databases that wrangler or Drizzle has migrated, taken over from them. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import type { Outcome } from "../../e2e/command_line.ts";
import { kit, packagesOf, type Version } from "./d1_drizzle.ts";
import { variablesOf } from "../../migrations/sql/d1/clients.ts";
import { type Project, project, wranglerIn } from "../../migrations/sql/d1/project.ts";
import { DONE, remote, TREE } from "../../migrations/sql/d1/remote.ts";

/** A project that a tool has migrated. */
interface Taken {
  readonly name: string;
  /** The entry of the database in wrangler's configuration, apart from its binding, name and id. */
  readonly database?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Applies the files. @default `wrangler d1 migrations apply` */
  readonly apply?: (space: Project) => Promise<void>;
  readonly tool?: "wrangler" | "Drizzle";
  /** Options by which `adopt` finds the history. */
  readonly options?: readonly string[];
  /** Adds a file behind all others, as its tool does. @returns its path */
  readonly add: (space: Project, name: string, text: string) => Promise<string>;
  readonly rebuild?: (space: Project) => Promise<string>;
}

const USERS = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);\n";
const POSTS = "CREATE TABLE posts (\n  id INTEGER PRIMARY KEY,\n" +
  "  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE\n);\n";
const SEED = "INSERT INTO users VALUES (1, 'a;b');\nINSERT INTO posts VALUES (1, 1), (2, 1);\n";
const REBUILD = `PRAGMA foreign_keys=OFF;
CREATE TABLE __new_users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO __new_users SELECT id, name FROM users;
DROP TABLE users;
ALTER TABLE __new_users RENAME TO users;
PRAGMA foreign_keys=ON;
`;
const TRIGGER = `CREATE TABLE log (text TEXT);
-- a comment; with a semicolon
CREATE TRIGGER noted AFTER INSERT ON posts
BEGIN
  INSERT INTO log VALUES ('new; post');
  UPDATE log SET text = CASE WHEN text = '' THEN 'none' ELSE text END;
END;
`;

/** The path of a file by the number of files that there are. */
const at = (pathOf: (count: number) => string): Taken["add"] => async (space, _, text) => {
  const path = pathOf((await sqlFiles(space)).length);
  await space.write(path, text);
  return path;
};
const numbered = at((count) => `migrations/000${count + 1}_more.sql`);

const TAKEN: readonly Taken[] = [
  {
    name: "wrangler",
    files: { "migrations/0001_a.sql": USERS, "migrations/0002_b.sql": POSTS + SEED },
    add: numbered,
  },
  {
    name: "wrangler, with files that it creates",
    apply: async (space) => {
      for (const [index, text] of [USERS, POSTS, SEED].entries()) {
        await done(space.wrangler("migrations", "create", "DB", `step ${index}`));
        const path = `migrations/000${index + 1}_step_${index}.sql`;
        const head = await Deno.readTextFile(join(space.path, path));
        assertMatch(head, /^-- Migration number: 000\d \t \d{4}-/);
        await space.write(path, head + text);
      }
      await applied(space);
    },
    add: numbered,
  },
  {
    name: "wrangler, with bodies of triggers",
    files: {
      "migrations/0001_a.sql": USERS + POSTS,
      "migrations/0002_trigger.sql": TRIGGER + SEED,
    },
    add: numbered,
  },
  {
    name: "wrangler, with numbers without zeros",
    files: { "migrations/10_y.sql": POSTS + SEED, "migrations/2_x.sql": USERS },
    add: at((count) => `migrations/1${count}_more.sql`),
  },
  {
    name: "wrangler, with folders by a pattern",
    database: { migrations_dir: "migrations", migrations_pattern: "migrations/*/migration.sql" },
    files: {
      "migrations/20260101000000_a/migration.sql": USERS,
      "migrations/20260102000000_b/migration.sql": POSTS + SEED,
    },
    add: at((count) => `migrations/2027010100000${count}_more/migration.sql`),
  },
  {
    name: "wrangler, with a table of another name",
    database: { migrations_table: "own_migrations" },
    files: { "migrations/0001_a.sql": USERS, "migrations/0002_b.sql": POSTS + SEED },
    options: ["--from", "wrangler", "--table", "own_migrations"],
    add: numbered,
  },
  {
    name: "wrangler, with line ends of Windows",
    files: {
      "migrations/0001_a.sql": (USERS + POSTS).replaceAll("\n", "\r\n"),
      "migrations/0002_b.sql": (TRIGGER + SEED).replaceAll("\n", "\r\n"),
    },
    add: numbered,
  },
  ...(["0.45.4", "1.0.0-rc.5"] as const).flatMap((version) => {
    const isFlat = version === "0.45.4";
    const own = {
      add: async (space: Project, name: string, text: string) => {
        const path = await made(space, () => kit(space, version, name));
        await space.write(path, text);
        return path;
      },
      rebuild: (space: Project) => {
        const schema = { isRequired: true, hasPosts: true };
        return made(space, () => kit(space, version, "rebuild", schema));
      },
    };
    return [{
      name: `Drizzle ${version}, by its migrator`,
      tool: "Drizzle" as const,
      apply: async (space: Project) => {
        await generated(space, version);
        await using worker = await space.miniflare();
        const folder = join(await packagesOf(version), "node_modules/drizzle-orm/d1");
        const load = (name: string) => import(toFileUrl(join(folder, name)).href);
        const { drizzle } = await load("index.js");
        const { migrate } = await load("migrator.js");
        await migrate(drizzle(worker.binding), {
          migrationsFolder: join(space.path, "migrations"),
        });
      },
      ...own,
    }, {
      name: `Drizzle ${version}, by wrangler`,
      ...!isFlat && {
        database: {
          migrations_dir: "migrations",
          migrations_pattern: "migrations/*/migration.sql",
        },
      },
      apply: async (space: Project) => {
        await generated(space, version);
        await applied(space);
      },
      ...own,
    }];
  }),
];

for (const taken of TAKEN) {
  Deno.test(`D1 of ${taken.name} + is adopted, and goes on`, async (t) => {
    const { files, database = {}, apply = applied, tool = "wrangler", options = [], add } = taken;
    await using space = await project(files, { database });
    await apply(space);
    const counted = (await sqlFiles(space)).length;

    await t.step("a first run is refused, 'adopt' records what there is", async () => {
      const early = await space.run("migrate");
      assertEquals(early.code, 2, early.stdout);
      assertStringIncludes(
        early.stderr,
        options.length > 0 ? "nothing was applied" : `there is a history of ${tool} `,
      );
      const dry = await space.run("adopt", ...options, "--dry-run");
      assertEquals(dry.code, 0, dry.stderr);
      assertStringIncludes(dry.stdout, `main: ${counted} would be recorded without applying, 0 pe`);
      const { code, stdout, stderr } = await space.run("adopt", ...options);
      assertEquals(code, 0, stderr);
      assertStringIncludes(stdout, `main: ${counted} recorded without applying, 0 pending`);
      assertEquals((await space.run("status", "--check")).code, 0);
    });

    await t.step("a new file is applied, which wrangler sees", async () => {
      await add(space, "more", "CREATE TABLE more (n INTEGER);\nINSERT INTO more VALUES (7);\n");
      const added = await done(space.run("migrate"));
      assertMatch(added.stdout, new RegExp(`1 applied, ${counted} unchanged`));
      assertEquals(await space.execute("SELECT n FROM more"), [{ n: 7 }]);
    });

    await t.step("a file that was edited is refused", async () => {
      const [first = ""] = await sqlFiles(space);
      const text = await Deno.readTextFile(join(space.path, first));
      await space.write(first, `${text}SELECT 1;\n`);
      assertEquals((await space.run("migrate")).code, 8);
      await space.write(first, text);
    });

    await t.step("a rebuild is refused while it would delete rows of another table", async () => {
      const path = await taken.rebuild?.(space) ?? await add(space, "rebuild", REBUILD);
      const rebuild = await Deno.readTextFile(join(space.path, path));
      const planned = await space.run("plan");
      const refused = await space.run("migrate");
      assertEquals([planned.code, refused.code], [3, 8], planned.stdout + refused.stderr);
      for (const text of [planned.stdout + planned.stderr, refused.stdout + refused.stderr]) {
        assertMatch(
          text,
          /DROP TABLE .?users.? would delete 2 rows of 'posts' \(ON DELETE CASCADE\)/,
        );
      }
      assertEquals(space.query("SELECT count(*) AS n FROM posts"), [{ n: 2 }]);
      // As the message advises.
      const advised = `CREATE TABLE kept AS SELECT * FROM posts;\nDELETE FROM posts;\n${rebuild}` +
        "INSERT INTO posts SELECT * FROM kept;\nDROP TABLE kept;\n";
      await space.write(path, advised);
      await done(space.run("migrate"));
      const rows = "SELECT (SELECT count(*) FROM posts) AS posts, count(*) AS users FROM users";
      assertEquals(space.query(rows), [{ posts: 2, users: 1 }]);
      assertEquals(
        space.query("SELECT \"notnull\" FROM pragma_table_info('users') WHERE name = 'name'"),
        [{ notnull: 1 }],
      );
    });

    await t.step("the same rebuild is applied where no row refers to the table", async () => {
      await add(space, "again", REBUILD);
      assertEquals((await space.run("migrate")).code, 8);
      space.query("DELETE FROM posts");
      await done(space.run("migrate"));
      assertEquals((await space.run("status", "--check")).code, 0);
      assertEquals(space.query("SELECT name FROM users"), [{ name: "a;b" }]);
    });
  });
}

Deno.test("D1 of wrangler, with a configuration from a report + is adopted by its binding", async () => {
  await using space = await project({
    "migrations/main/0001_plans.sql":
      "CREATE TABLE IF NOT EXISTS plans (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n",
    "migrations/main/0002_seed.sql": "INSERT INTO plans (name) VALUES ('free'), ('pro');\n",
  }, { database: { migrations_dir: "migrations/main" } });
  await applied(space);
  const early = await space.run("migrate");
  assertEquals([early.code, space.query("SELECT count(*) AS n FROM plans")], [2, [{ n: 2 }]]);
  await done(space.run("adopt"));
  assertEquals((await space.run("status", "--check")).code, 0);
  assertStringIncludes((await done(space.run("migrate"))).stdout, "2 unchanged");
  assertEquals(space.query("SELECT count(*) AS n FROM plans"), [{ n: 2 }]);
});

/** @throws {Error} when the command fails */
async function done(outcome: Promise<Outcome>): Promise<Outcome> {
  const { code, stdout, stderr } = await outcome;
  assertEquals(code, 0, stdout + stderr);
  return await outcome;
}

async function applied(space: Project): Promise<void> {
  await done(space.wrangler("migrations", "apply", "DB", "--local"));
}

async function sqlFiles({ path }: Project, below = "migrations"): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(path, below))) {
    if (isDirectory) found.push(...await sqlFiles({ path } as Project, `${below}/${name}`));
    else if (name.endsWith(".sql")) found.push(`${below}/${name}`);
  }
  return found.sort();
}

/** Files that drizzle-kit generates from two schemas, and rows, which it does not. */
async function generated(space: Project, version: Version): Promise<void> {
  await kit(space, version, "one", {});
  await kit(space, version, "two", { hasPosts: true });
  const last = (await sqlFiles(space)).at(-1)!;
  const seed = SEED.replace("\n", "\n--> statement-breakpoint\n");
  const text = await Deno.readTextFile(join(space.path, last));
  await space.write(last, `${text}\n--> statement-breakpoint\n${seed}`);
}

/** @returns the path of the file that an action adds */
async function made(space: Project, action: () => Promise<void>): Promise<string> {
  const before = await sqlFiles(space);
  await action();
  const [path] = (await sqlFiles(space)).filter((path) => !before.includes(path));
  return path!;
}

Deno.test("D1 + status says before the first run that wrangler has a history", async () => {
  await using space = await project(TREE);
  assertEquals((await space.wrangler("migrations", "apply", "DB", "--local")).code, 0);
  const { code, stdout } = await space.run("status");
  assertEquals(code, 0);
  assertStringIncludes(
    stdout,
    "main (local): 2 pending; there is a history of wrangler (the table 'd1_migrations'), of which 'plan' tells\n",
  );
  const value = JSON.parse((await space.run("status", "--json")).stdout);
  assertEquals(value.connections[0].otherHistory, "wrangler (the table 'd1_migrations')");
  assertEquals((await space.run("adopt")).code, 0);
  assertMatch((await space.run("status")).stdout, /^main \(local\): 2 applied$/m);
});

Deno.test("remote D1 + what wrangler has applied is adopted, and wrangler sees what follows", async () => {
  await using made = await remote();
  const { path } = made.space;
  const wrangler = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await wranglerIn(path, args, variablesOf(made.api));
    assertEquals(code, 0, stdout + stderr);
    return stdout;
  };
  await wrangler("migrations", "apply", "DB", "--remote");
  const early = await made.run("migrate");
  assertEquals(early.code, 2);
  assertStringIncludes(early.stderr, "there is a history of wrangler");
  assertMatch((await made.run("adopt")).stdout, /2 recorded without applying, 0 pending/);
  await made.space.write("migrations/0003_c.sql", "INSERT INTO a VALUES (3);\n");
  assertMatch((await made.run("migrate")).stdout, /1 applied, 2 unchanged/);
  const text = await wrangler(
    "execute",
    "DB",
    "--remote",
    "--json",
    "--command",
    "SELECT n FROM a",
  );
  assertEquals(JSON.parse(text)[0].results, [...DONE, { n: 3 }]);
  await made.space.write("migrations/0001_a.sql", "SELECT 1;\n");
  assertEquals((await made.run("migrate")).code, 8);
});
