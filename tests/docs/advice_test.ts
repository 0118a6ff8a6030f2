/** Commands that messages and guides name: each exists, and takes what it is given. */
import { assertEquals } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { irori, type Outcome, type Workspace, workspace } from "../e2e/command_line.ts";
import { walk } from "@std/fs/walk";
import { readArguments } from "../../src/cli/arguments.ts";
import { COMMANDS } from "../../src/cli/program.ts";

const NAMES = COMMANDS.map(({ name }) => name).join("|");
const PROGRAM = String.raw`(?:npx (?:--yes )?irori|irori|deno run -A jsr:@irori/irori/cli)`;
/** In quotes, with the name of the program, or with an option or a placeholder behind the command. */
const QUOTED = new RegExp(
  String
    .raw`['\x60]((?:${PROGRAM}(?: [^'\x60"\n]*)?)|(?:(?:${NAMES}) (?=[^'\x60\n]*(?:--|-m |<))[^'\x60"\n]*))['\x60]`,
  "g",
);
/** A line of a message: the command, and behind two blanks what it does. */
const LISTED = new RegExp(String.raw`["\x60 ] *((?:${NAMES}) [^"\n]*?--[a-z]+)  `, "g");
/** A line of a block of a guide. */
const TYPED = new RegExp(String.raw`^ *(${PROGRAM}(?: .*)?)$`, "gm");

/** What belongs to other tools. */
const FOREIGN = /^migrate force\b/;

interface Advice {
  readonly place: string;
  readonly text: string;
}

async function collected(): Promise<readonly Advice[]> {
  const found: Advice[] = [];
  const folders = [["src", ".ts", [QUOTED, LISTED]], ["docs/guide", ".md", [QUOTED, TYPED]], [
    "examples",
    "README.md",
    [QUOTED, TYPED],
  ]] as const;
  for (const [folder, end, patterns] of folders) {
    for await (
      const { path } of walk(folder, { includeDirs: false })
    ) {
      if (!path.endsWith(end) || /node_modules|template\.ts$/.test(path)) continue;
      const text = await Deno.readTextFile(path);
      for (const pattern of patterns) {
        for (const [, command = ""] of text.matchAll(pattern)) {
          found.push({ place: path, text: command });
        }
      }
    }
  }
  return found;
}

/** Its arguments, with a word for each placeholder; none for a form that stands for several commands. */
function argumentsOf(text: string): readonly string[] | undefined {
  if (/^irori \$\{/.test(text)) return undefined; // Any command.
  const line = text
    .replace(new RegExp(`^${PROGRAM} ?`), "")
    .replace(/\$\{[^}]*\}|<[^>]*>/g, "name")
    .replace(/ *(?:#|\|\||>|\| ).*$/, "")
    .replace(/\\$/, "");
  if (/[…{[]|\\?\||\.\.\.|[a-z]\/--/.test(line)) return undefined;
  return line.split(" ").filter((word) => word !== "").map((word) =>
    word.replace(/^["']|["'],?$/g, "")
  );
}

Deno.test("messages and guides + name commands that exist, with options that they have", async () => {
  const wrong: string[] = [];
  const checked = new Set<string>();
  for (const { place, text } of await collected()) {
    const args = FOREIGN.test(text) ? undefined : argumentsOf(text);
    if (args === undefined) continue;
    // Some name a command or an option alone, without the file that it is for.
    const problems = [[], ["1"], ["file"]].map((more) => readArguments([...args, ...more]).problem);
    checked.add(args.join(" "));
    if (problems.every((problem) => problem !== undefined)) {
      wrong.push(`${place}: '${text}': ${problems[0]!.message}`);
    }
  }
  assertEquals(wrong, []);
  assertEquals(checked.size >= 100, true, `Only ${checked.size} were found`);
});

const CONFIG = `datasource:
  - { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }
`;
const TABLE = "CREATE TABLE a (b TEXT);\n";

interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** Leads into the situation. */
  readonly before?: (space: Workspace) => Promise<unknown>;
  /** What gives the advice. @default migrate */
  readonly command?: string;
  readonly config?: string;
  readonly code: number;
  readonly advice: RegExp;
  /** What the advice leaves to its reader. */
  readonly value?: string;
  /** What a reader does by hand for it. */
  readonly byHand?: (space: Workspace) => Promise<unknown>;
  /** What takes the way, which has to end with 0 afterwards. @default migrate */
  readonly after?: string;
}

const CUT_OFF = {
  files: { "1.sql": `-- irori: no-transaction\n${TABLE}SELEKT 1;\n` },
  before: (space: Workspace) => space.run("migrate"),
  code: 9,
};
const FOREIGN_HISTORY = {
  files: { "1.sql": TABLE, "2.sql": "CREATE TABLE c (d TEXT);\n" },
  before: (space: Workspace) =>
    execute(
      space,
      `${TABLE}CREATE TABLE knex_migrations (id integer, name text, batch int, migration_time text);
      INSERT INTO knex_migrations VALUES (1, '1.sql', 1, '2026-01-01')`,
    ),
  code: 2,
};
const EDITED = {
  files: { "1.sql": TABLE },
  before: async (space: Workspace) => {
    await space.run("migrate");
    await space.write("migrations/main/1.sql", `${TABLE}-- edited\n`);
  },
  code: 8,
};

const CASES: readonly Case[] = [
  { title: "an edited file", ...EDITED, advice: /run '(baseline --changed 1\.sql)'/ },
  {
    title: "a failed file that is finished by hand",
    ...CUT_OFF,
    before: () => Promise.resolve(),
    code: 8,
    advice: /^ +(resolve 1\.sql --applied) /m,
  },
  { title: "an interrupted file", ...CUT_OFF, advice: /^ +(resolve 1\.sql --applied) /m },
  {
    title: "an interrupted file that is undone by hand",
    ...CUT_OFF,
    advice: /^ +(resolve 1\.sql --retry) /m,
    byHand: async (space) => {
      await execute(space, "DROP TABLE a");
      await space.write("migrations/main/1.sql", TABLE);
    },
  },
  {
    title: "a down migration",
    files: { "1.sql": `-- Up Migration\n${TABLE}-- Down Migration\nDROP TABLE a;\n` },
    code: 3,
    advice: /run '(adopt --write)'/,
  },
  {
    title: "the history of knex",
    ...FOREIGN_HISTORY,
    advice: /'(adopt --dry-run)'/,
    after: "status",
  },
  { title: "the history of knex, recorded", ...FOREIGN_HISTORY, advice: /then '(adopt)'/ },
  {
    title: "the history of knex, recorded up to a file",
    ...FOREIGN_HISTORY,
    advice: /run '(baseline --until <file>)'/,
  },
  {
    title: "the history of knex, which has none of the files",
    ...FOREIGN_HISTORY,
    advice: /run '(adopt --from none)'/,
    byHand: (space) => execute(space, "DROP TABLE a"),
  },
  {
    title: "a stale file of types",
    files: { "1.sql": TABLE },
    before: async (space) => {
      await start(space, "types --out rows.ts");
      await space.write("migrations/main/2.sql", "CREATE TABLE c (d TEXT);\n");
    },
    command: "types --check --out rows.ts",
    code: 4,
    advice: /'irori (types --out)' writes it/,
    value: "rows.ts",
    after: "types --check --out rows.ts",
  },
  {
    title: "a schema file that does not exist",
    files: { "1.sql": TABLE },
    config: CONFIG.replace("true }", "true, schema_file: schema.sql }"),
    command: "schema --check",
    code: 2,
    advice: /'(migrate)' writes it/,
    after: "schema --check",
  },
  {
    title: "a file that is not interrupted",
    files: { "1.sql": TABLE },
    command: "resolve 1.sql --retry",
    code: 2,
    advice: /'irori (status)' lists them/,
  },
  {
    title: "a schema of two databases",
    files: { "1.sql": TABLE },
    config: `${CONFIG}${CONFIG.slice(CONFIG.indexOf("  -")).replace("main", "other")}`,
    before: (space) => space.write("migrations/other/1.sql", "-- empty\n"),
    command: "schema",
    code: 2,
    advice: /set '(--connection)' to one of '/,
    value: "main",
    after: "status",
  },
  {
    title: "a schema of clusters",
    files: { "1.sql": TABLE },
    command: "schema -m search",
    code: 2,
    advice: /expected '(-m sql)'/,
  },
  {
    title: "a rollover in a database",
    files: { "1.sql": TABLE },
    command: "new logs --rollover",
    code: 2,
    advice: /expected '(-m search)' with '--rollover'/,
    config:
      `${CONFIG}search:\n  - { name: logs, hosts: ["http://127.0.0.1:1"], migrations: { enabled: true } }\n`,
  },
  {
    title: "old indices of a database",
    files: { "1.sql": TABLE },
    command: "prune",
    code: 2,
    advice: /expected '(-m search)'/,
  },
  {
    title: "a stale list of components",
    files: {
      "../../src/hello.ts":
        'import { RestController } from "irori";\n@RestController()\nexport class Hello {}\n',
    },
    config: "component-scan: src\n",
    command: "scan --check",
    code: 4,
    advice: /'irori (scan)' writes it/,
    after: "scan --check",
  },
  {
    title: "the histories of two tools",
    files: { "1.sql": TABLE },
    before: (space) =>
      execute(
        space,
        `${TABLE}CREATE TABLE knex_migrations (id integer, name text, batch int, migration_time text);
      INSERT INTO knex_migrations VALUES (1, '1.sql', 1, '2026-01-01');
      CREATE TABLE schema_migrations (version varchar(128) PRIMARY KEY);
      INSERT INTO schema_migrations VALUES ('1')`,
      ),
    command: "adopt",
    code: 2,
    advice: /by '(--from) <tool>'/,
    value: "knex",
  },
];

for (const { title, files, before, config = CONFIG, ...one } of CASES) {
  const { command = "migrate", code, advice, value, byHand, after = "migrate" } = one;
  Deno.test(`the advice for ${title} leads where it says: ${advice.source}`, async () => {
    const paths = Object.entries(files).map(([name, text]) => [`migrations/main/${name}`, text]);
    await using space = await workspace({
      "config/application.yml": config,
      ...Object.fromEntries(paths),
    });
    await before?.(space);
    const refused = await start(space, command);
    assertEquals(refused.code, code, refused.stderr);
    const found = advice.exec(refused.stderr + refused.stdout)?.slice(1).find((part) => part);
    if (found === undefined) throw new Error(`No advice in:\n${refused.stderr}${refused.stdout}`);
    await byHand?.(space);
    const filled = [found.replace("<file>", "1.sql"), ...value === undefined ? [] : [value]].join(
      " ",
    );
    // An option is for the command that was given.
    const line = filled.startsWith("-") ? `${command.replace(/ -m \w+/, "")} ${filled}` : filled;
    const taken = await start(space, line);
    assertEquals(taken.code, 0, taken.stderr);
    const again = await start(space, after);
    assertEquals(again.code, 0, again.stderr);
  });
}

for (const answer of ["--applied", "--retry"]) {
  for (const runs of [1, 2]) {
    Deno.test(`the advice for a request of which a part was done leads where it says: ${answer}, run ${runs}`, async () => {
      const [created, refused] = [{ create: { status: 201 } }, { create: { status: 400 } }];
      let items = [created, refused];
      await using cluster = startClusterDouble({
        intercept: (line) =>
          line.startsWith("POST /orders/_bulk")
            ? Response.json({ took: 1, errors: items.includes(refused), items })
            : undefined,
      });
      await using space = await workspace({
        "config/search-config.yml":
          `search:\n  - { name: live, hosts: ["${cluster.url}"], migrations: { enabled: true } }\n`,
        "migrations/live/1.json":
          '{"method":"POST","path":"/orders/_bulk","body":[{"create":{}},{"a":1},{"create":{}},{"a":2}]}',
      });
      let stderr = "";
      for (let run = 0; run < runs; run++) ({ stderr } = await start(space, "migrate -m search"));
      const [, found = ""] = new RegExp(`^ +(resolve 1\\.json ${answer}) `, "m").exec(stderr) ?? [];
      items = [created, created];
      const taken = await start(space, found);
      assertEquals([taken.code, taken.stderr], [0, ""]);
      const again = await start(space, "migrate -m search");
      assertEquals([again.code, again.stderr], [0, ""]);
      const sent = cluster.requests.filter(({ line }) => line.startsWith("POST /orders/_bulk"));
      assertEquals(sent.length, answer === "--retry" ? 2 : 1);
    });
  }
}

Deno.test("the advice for a command without the kind of the connections leads where it says: -m search", async () => {
  await using cluster = startClusterDouble();
  await using space = await workspace({
    "config/search-config.yml":
      `search:\n  - { name: live, hosts: ["${cluster.url}"], migrations: { enabled: true } }\n`,
    "migrations/live/logs-template.json": '{ "index_patterns": ["logs-*"] }',
  });
  const { stdout } = await start(space, "migrate");
  const [, found = ""] = /which '(-m search)' migrates/.exec(stdout) ?? [];
  const taken = await start(space, `migrate ${found}`);
  assertEquals([taken.code, taken.stderr], [0, ""]);
  const changed = '{ "index_patterns": ["logs-*"], "priority": 2 }';
  await space.write("migrations/live/logs-template.json", changed);
  const recorded = await start(space, "baseline --changed logs-template.json");
  assertEquals([recorded.code, recorded.stderr], [0, ""]);
});

async function start(space: Workspace, line: string): Promise<Outcome> {
  return await irori(line.split(" "), space.path);
}

async function execute({ path }: Workspace, sql: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(`${path}/app.db`);
  database.exec(sql);
  database.close();
}
