/** An option of the command line. */
export interface OptionSyntax {
  /** Without its dashes. */
  readonly name: string;
  /** Its letter. */
  readonly short?: string;
  /** Other spellings of the name, which are not shown. */
  readonly aliases?: readonly string[];
  /** What its value is, for people; a flag has none. */
  readonly value?: string;
  /** What it is for. */
  readonly description: string;
  /** The values that it may have. */
  readonly choices?: readonly string[];
  /** Its value where it is not given. */
  readonly fallback?: string;
  /** Whether the value is a time, which is given in seconds. */
  readonly isTime?: boolean;
}

/** A command of the command line. */
export interface CommandSyntax {
  readonly name: CommandName;
  /** The operands after its name: `<name>` has to be there, `[name]` may, the last may be several: `<name...>`. */
  readonly operands?: readonly string[];
  /** What it does. */
  readonly description: string;
  /** Those that other commands do not take. */
  readonly options?: readonly OptionSyntax[];
  /** Arguments, and what they do. */
  readonly examples: readonly (readonly [args: string, meaning: string])[];
  /** What stands below the examples. */
  readonly epilogue?: string;
}

/** The names of commands. */
export type CommandName =
  | "migrate"
  | "status"
  | "plan"
  | "validate"
  | "schema"
  | "drift"
  | "baseline"
  | "adopt"
  | "convert"
  | "resolve"
  | "prune"
  | "pull"
  | "new"
  | "scan"
  | "routes"
  | "openapi"
  | "contract"
  | "help";

/** The command that runs where none is named. */
export const DEFAULT_COMMAND: CommandName = "migrate";

/** Options that every command takes. A name means the same option everywhere. */
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
    description: "folder with a folder of migrations per connection",
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
    name: "verbose",
    short: "v",
    description: "also say which files are ignored, and what was added",
  },
  { name: "json", description: "print one result document on stdout" },
  {
    name: "lock-timeout",
    value: "time",
    description: "how long to wait for another run (60s)",
    isTime: true,
  },
  {
    name: "wait",
    value: "time",
    description: "how long to wait for a server to come up, such as 60s",
    isTime: true,
  },
  { name: "help", short: "h", description: "print this help" },
];

const ROUTES = `
Imports the modules below the folders of 'component-scan' and reads what their controllers declare. No bean is made and
nothing is started; controllers that are registered by code alone are not seen.
`;

const ACCESS = `
'default' is said by the options of security(): closed, unless they say otherwise.
`;

const SCHEMA = `
The schema of PostgreSQL is read by 'pg_dump', of MySQL and MariaDB by 'mariadb-dump' or 'mysqldump', which have to be on
PATH; of SQLite by irori itself. '--check' connects to no database of the configuration.
`;

const COMPONENTS = `
Reads the folders of 'component-scan' and writes <root>/components.gen.ts: static imports of the classes that are
exported from there with @RestController, @ControllerAdvice, @Component, @Service or @Configuration, and the
configuration with its placeholders as they are. No module is run.

  import { env } from "cloudflare:workers";
  import { components, config } from "./components.gen.ts";
  export default await bootstrap({ components, config, env });
`;

const ADOPTED = `
Known are Flyway, dbmate, golang-migrate, node-pg-migrate, knex, Prisma, and with '-m search' elasticsearch-evolution.
All of a connection is recorded or nothing; a file that is not what the tool has applied is refused, as far as the
tool has a checksum. Its own table or index stays as it is.
`;

const PULLED = `
Kinds: repositories, cluster-settings, scripts, pipelines, search-pipelines, components, templates, policies, snapshots,
data-streams, action-groups, tenants, roles, users, role-mappings. What clusters and plugins have made themselves is left
out, and so are indices: they are data. A user's password cannot be read: its file has a placeholder for it.
`;

const CONVERTED = `
Reads OpenSearchISMPolicy, OpensearchIndexTemplate, OpensearchComponentTemplate, OpensearchSnapshotPolicy, OpensearchRole,
OpensearchUser, OpensearchUserRoleBinding, OpensearchActionGroup and OpensearchTenant of 'opensearch.org/v1' and
'opensearch.opster.io/v1'. Asks no cluster, and no configuration where --connection or --out says what it writes to.
Either all files are written or, where anything cannot be converted, none.
`;

const API_VERSION: OptionSyntax = {
  name: "api-version",
  value: "version",
  description: "which version of the API is described, where a header of requests says it",
};

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandSyntax[] = [
  {
    name: "migrate",
    description: "apply what is new or changed (the default)",
    options: [
      {
        name: "no-wait",
        description: "do not follow what goes on in the background of a cluster to its end",
      },
      {
        name: "yes",
        description:
          "agree to what 'plan' says wants it (search): indices that a policy deletes at once, a lock-out",
      },
    ],
    examples: [
      ["migrate -c config --sqlPath migrations", "apply SQL migrations"],
      ["migrate -m search --wait 60s", "apply search migrations, once the cluster is up"],
    ],
  },
  {
    name: "status",
    description: "tell where each file stands",
    options: [
      { name: "check", description: "exit with 4 when anything is pending or changed" },
    ],
    examples: [
      ["status -m search --check", "exit with 4 when there is something to apply"],
    ],
  },
  {
    name: "plan",
    description: "print what 'migrate' would send, and how live resources differ",
    examples: [
      ["plan -m search --connection logs", "what would be sent, for connection 'logs'"],
    ],
  },
  {
    name: "validate",
    description: "check the files, without a request",
    examples: [["validate -m search", "check the files where no cluster is at hand"]],
  },
  {
    name: "schema",
    description:
      "print the schema of a database, or compare what the files give with its file (sql)",
    options: [
      {
        name: "check",
        description:
          "apply all files to an empty database; exit with 5 when its schema is not that of 'schema_file'",
      },
      {
        name: "url",
        value: "url",
        description: "of an empty database to apply them to, instead of one in this process",
      },
    ],
    examples: [
      ["schema > db/schema.sql", "the schema of the live database"],
      ["schema --check", "in memory: SQLite, and PGlite for PostgreSQL"],
      ["schema --check --url mysql://ci/empty", "on a server, as MySQL needs it"],
    ],
    epilogue: SCHEMA,
  },
  {
    name: "drift",
    description: "compare live resources with what was applied (search)",
    examples: [["drift -m search --json", "what was changed by hand, as a document"]],
  },
  {
    name: "baseline",
    description: "record files as applied without applying them",
    options: [
      { name: "until", value: "file", description: "only files up to this one, and itself" },
      {
        name: "changed",
        value: "file",
        description: "only this one, edited after it was applied, as it is now",
      },
    ],
    examples: [
      ["baseline --connection main", "take over a database that has all files already"],
      ["baseline --until 2026/0042_orders.sql", "take over one that has the first files"],
      ["baseline --changed 0007_fix.sql", "accept an edit without applying it"],
    ],
  },
  {
    name: "adopt",
    description: "record what another tool of migrations has applied",
    options: [
      { name: "dry-run", description: "only say what would be recorded" },
      {
        name: "from",
        value: "tool",
        description: "whose history is meant; 'none': none of the files here belongs to one",
      },
      {
        name: "write",
        description: "instead: rewrite files of other tools, without asking a server",
      },
    ],
    examples: [
      ["adopt --write", "cut the way down out of files of dbmate, goose, node-pg-migrate"],
      ["adopt --dry-run", "which row of the history is which file"],
      ["adopt -m search", "take over the history of elasticsearch-evolution"],
    ],
    epilogue: ADOPTED,
  },
  {
    name: "convert",
    operands: ["<file...>"],
    description:
      "write files for resources of the OpenSearch Kubernetes operator (search); '-' is standard input",
    options: [
      {
        name: "out",
        value: "dir",
        description: "write below this folder, not that of a connection",
      },
      {
        name: "cluster",
        value: "name",
        description: "only resources of this 'opensearchCluster', or of <namespace>/<name>",
      },
      { name: "dry-run", description: "print the files, and write none" },
      { name: "yes", description: "replace files that are there with other content" },
    ],
    examples: [
      ["convert k8s/*.yaml --connection logs", "migrations/logs/84-roles/reader-role.json, …"],
      ["convert users.yaml --connection logs --dry-run", "what would be written"],
    ],
    epilogue: CONVERTED,
  },
  {
    name: "resolve",
    operands: ["<file>"],
    description: "say what became of a file that a run was cut off in",
    options: [
      { name: "applied", description: "it was applied" },
      {
        name: "retry",
        description:
          "it was not, or a secret in it has changed (search): the next run applies it, " +
          "or goes on with it",
      },
      { name: "abandon", description: "undo what it has made (search): a copy of an index" },
      { name: "cancel", description: "end the statement that the server still runs of it (sql)" },
    ],
    examples: [
      ["resolve 2026/alias.json --retry -m search", "let the next run apply it"],
      ["resolve orders.json --abandon -m search", "delete the copy, and let writers go on"],
      ["resolve 0042_orders.sql --cancel", "end what a run that was killed has left running"],
    ],
  },
  {
    name: "prune",
    description: "delete the old indices that live reindex has left (search)",
    options: [{ name: "yes", description: "delete without a question" }],
    examples: [
      ["prune -m search", "list them, and ask before they are deleted"],
      ["prune -m search --yes", "delete them where nobody can be asked"],
    ],
  },
  {
    name: "pull",
    description: "write files for what is live on a cluster (search)",
    options: [
      { name: "kinds", value: "names", description: "only these, separated by commas" },
      {
        name: "match",
        value: "glob",
        description: "only what has such a name: '*' is any text, '?' a character",
      },
      { name: "baseline", description: "also record the files as applied" },
      { name: "dry-run", description: "only say what would be written" },
      { name: "yes", description: "replace files that have other content" },
    ],
    examples: [
      ["pull -m search --connection logs --dry-run", "which files there would be"],
      ["pull -m search --connection logs --baseline", "take over what is there"],
      ["pull -m search --kinds roles,role-mappings --match 'app-*'", "some of it"],
    ],
    epilogue: PULLED,
  },
  {
    name: "new",
    operands: ["<name>"],
    description: "write a dated file to start from",
    options: [
      {
        name: "rollover",
        description: "a request that starts the next index of a series (search)",
      },
    ],
    examples: [
      ["new add-users", "migrations/<connection>/<date>_add-users.sql"],
      ["new logs --rollover -m search", "POST /logs/_rollover, of an alias or a data stream"],
    ],
  },
  {
    name: "scan",
    description: "write components.gen.ts, which edge isolates take instead of a component scan",
    options: [
      {
        name: "check",
        description: "write nothing; exit with 4 when the file is not what it would be",
      },
    ],
    examples: [
      ["scan", "write components.gen.ts beside the folder 'config'"],
      ["scan -c . --check", "exit with 4 when classes or configuration changed since"],
    ],
    epilogue: COMPONENTS,
  },
  {
    name: "routes",
    description: "print the routes of the controllers, and who may call them",
    examples: [
      ["routes", "method, path, handler, and who may call it"],
      ["routes --json", "the same as data"],
    ],
    epilogue: ACCESS + ROUTES,
  },
  {
    name: "openapi",
    description: "print the OpenAPI document of the controllers",
    options: [API_VERSION],
    examples: [["openapi > openapi.json", "the document without a server"]],
    epilogue: ROUTES,
  },
  {
    name: "contract",
    operands: ["[file]"],
    description: "print what a typed client needs to know of the controllers",
    options: [
      {
        name: "against",
        value: "file",
        description:
          "an older OpenAPI document: exit with 5 when the controllers, or <file>, would break its clients",
      },
      API_VERSION,
    ],
    examples: [
      ["contract > contract.ts", "for client() of '@irori/irori/client'"],
      ["contract --against openapi.json", "what would break clients of that document"],
      ["contract new.json --against old.json -v", "two documents, additions as well"],
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
