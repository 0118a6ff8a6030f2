import { PARTS, TARGETS } from "./bundles.ts";
import type { WORKED_EXAMPLES } from "./worked_examples.ts";

export interface OptionSyntax {
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  readonly value?: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
  readonly isList?: boolean;
  readonly isTime?: boolean;
}

export interface CommandSyntax {
  readonly name: CommandName;
  /** Operands: `<name>` is required, `[name]` is optional, `<name...>` takes one or more. */
  readonly operands?: readonly string[];
  readonly description: string;
  readonly options?: readonly OptionSyntax[];
  readonly examples: readonly (readonly [args: string, meaning: string])[];
  readonly epilogue?: string;
}

export type CommandName = keyof typeof WORKED_EXAMPLES;

export const DEFAULT_COMMAND: CommandName = "migrate";

export const OPTIONS: readonly OptionSyntax[] = [
  { name: "version", short: "V", description: "print the version" },
  {
    name: "config",
    short: "c",
    value: "dir",
    description: "directory of the configuration",
    fallback: "config",
  },
  {
    name: "sqlPath",
    aliases: ["sql-path"],
    value: "dir",
    description: "folder with one subfolder of migrations per connection",
    fallback: "migrations",
  },
  {
    name: "type",
    short: "m",
    value: "type",
    description: "kind of migrations",
    choices: ["sql", "search"],
    fallback: "sql",
  },
  { name: "connection", value: "name", description: "only this connection" },
  {
    name: "only",
    value: "names",
    description: "only these tenants of 'migrations.each', separated by commas (sql)",
  },
  {
    name: "verbose",
    short: "v",
    description: "also list ignored files and additions",
  },
  { name: "json", description: "print one JSON document on stdout" },
  {
    name: "lock-timeout",
    value: "time",
    description: "how long to wait for another run (60s)",
    isTime: true,
  },
  {
    name: "wait",
    value: "time",
    description: "how long to wait for a server to start, such as 60s",
    isTime: true,
  },
  { name: "help", short: "h", description: "print this help" },
];

const ROUTES = `
Imports the modules below the folders of 'component-scan' and reads the declarations of their controllers. Creates no
bean and starts nothing; controllers that only code registers are not included.
`;

const ACCESS = `
'default' is the access that the options of security() configure; without options it is closed.
`;

const SCHEMA = `
Reads PostgreSQL with 'pg_dump', MySQL and MariaDB with 'mariadb-dump' or 'mysqldump', which must be on PATH, and SQLite
without another program. '--check' does not connect to a configured database.
`;

const TYPES = `
Describes rows as 'pg', 'mysql2' and 'node:sqlite' return them by default, for PGlite as PGlite does, and 'Database' for
Kysely. Applies the files to an empty database: SQLite or PGlite in this process, or the one at '--url', which MySQL and
MariaDB need. With '-m search' it reads the files alone. 'migrations.drift_ignore' names tables that are left out.
`;

const DRIFT = `
Writes nothing. A database is compared with 'migrations.schema_file' if all files are applied, or else with the schema
that the applied files give an empty database: in SQLite or PGlite in this process, or at '--url', which MySQL and MariaDB
need. 'migrations.drift_ignore' names objects that are left out.
`;

const COMPONENTS = `
Reads the folders of 'component-scan' and writes <root>/components.gen.ts: static imports of the classes that are
exported from there with @RestController, @ControllerAdvice, @Component, @Service or @Configuration, and the
configuration with unresolved placeholders. Runs no module.

  import { env } from "cloudflare:workers";
  import { components, config } from "./components.gen.ts";
  export default await bootstrap({ components, config, env });
`;

const ADOPTED = `
Supports Flyway, dbmate, golang-migrate, node-pg-migrate, knex, Prisma, Drizzle, Supabase, goose, sqlx, Kysely, MikroORM,
and with '-m search' elasticsearch-evolution. Records all files of a connection or none. Refuses a file that differs from
what the tool applied, if the tool stores a checksum. Does not change the table or index of the tool.
`;

const PULLED = `
Kinds: repositories, cluster-settings, scripts, pipelines, search-pipelines, components, templates, policies, snapshots,
data-streams, action-groups, tenants, roles, users, role-mappings. Leaves out resources that the cluster or a plugin
created, and indices, because they are data. A user's password cannot be read: its file contains a placeholder.
`;

const CONVERTED = `
Reads OpenSearchISMPolicy, OpensearchIndexTemplate, OpensearchComponentTemplate, OpensearchSnapshotPolicy, OpensearchRole,
OpensearchUser, OpensearchUserRoleBinding, OpensearchActionGroup and OpensearchTenant of 'opensearch.org/v1' and
'opensearch.opster.io/v1'. Connects to no cluster, and reads no configuration when --connection or --out names the
target. Writes all files, or none if anything cannot be converted.
`;

const FORMAT: OptionSyntax = {
  name: "format",
  value: "format",
  description: "print findings on stdout for a CI service, and the text on stderr",
  choices: ["github", "gitlab", "sarif", "markdown"],
};

const API_VERSION: OptionSyntax = {
  name: "api-version",
  value: "version",
  description: "API version to describe, when requests name it in a header",
};

const JOBS = `
Actions: list, retry, cancel. 'retry' and 'cancel' take ids, or '--job' for all of a name. A job that runs while it is
cancelled is aborted within half of its lease, and rolled back.
`;

const BUNDLE = `
For an edge isolate, parts of the library that no module of the application mentions are left out:
${PARTS.join(", ")}. What needs a missing part after all fails with a
message that names it; '--with' keeps it. Needs the package 'esbuild'. A bundle has no folders to scan: import the
components from components.gen.ts, which 'irori scan' writes.
`;

export const COMMANDS: readonly CommandSyntax[] = [
  {
    name: "migrate",
    description: "apply new and changed files (the default)",
    options: [
      {
        name: "no-wait",
        description: "do not wait for background tasks of the cluster (search)",
      },
      {
        name: "yes",
        description:
          "confirm the dangerous changes that 'plan' lists (search): deletions by a policy, a lock-out; " +
          "apply files beside tables that no file creates (sql)",
      },
    ],
    examples: [
      ["migrate -c config --sqlPath migrations", "apply SQL migrations"],
      ["migrate -m search --wait 60s", "wait for the cluster, then apply search migrations"],
      ["migrate --only acme,globex", "migrate two tenants of 'migrations.each'"],
    ],
  },
  {
    name: "status",
    description: "show the status of each file",
    options: [
      { name: "check", description: "exit with 4 if files are pending or changed" },
      FORMAT,
    ],
    examples: [
      ["status -m search --check", "exit with 4 if there is something to apply"],
    ],
  },
  {
    name: "plan",
    description: "print what 'migrate' would send, and the differences from live resources",
    options: [
      { name: "yes", description: "plan files beside tables that no file creates (sql)" },
      FORMAT,
    ],
    examples: [
      ["plan -m search --connection logs", "show what connection 'logs' would receive"],
      ["plan --format markdown > plan.md", "write a summary for a review"],
    ],
  },
  {
    name: "validate",
    description: "check the files without connecting to a server",
    options: [FORMAT],
    examples: [
      ["validate -m search", "check search migrations, for example in CI"],
      ["validate --format github", "annotate the lines of a pull request"],
    ],
  },
  {
    name: "schema",
    description:
      "print the schema of a database, or check that the files produce the recorded schema (sql)",
    options: [
      {
        name: "check",
        description:
          "apply all files to an empty database; exit with 5 if its schema differs from 'schema_file'",
      },
      {
        name: "url",
        value: "url",
        description: "empty database to use, instead of one in this process",
      },
      FORMAT,
    ],
    examples: [
      ["schema > db/schema.sql", "save the schema of the live database"],
      ["schema --check", "use SQLite, or PGlite for PostgreSQL, in memory"],
      ["schema --check --url mysql://ci/empty", "use a server, which MySQL requires"],
    ],
    epilogue: SCHEMA,
  },
  {
    name: "types",
    description: "print TypeScript types of rows (sql) or documents (search)",
    options: [
      { name: "out", value: "path", description: "write them to this file instead" },
      { name: "check", description: "write nothing; exit with 4 if the file is stale" },
      {
        name: "url",
        value: "url",
        description: "empty database to apply the files to, instead of one in this process (sql)",
      },
      { name: "live", description: "read the database of the connection instead (sql)" },
    ],
    examples: [
      ["types --out src/database.ts", "write the types of tables and views"],
      ["types --out src/database.ts --check", "exit with 4 if the file is stale, in CI"],
      ["types --live --connection main > main.ts", "describe the live database"],
      ["types -m search --out src/documents.ts", "write the types of documents"],
    ],
    epilogue: TYPES,
  },
  {
    name: "drift",
    description: "compare live resources with the applied files",
    options: [
      {
        name: "url",
        value: "url",
        description: "empty database to apply the files to, instead of one in this process",
      },
      FORMAT,
    ],
    examples: [
      ["drift", "show how the schema of each database differs"],
      ["drift -m search --json", "list manual changes of a cluster as JSON"],
    ],
    epilogue: DRIFT,
  },
  {
    name: "baseline",
    description: "record files as applied without applying them",
    options: [
      { name: "until", value: "file", description: "only files up to and including this one" },
      {
        name: "changed",
        value: "file",
        description: "only this file: accept its current content, edited after it was applied",
      },
    ],
    examples: [
      ["baseline --connection main", "for a database that already has all changes"],
      ["baseline --until 2026/0042_orders.sql", "for a database that has the first changes"],
      ["baseline --changed 0007_fix.sql", "accept an edited file without applying it"],
    ],
  },
  {
    name: "adopt",
    description: "import the history of another migration tool",
    options: [
      { name: "dry-run", description: "only print what would be recorded" },
      {
        name: "from",
        value: "tool",
        description: "the tool whose history to import; 'none' if no file belongs to a tool",
        choices: [
          ...["flyway", "dbmate", "golang-migrate", "node-pg-migrate", "knex", "prisma"],
          ...["drizzle", "supabase", "goose", "sqlx", "sql-migrate", "kysely", "mikro-orm"],
          ...["elasticsearch-evolution", "none"],
        ],
      },
      {
        name: "table",
        value: "name",
        description: "the table of that history, if it has another name",
      },
      {
        name: "apply",
        value: "file",
        description: "leave this file pending, which the tool never applied; repeatable",
        isList: true,
      },
      {
        name: "skip",
        value: "file",
        description: "record this file, which the tool never applied; repeatable",
        isList: true,
      },
      {
        name: "changed",
        value: "file",
        description: "accept the current content of this edited file; repeatable",
        isList: true,
      },
      {
        name: "write",
        description: "rewrite files of other tools instead, without connecting to a server",
      },
    ],
    examples: [
      ["adopt --write", "remove the down sections from files of dbmate, node-pg-migrate"],
      ["adopt --dry-run", "show which file each row of the history matches"],
      ["adopt --skip 0007_a.sql", "record a file that Drizzle never applied"],
      ["adopt -m search", "import the history of elasticsearch-evolution"],
    ],
    epilogue: ADOPTED,
  },
  {
    name: "convert",
    operands: ["<file...>"],
    description:
      "write files for resources of the OpenSearch Kubernetes operator (search); '-' reads stdin",
    options: [
      {
        name: "out",
        value: "path",
        description: "write to this folder instead of a connection's",
      },
      {
        name: "cluster",
        value: "name",
        description: "only resources of this 'opensearchCluster', or of <namespace>/<name>",
      },
      { name: "dry-run", description: "print the files without writing them" },
      { name: "yes", description: "replace existing files with other content" },
    ],
    examples: [
      ["convert k8s/*.yaml --connection logs", "migrations/logs/84-roles/reader-role.json, …"],
      ["convert users.yaml --connection logs --dry-run", "show what would be written"],
    ],
    epilogue: CONVERTED,
  },
  {
    name: "resolve",
    operands: ["<file>"],
    description: "resolve an interrupted migration",
    options: [
      { name: "applied", description: "record it as applied" },
      {
        name: "retry",
        description:
          "the next run applies or continues it; also after a secret in it has changed (search)",
      },
      { name: "abandon", description: "delete the unfinished copy of an index (search)" },
      { name: "cancel", description: "cancel the statement that the server still runs (sql)" },
    ],
    examples: [
      ["resolve 2026/alias.json --retry -m search", "the next run applies it"],
      ["resolve orders.json --abandon -m search", "delete the copy and unblock writes"],
      ["resolve 0042_orders.sql --cancel", "cancel the statement of a killed run"],
    ],
  },
  {
    name: "prune",
    description: "delete the old indices that live reindex kept (search)",
    options: [{ name: "yes", description: "skip the prompt" }],
    examples: [
      ["prune -m search", "list them and prompt"],
      ["prune -m search --yes", "delete them without a terminal, for example in CI"],
    ],
  },
  {
    name: "pull",
    description: "write files for the live resources of a cluster (search)",
    options: [
      { name: "kinds", value: "names", description: "only these kinds, separated by commas" },
      {
        name: "match",
        value: "glob",
        description: "only matching names: '*' is any text, '?' one character",
      },
      { name: "baseline", description: "also record the files as applied" },
      { name: "dry-run", description: "only print what would be written" },
      { name: "yes", description: "replace files that have other content" },
    ],
    examples: [
      ["pull -m search --connection logs --dry-run", "show which files would be written"],
      ["pull -m search --connection logs --baseline", "write the files and record them"],
      ["pull -m search --kinds roles,role-mappings --match 'app-*'", "only some resources"],
    ],
    epilogue: PULLED,
  },
  {
    name: "new",
    operands: ["<name>"],
    description: "create a migration file with a date in its name",
    options: [
      {
        name: "rollover",
        description: "create a request that rolls over to the next index (search)",
      },
    ],
    examples: [
      ["new add-users", "migrations/<connection>/<date>_add-users.sql"],
      [
        "new schedules-schema",
        "the table for @Scheduled; 'idempotency-schema' that for keys of requests",
      ],
      ["new jobs-schema", "the schema for @Job, or what a newer 'pg-boss' changes in it"],
      ["new logs --rollover -m search", "POST /logs/_rollover for an alias or a data stream"],
    ],
  },
  {
    name: "jobs",
    operands: ["<action>", "[id...]"],
    description: "list, retry or cancel background jobs (PostgreSQL)",
    options: [
      { name: "job", value: "name", description: "only jobs of this name" },
      {
        name: "state",
        value: "state",
        description: "only jobs in this state (list)",
        choices: ["waiting", "retrying", "running", "completed", "cancelled", "failed"],
      },
      { name: "limit", value: "number", description: "how many to list, the newest first (50)" },
      { name: "dry-run", description: "only print what would be changed" },
    ],
    examples: [
      ["jobs list", "jobs that wait, run or have failed"],
      ["jobs list --job send-webhook --state failed", "with the error of each last run"],
      ["jobs retry 0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11", "run a failed job once more"],
      ["jobs retry --job send-webhook --dry-run", "show which failed jobs would run"],
      ["jobs cancel --job send-webhook", "jobs of this name that have not ended"],
    ],
    epilogue: JOBS,
  },
  {
    name: "scan",
    description: "write components.gen.ts, which replaces the component scan on edge isolates",
    options: [
      {
        name: "check",
        description: "write nothing; exit with 4 if the file is stale",
      },
    ],
    examples: [
      ["scan", "write components.gen.ts beside the folder 'config'"],
      ["scan -c . --check", "exit with 4 if classes or configuration have changed"],
    ],
    epilogue: COMPONENTS,
  },
  {
    name: "build",
    operands: ["<entry>"],
    description: "bundle an application and its packages into one minified file",
    options: [
      {
        name: "target",
        value: "target",
        description: "what runs the bundle",
        choices: Object.keys(TARGETS),
        fallback: "edge",
      },
      { name: "out", value: "path", description: "folder of the bundle (dist)" },
      { name: "with", value: "parts", description: "parts to keep in any case: xml,versions" },
      {
        name: "external",
        value: "names",
        description: "packages to leave in node_modules: pg,zod",
      },
      { name: "dry-run", description: "only print the size" },
    ],
    examples: [
      ["build worker.ts", "dist/worker.js for an edge isolate"],
      ["build main.ts --target node", "dist/main.js for Node"],
    ],
    epilogue: BUNDLE,
  },
  {
    name: "routes",
    description: "print the routes of the controllers and their access rules",
    options: [
      {
        name: "explain",
        description: "show which routes are on the fast path, or why they are not",
      },
    ],
    examples: [
      ["routes", "method, path, handler and access rule"],
      ["routes --json", "the same as JSON"],
    ],
    epilogue: ACCESS + ROUTES,
  },
  {
    name: "openapi",
    description: "print the OpenAPI document of the controllers",
    options: [API_VERSION],
    examples: [["openapi > openapi.json", "write the document without starting a server"]],
    epilogue: ROUTES,
  },
  {
    name: "contract",
    operands: ["[file]"],
    description: "print the contract that a typed client uses, or compare two versions of the API",
    options: [
      {
        name: "against",
        value: "file",
        description:
          "older OpenAPI document: exit with 5 if the controllers, or <file>, would break its clients",
      },
      API_VERSION,
      FORMAT,
    ],
    examples: [
      ["contract > contract.ts", "write the contract for client() of '@irori/irori/client'"],
      ["contract --against openapi.json", "list changes that break clients of this document"],
      ["contract new.json --against old.json -v", "compare two documents, list additions too"],
    ],
    epilogue: ROUTES,
  },
  {
    name: "help",
    operands: ["[command]"],
    description: "print the help of a command",
    examples: [],
  },
];

/** `-c, --config <dir>`. */
export function synopsisOf({ name, short, value }: OptionSyntax): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` <${value}>`}`;
}
