/** Files in the folder of a database that wrangler does not apply: seeds, for one. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Project, project } from "../../migrations/sql/d1/project.ts";

const ORDERS = "CREATE TABLE orders (id INTEGER);\nINSERT INTO orders VALUES (1);\n";
const SEED = "DELETE FROM orders;\n";
const SUBFOLDER =
  "wrangler does not apply 'seeds/dev.sql' (it applies 'migrations/*.sql'): move it " +
  "out of 'migrations', or set 'migrations_pattern' to 'migrations/**/*.sql'";

async function applied(space: Project): Promise<void> {
  const { code, stdout, stderr } = await space.wrangler("migrations", "apply", "DB", "--local");
  assertEquals(code, 0, stdout + stderr);
}

Deno.test("a file that wrangler does not apply + no command applies or records it", async () => {
  await using space = await project({
    "migrations/0001_orders.sql": ORDERS,
    "migrations/seeds/dev.sql": SEED,
  });
  for (const command of ["validate", "plan", "migrate"]) {
    const { code, stdout, stderr } = await space.run(command);
    assertEquals(code, 3, `${command}: ${stdout}${stderr}`);
    assertStringIncludes(stdout + stderr, SUBFOLDER);
  }
  await applied(space);
  for (const options of [["--dry-run"], [], ["--apply", "seeds/dev.sql"]]) {
    const { code, stdout, stderr } = await space.run("adopt", ...options);
    assertEquals(code, 3, stdout + stderr);
    assertStringIncludes(stderr, SUBFOLDER);
  }
  assertEquals(space.query("SELECT id FROM orders"), [{ id: 1 }]);
  await space.remove("migrations/seeds/dev.sql");
  await space.write("seeds/dev.sql", SEED);
  assertEquals((await space.run("adopt")).code, 0);
  assertEquals((await space.run("migrate")).code, 0);
  assertEquals(space.query("SELECT id FROM orders"), [{ id: 1 }]);
});

Deno.test("a pattern that cannot be read + is refused with its file", async () => {
  const database = { migrations_pattern: "migrations/[z-a].sql" };
  await using space = await project({ "migrations/0001_orders.sql": ORDERS }, { database });
  const { code, stdout, stderr } = await space.run("validate");
  assertEquals(code, 2, stdout + stderr);
  assertStringIncludes(stderr, "Cannot read 'migrations_pattern' of ");
  assertStringIncludes(stderr, "wrangler.jsonc': 'migrations/[z-a].sql'");
});

const FILES = [
  ...[
    "0001_a.sql",
    "0002_B.SQL",
    "a/0003_c.sql",
    "a/b/0004_d.sql",
    "20260101000000_e/migration.sql",
  ],
  ...["a+b.sql", "x1.sql"],
];
const PATTERNS = [
  undefined,
  "./migrations/**/*.sql",
  "migrations/*/migration.sql",
  "migrations/{0*,a/*}.sql",
  "migrations/[!0]?.sql",
  "migrations/**",
];

for (const pattern of PATTERNS) {
  Deno.test(`the pattern ${pattern} + validate refuses what wrangler does not list`, async () => {
    const database = pattern && { migrations_dir: "./migrations/", migrations_pattern: pattern };
    const tree = Object.fromEntries(FILES.map((path) => [`migrations/${path}`, "SELECT 1;\n"]));
    await using space = await project(tree, { database: database || {} });
    const listed = await space.wrangler("migrations", "list", "DB", "--local");
    const { stdout, stderr } = await space.run("validate");
    const refused = FILES.filter((path) => (stdout + stderr).includes(`not apply '${path}'`));
    assert(FILES.length > refused.length, stdout + stderr);
    for (const path of FILES.filter((path) => !path.endsWith("/migration.sql"))) {
      assertEquals(refused.includes(path), !listed.stdout.includes(path), path + listed.stdout);
    }
    assert(!refused.includes("20260101000000_e/migration.sql"));
    if (!refused.includes("0002_B.SQL")) return;
    assertStringIncludes(stdout + stderr, "'migrations', or let its name end in '.sql'");
  });
}
