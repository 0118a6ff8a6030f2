/** The transcripts of the first screens: each command is run, and prints what they show. */
import { assertEquals } from "@std/assert";
import { type Block, blocksOf } from "../../tools/docs/blocks.ts";
import { CLI, type Workspace, workspace } from "../e2e/command_line.ts";
import { urlOf } from "../features/adopt/adopt_support.ts";
import { project } from "../migrations/sql/d1/project.ts";
import {
  cleanUp,
  create,
  openTransaction,
  postgresqlMissing,
  query,
} from "../migrations/sql/postgresql_support.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { assertShown } from "./steps.ts";

const PAGES = ["README.md", "docs/index.md"];

/** Runs the command line. @returns both of its streams in one */
async function printed({ path }: Workspace, command: string): Promise<string> {
  const start = `'${Deno.execPath()}' run -A --quiet --no-check '${CLI}'`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `${command.replace("irori", () => start)} 2>&1`],
    cwd: path,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

/** A table that drizzle-kit rebuilds, and another that refers to it. */
const TABLES = `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
INSERT INTO users VALUES (1, 'Ada'), (2, 'Grace');
INSERT INTO orders VALUES (1, 1), (2, 1), (3, 2);
`;
const REBUILD = `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE \`__new_users\` (
	\`id\` integer PRIMARY KEY,
	\`name\` text NOT NULL
);
--> statement-breakpoint
INSERT INTO \`__new_users\`("id", "name") SELECT "id", "name" FROM \`users\`;--> statement-breakpoint
DROP TABLE \`users\`;--> statement-breakpoint
ALTER TABLE \`__new_users\` RENAME TO \`users\`;--> statement-breakpoint
PRAGMA foreign_keys=ON;
`;
const ORDERS = "SELECT COUNT(*) AS count FROM orders";

const DAY = 24 * 60 * 60 * 1000;

/** A policy that deletes indices of this age. */
const policy = (age: string) =>
  JSON.stringify({
    policy: {
      description: "Old logs",
      default_state: "hot",
      states: [
        {
          name: "hot",
          actions: [],
          transitions: [{ state_name: "delete", conditions: { min_index_age: age } }],
        },
        { name: "delete", actions: [{ delete: {} }], transitions: [] },
      ],
      ism_template: [{ index_patterns: ["logs-*"], priority: 1 }],
    },
  });

/** Each prepares a command that the pages show, and checks its effect. */
const STORIES: Readonly<
  Record<string, (show: (space: Workspace) => Promise<void>) => Promise<void>>
> = {
  async "irori migrate 0002_name.sql"(show) {
    await using space = await project({ "migrations/0001_shop.sql": TABLES });
    await printed(space, "irori migrate");
    await space.write("migrations/0002_name.sql", REBUILD);
    await show(space);
    assertEquals(space.query(ORDERS), [{ count: 3 }]);
    await using other = await project({
      "migrations/0001_shop.sql": TABLES,
      "migrations/0002_name.sql": REBUILD,
    });
    assertEquals((await other.wrangler("migrations", "apply", "DB", "--local")).code, 0);
    assertEquals(other.query(ORDERS), [{ count: 0 }]);
  },
  async "irori plan -m search"(show) {
    await using double = startClusterDouble();
    await using space = await workspace({
      "config/application.yml":
        `search: { name: logs, hosts: ["${double.url}"], migrations: { enabled: true, policy_changes: apply } }\n`,
      "migrations/logs/retention-policy.json": policy("365d"),
    });
    await printed(space, "irori migrate -m search");
    const ages = { "logs-2026.01": 310, "logs-2026.02": 279, "logs-2026.11": 10 };
    for (const [name, days] of Object.entries(ages)) {
      await (await fetch(`${double.url}/${name}`, { method: "PUT" })).body?.cancel();
      const index: { created: number } = double.documents.indices.get(name)!;
      index.created -= days * DAY;
    }
    double.runPolicyJobs();
    await space.write("migrations/logs/retention-policy.json", policy("90d"));
    await show(space);
  },
  async "irori migrate 0001_paid_at.sql"(show) {
    const datasource = await create();
    try {
      await using space = await workspace({
        "config/application.yml": `datasource: { name: main, url: "${
          urlOf(datasource, "postgres")
        }", migrations: { enabled: true } }\n`,
        "migrations/main/0000_orders.sql":
          "CREATE TABLE orders (id serial PRIMARY KEY, total integer);\n",
      });
      await printed(space, "irori migrate");
      await space.write(
        "migrations/main/0001_paid_at.sql",
        'ALTER TABLE "orders" ADD COLUMN "paid_at" timestamp;\n',
      );
      await using report = await openTransaction(
        datasource,
        "SELECT count(*) FROM orders",
        "report",
      );
      // The first attempt waits for five seconds.
      const timer = setTimeout(report.release, 7000);
      await show(space).finally(() => clearTimeout(timer));
      assertEquals(await query(datasource, "SELECT paid_at FROM orders"), []);
    } finally {
      await cleanUp();
    }
  },
};

/** The command of a transcript, with the file that its story is about. */
function storyOf({ code }: Block): string | undefined {
  const [, command = ""] = /^\$ (.*)\n/.exec(code) ?? [];
  return Object.keys(STORIES).find((story) =>
    `${command} ${/\d{4}_\w+\.sql/.exec(code)?.[0] ?? ""}`.trim() === story
  );
}

const transcripts = PAGES.flatMap((page) => blocksOf(Deno.readTextFileSync(page), page))
  .filter(({ code }) => code.startsWith("$ "));

for (const [story, tell] of Object.entries(STORIES)) {
  Deno.test({
    name: `the first screens + '${story}' prints what they show`,
    ignore: story.includes("paid_at") && postgresqlMissing !== undefined,
    fn: () =>
      tell(async (space) => {
        const shown = transcripts.filter((block) => storyOf(block) === story);
        assertEquals(shown.map(({ place }) => place.split(":")[0]), PAGES);
        const [command = ""] = shown[0]!.code.split("\n");
        const text = await printed(space, command.slice(2));
        for (const block of shown) {
          assertShown({ ...block, language: "text", code: block.code.replace(/^.*\n/, "") }, text);
        }
      }),
  });
}

Deno.test("the first screens + each transcript has a story", () => {
  assertEquals(transcripts.filter((block) => storyOf(block) === undefined), []);
});
