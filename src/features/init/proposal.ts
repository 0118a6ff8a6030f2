import { join } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Place, Project } from "./projects.ts";
import type { Setting } from "./settings.ts";

/** A configuration for a project, without any secret. */
export interface Proposal {
  readonly text: string;
  readonly program: string;
  /** The variables to set before a run. */
  readonly unset: ReadonlyMap<string, Unset>;
}

/** Where the value is, and the value itself where the project has it. */
type Unset = readonly [source: string, value: string | undefined];

/** Parameters that Prisma alone understands. */
const OF_PRISMA =
  /(?<=[?&])(?:connection_limit|pool_timeout|pgbouncer|socket_timeout)=[^&]*(?:&|$)/g;
const SECRET = /:\/\/[^/@?#]*:[^/?#]*@|[?&;](?:pass\w*|pwd|\w*token)=/i;
/** YAML reads other texts as a number, a date, `true` or `null`, or not at all. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z/$_][\w./${}:@?=&%+-]*\w\}?$/i;
const scalar = (text: string) => PLAIN.test(text) ? text : JSON.stringify(text);

/** How a command is run, the same with the values of `.env`, and the command that this needs. A shell would read `&` and `$` in a URL. */
const PROGRAMS = {
  node: ["npx irori", "node --env-file=.env node_modules/irori/bin.js", "npm install irori && "],
  bun: ["bunx irori", "bunx irori", ""],
  deno: ["deno run -A jsr:@irori/irori/cli", "deno run --env-file -A jsr:@irori/irori/cli", ""],
} as const;

export function proposalFor(
  project: Project,
  place: Place,
  { env, name: runtime }: Pick<Runtime, "env" | "name">,
): Proposal {
  const [plain, reader, install] = PROGRAMS[runtime];
  const inDotEnv = `it is in '.env', which '${reader} <command>' reads`;
  const unset = new Map<string, Unset>();
  const placeholder = (name: string, value: string | undefined, source: string) => {
    if (env.get(name) === undefined) unset.set(name, [source, value]);
    return `\${${name}}`;
  };
  const standIn = ({ text, variable }: Setting, other: string, title: string) => {
    const name = variable ?? other;
    const value = text ?? place.variable(name);
    const known = text ? `the ${title} in '${file}'` : inDotEnv;
    return placeholder(name, value, value ? known : `the ${title} of the database`);
  };
  const { bindings, folder, user, password, file, tool, url = { unread: "url" } } = project;
  const addressOf = (): string => {
    const { text, variable: name = "DATABASE_URL" } = url;
    const value = text ?? place.variable(name) ?? "";
    const path = pathOf(value, project);
    if (path !== undefined) return path;
    const fitting = tool === "prisma" ? withoutPrisma(value) : value;
    if (text && !SECRET.test(fitting)) return fitting;
    if (!text && fitting === value) return standIn(url, name, "URL");
    const change = fitting === value ? "" : ", its parameters without those of Prisma";
    const source = `the URL in ${text ? `'${file}'` : name}${change}`;
    return placeholder(text && !env.get(name) ? name : "MIGRATIONS_URL", fitting, source);
  };
  const entries = bindings?.map((binding) => {
    return { name: bindings.length > 1 ? binding.toLowerCase() : "main", url: `d1:${binding}` };
  }) ?? [{ name: "main", url: addressOf() }];
  const username = user?.text ? scalar(user.text) : user && standIn(user, "FLYWAY_USER", "user");
  const lines = entries.flatMap(({ name, url }) => [
    `  - name: ${scalar(name)}`,
    `    url: ${scalar(url)}`,
    ...username ? [`    username: ${username}`] : [],
    ...password ? [`    password: ${standIn(password, "FLYWAY_PASSWORD", "password")}`] : [],
    "    migrations:",
    "      enabled: true",
    ...folder ? [`      folder: ${scalar(folder)}`] : [],
    "      # lint_from: the first file after 'adopt'; earlier ones are not linted",
  ]).map((line) => entries.length > 1 ? line : line.replace(/^ {2}(?:- | {2})/, "  "));
  const program = [...unset.values()].flat().includes(inDotEnv) ? `${install}${reader}` : plain;
  return { text: `datasource:\n${lines.join("\n")}\n`, program, unset };
}

/** The URL of a file of SQLite, which no server has. */
function pathOf(value: string, { base = "." }: Project): string | undefined {
  const [, path] = /^(?:file:(?:\/\/(?=\/))?)?([^:?#]+)(?:\?.*)?$/.exec(value) ?? [];
  return path && `sqlite:${path.startsWith("/") ? path : join(base, path)}`;
}

function withoutPrisma(value: string): string {
  return value.replace(OF_PRISMA, "").replace(/(?<=[?&])schema=/, "currentSchema=")
    .replace(/[?&]$/, "");
}
