/** Advice of the commands for databases. */
import { type AdviceWorkspace, type Advised, CONFIG, execute, start, TABLE } from "./advice.ts";

const CUT_OFF = {
  files: { "1.sql": `-- irori: no-transaction\n${TABLE}SELEKT 1;\n` },
  before: (space: AdviceWorkspace) => start(space, "migrate"),
  code: 9,
};
const FOREIGN_HISTORY = {
  files: { "1.sql": TABLE, "2.sql": "CREATE TABLE c (d TEXT);\n" },
  before: (space: AdviceWorkspace) =>
    execute(
      space,
      `${TABLE}CREATE TABLE knex_migrations (id integer, name text, batch int, migration_time text);
      INSERT INTO knex_migrations VALUES (1, '1.sql', 1, '2026-01-01')`,
    ),
  code: 2,
};
const EDITED = {
  files: { "1.sql": TABLE },
  before: async (space: AdviceWorkspace) => {
    await start(space, "migrate");
    await space.write("migrations/main/1.sql", `${TABLE}-- edited\n`);
  },
  code: 8,
};

export const OF_DATABASES: readonly Advised[] = [
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
      "/src/hello.ts":
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
