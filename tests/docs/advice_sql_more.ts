/** More advice of the commands for databases: options, tenants, own tables, and pages of the guide. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Advised, CONFIG, execute, start, TABLE } from "./advice.ts";

const TWO = CONFIG + CONFIG.slice(CONFIG.indexOf("  -")).replace("main", "other");
const FILES = { "1.sql": TABLE };
const SCHEMA_FILE = CONFIG.replace("true }", "true, schema_file: schema.sql }");
const TENANTS = CONFIG.replace(
  "enabled: true",
  "enabled: true, each: { urls: { acme: 'sqlite:ROOT/acme.db', globex: 'sqlite:ROOT/globex.db' } }",
);
const FILES_OF_TENANTS = { ...FILES, "/acme.db": "", "/globex.db": "" };
const BESIDE_TABLES: Pick<Advised, "files" | "before" | "code"> = {
  files: FILES,
  before: (place) => execute(place, "CREATE TABLE foreign_one (x TEXT)"),
  code: 2,
};
const FLYWAY_LIKE = `CREATE TABLE flyway_schema_history (installed_rank int, version text,
  description text, type text, script text, checksum int, installed_by text, installed_on text,
  execution_time int, success boolean);`;
const EDITED_FLYWAY: Pick<Advised, "files" | "before" | "code" | "command"> = {
  files: { "V1__a.sql": TABLE },
  before: (place) =>
    execute(
      place,
      `${TABLE}${FLYWAY_LIKE} INSERT INTO flyway_schema_history VALUES
        (1, '1', 'a', 'SQL', 'V1__a.sql', 7, 'me', '2026-01-01', 1, true)`,
    ),
  command: "adopt",
  code: 2,
};
/** Drizzle has applied the second one and left the first one out. */
const OMITTED: Pick<Advised, "files" | "before" | "code" | "command"> = {
  files: {
    "0000_a.sql": TABLE,
    "0001_c.sql": "CREATE TABLE c (d TEXT);\n",
    "meta/_journal.json": JSON.stringify({
      version: "7",
      entries: [{ idx: 0, tag: "0000_a", when: 1 }, { idx: 1, tag: "0001_c", when: 2 }],
    }),
  },
  before: async (place) => {
    const bytes = new TextEncoder().encode("CREATE TABLE c (d TEXT);\n");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    await execute(
      place,
      `CREATE TABLE c (d TEXT); CREATE TABLE __drizzle_migrations (id integer, hash text, created_at);
      INSERT INTO __drizzle_migrations VALUES (1, '${digest}', 2)`,
    );
  },
  command: "adopt",
  code: 2,
};

export const MORE_OF_DATABASES: readonly Advised[] = [
  {
    title: "tables that no file creates, whose changes are there",
    ...BESIDE_TABLES,
    advice: /run '(baseline --until <file>)', the last file whose/,
    holds: async (place) =>
      assertMatch((await start(place, "migrate")).stdout, /up to date, 1 unchanged/),
  },
  {
    title: "tables that no file creates, beside which files are applied",
    ...BESIDE_TABLES,
    advice: /run '(migrate --yes)'/,
    says: /applied +1\.sql/,
  },
  {
    title: "tables that no file creates, before a run",
    ...BESIDE_TABLES,
    guide: "what-happens-when.md",
    advice: /`(plan --yes)`/,
    says: /1\.sql/,
    after: "",
    holds: async (place) => assertEquals((await start(place, "migrate")).code, 2),
  },
  {
    title: "a file that Drizzle never applied, to be applied",
    ...OMITTED,
    advice: /run with '(--apply <file>)'/,
    value: "0000_a.sql",
    holds: async (place) => {
      assertEquals((await start(place, "status --check")).code, 0);
    },
  },
  {
    title: "a file that Drizzle never applied, to be recorded",
    ...OMITTED,
    advice: /or with '(--skip <file>)'/,
    value: "0000_a.sql",
    after: "status --check",
  },
  {
    title: "a file that was edited after Flyway applied it",
    ...EDITED_FLYWAY,
    advice: /by '(--changed <file>)'/,
    value: "V1__a.sql",
    after: "status --check",
  },
  {
    title: "a file that was recorded, and edited, before its history is adopted",
    files: { "1.sql": TABLE, "2.sql": "CREATE TABLE c (d TEXT);\n" },
    before: async (place) => {
      await start(place, "baseline --until 1.sql");
      await place.write("migrations/main/1.sql", `${TABLE}-- edited\n`);
      await execute(
        place,
        `${TABLE}CREATE TABLE c (d TEXT);
        CREATE TABLE knex_migrations (id integer, name text, batch int, migration_time text);
        INSERT INTO knex_migrations VALUES (1, '1.sql', 1, '2026-01-01'), (2, '2.sql', 1, '2026-01-01')`,
      );
    },
    command: "adopt",
    code: 2,
    advice: /by '(baseline --changed <file>)'/,
    after: "adopt",
  },
  {
    title: "one of two histories, by its table",
    files: { "1.sql": TABLE, "2.sql": "CREATE TABLE c (d TEXT);\n" },
    before: (place) =>
      execute(
        place,
        `${TABLE}CREATE TABLE knex_migrations (id integer, name text, batch int, migration_time text);
        INSERT INTO knex_migrations VALUES (1, '1.sql', 1, '2026-01-01');
        CREATE TABLE schema_migrations (version varchar(128) PRIMARY KEY);
        INSERT INTO schema_migrations VALUES ('1')`,
      ),
    command: "adopt",
    code: 2,
    advice: /or '(--table <name>)'/,
    value: "knex_migrations",
    says: /1 recorded/,
  },
  {
    title: "tables that no file creates, one of which is a history under another name",
    files: { "2.sql": TABLE },
    before: (place) =>
      execute(
        place,
        `${TABLE}CREATE TABLE old_ones (id integer, name text, batch int, migration_time text);
        INSERT INTO old_ones VALUES (1, '1.sql', 1, '2026-01-01')`,
      ),
    code: 2,
    advice: /run '(adopt --table <name>)'/,
    value: "old_ones",
    byHand: (place) => place.write("migrations/main/1.sql", TABLE),
    after: "status",
  },
  {
    title: "types to check without a file",
    files: FILES,
    before: (place) => start(place, "types --out rows.ts"),
    command: "types --check",
    code: 2,
    advice: /'--check' requires '(--out)'/,
    value: "rows.ts",
    after: "types --check --out rows.ts",
  },
  {
    title: "types of an empty and of the live database, the live one",
    files: FILES,
    command: "types --url sqlite:other.db --live",
    code: 2,
    advice: /Expected '--url' or '(--live)', found both/,
    byHand: (place) => start(place, "migrate"),
    to: "types",
    says: /interface/,
  },
  {
    title: "live types of clusters",
    files: FILES,
    before: (place) => start(place, "migrate"),
    command: "types --live -m search",
    code: 2,
    advice: /expected '(-m sql)'/,
    after: "types --live",
  },
  {
    title: "an empty database without a check",
    config: SCHEMA_FILE,
    files: { ...FILES, "/schema.sql": "" },
    before: (place) => start(place, "migrate"),
    command: "schema --format github",
    code: 2,
    advice: /'--format' requires '(--check)'/,
    after: "schema --check",
  },
  {
    title: "the content of a schema file",
    config: SCHEMA_FILE,
    files: FILES,
    command: "schema --check",
    code: 2,
    advice: /and '(schema)' prints its content/,
    byHand: (place) => start(place, "migrate"),
    says: /CREATE TABLE "?a/i,
    holds: async (place, { stdout }) => {
      assertEquals(await Deno.readTextFile(`${place.path}/schema.sql`), stdout);
    },
  },
  {
    title: "a file for one of two connections",
    config: TWO,
    command: "new a",
    code: 2,
    advice: /Expected '(--connection)' to select one/,
    value: "main",
    says: /migrations\/main\/.*_a\.sql/,
    after: "",
  },
  {
    title: "both ends of a record",
    files: FILES,
    command: "baseline --until 1.sql --changed 1.sql",
    code: 2,
    guide: "migrations.md",
    advice: /`(baseline --until <file>)`/,
    after: "status --check",
  },
  ...[["up", "migrate"], ["info", "status"], ["planm", "plan"]].map(([word, name]): Advised => ({
    title: `the word '${word}'`,
    files: FILES,
    command: word,
    code: 2,
    advice: new RegExp(`(?:Use '|Did you mean )(${name})`),
  })),
  {
    title: "the word 'repair'",
    files: FILES,
    before: async (place) => {
      await start(place, "migrate");
      await place.write("migrations/main/1.sql", `${TABLE}-- edited\n`);
    },
    command: "repair",
    code: 2,
    advice: /'(baseline --changed)' for an edited one/,
    value: "1.sql",
  },
  {
    title: "the name of a tenant",
    config: TENANTS,
    files: FILES_OF_TENANTS,
    command: "migrate --only initech",
    code: 2,
    advice: /'(status)' lists them/,
    says: /acme[^]*globex/,
  },
  {
    title: "an empty list of tenants",
    config: TENANTS,
    files: FILES_OF_TENANTS,
    command: "status",
    guide: "tenants.md",
    advice: /`(--only acme,globex)`/,
    says: /2 tenants/,
  },
  {
    title: "an interrupted file of one tenant",
    config: TENANTS,
    files: {
      "/acme.db": "",
      "/globex.db": "",
      "0007_orders.sql": `-- irori: no-transaction\n${TABLE}SELEKT 1;\n`,
    },
    before: (place) => start(place, "migrate"),
    guide: "tenants.md",
    advice: /`(?:irori )?(resolve 0007_orders\.sql --applied --only globex)`/,
    after: "migrate --only globex",
    holds: async (place) => assertEquals((await start(place, "migrate --only acme")).code, 9),
  },
  ...["migrate", "plan", "baseline"].map((command): Advised => ({
    title: `an interrupted file of one tenant, by '${command}'`,
    config: TENANTS,
    files: {
      "/acme.db": "",
      "/globex.db": "",
      "0007_orders.sql": `-- irori: no-transaction\n${TABLE}SELEKT 1;\n`,
    },
    before: (place) => start(place, "migrate"),
    command,
    code: 9,
    advice: /(resolve 0007_orders\.sql --applied --only globex --connection main) {3}/,
    after: "migrate --only globex",
    holds: async (place) => assertEquals((await start(place, "migrate --only acme")).code, 9),
  })),
  ...["schedules-schema", "idempotency-schema"].map((name): Advised => ({
    title: `the table of ${name}`,
    guide: name === "schedules-schema" ? "recurring-jobs.md" : "idempotency.md",
    advice: new RegExp(`\`irori (new ${name})\``),
    holds: async (place) => {
      assertMatch((await start(place, "schema")).stdout, /^$/);
      assertMatch((await start(place, `new ${name}`)).stderr, /Nothing to write/);
    },
  })),
  {
    title: "a file that was deleted after a run stopped in it",
    files: { "1.sql": `-- irori: no-transaction\n${TABLE}SELEKT 1;\n` },
    before: async (place) => {
      await start(place, "migrate");
      await place.remove("migrations/main/1.sql");
      await place.write("migrations/main/2.sql", "CREATE TABLE c (d TEXT);\n");
    },
    advice: /'(resolve 1\.sql --retry)' ends this notice/,
    holds: async (place) => assertEquals((await start(place, "migrate")).stderr, ""),
  },
  {
    title: "a check in CI",
    files: FILES,
    guide: "migrations.md",
    advice: /`(status)` +\| shows the status/,
    value: "--check",
    ends: 4,
    holds: async (place) => assertEquals((await start(place, "status --check")).code, 0),
  },
  {
    title: "findings in two formats",
    files: FILES,
    command: "validate --json --format github",
    code: 2,
    advice: /expected '(--json)' or '--format', found both/,
    to: "validate",
    says: /^\{/,
  },
  {
    title: "an edited file with 'on_change: fail'",
    files: FILES,
    config: CONFIG.replace("true }", "true, on_change: fail }"),
    guide: "sql-migrations.md",
    advice: /accept it by `(baseline --changed <file>)`/,
    before: async (place) => {
      await start(place, "migrate");
      await place.write("migrations/main/1.sql", `${TABLE}-- edited\n`);
    },
  },
  {
    title: "drift by hand",
    files: FILES,
    before: async (place) => {
      await start(place, "migrate");
      await execute(place, "ALTER TABLE a ADD COLUMN c INT");
    },
    guide: "sql-schema.md",
    advice: /`(?:irori )?(drift)`/,
    ends: 5,
    says: /\bc INT/,
  },
  {
    title: "help for a command",
    guide: "troubleshooting.md",
    advice: /`irori (--help)`/,
    command: "help",
    says: /Usage: irori/,
    after: "help adopt",
  },
];
