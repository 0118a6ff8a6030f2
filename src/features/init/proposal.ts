import { join } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Place, Project } from "./projects.ts";

/** A configuration for a project, without any secret. */
export interface Proposal {
  readonly text: string;
  readonly program: string;
  /** The values of its placeholders, as far as the project has those that the environment lacks. */
  readonly values: ReadonlyMap<string, string>;
  /** The variables to set before a run, and where their values are. */
  readonly unset: Readonly<Record<string, string>>;
}

const PRISMA_PARAMETERS =
  /(?<=[?&])(?:connection_limit|pool_timeout|pgbouncer|socket_timeout)=[^&]*(?:&|$)/g;
const SECRET = /:\/\/[^/@?#]*:[^/?#]*@|[?&;](?:pass\w*|pwd|\w*token)=/i;
/** What runs a command, the same with what `.env` has, and what that needs. A shell would read `&` and `$` in a URL. */
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
  const values = new Map<string, string>();
  const unset: Record<string, string> = {};
  const placeholder = (name: string, value: string | undefined, source: string) => {
    if (env.get(name) === undefined) unset[name] = source;
    if (env.get(name) === undefined && value !== undefined) values.set(name, value);
    return `\${${name}}`;
  };
  const { bindings, folder, user, password, file, tool, url: { text, variable } = {} } = project;
  const addressOf = (): string => {
    const name = variable ?? "DATABASE_URL";
    const value = text ?? place.variable(name);
    if (value === undefined) return placeholder(name, value, "the URL of the database");
    const path = pathOf(value, project);
    if (path !== undefined) return path;
    const fitting = tool === "prisma" ? withoutPrisma(value) : value;
    if (text && !SECRET.test(fitting)) return fitting;
    if (!text && fitting === value) return placeholder(name, value, inDotEnv);
    const change = fitting === value ? "" : ", its parameters without those of Prisma";
    const source = `the URL in ${text ? `'${file}'` : name}${change}`;
    return placeholder(text && !env.get(name) ? name : "MIGRATIONS_URL", fitting, source);
  };
  const entries = bindings?.map((binding) => {
    return { name: bindings.length > 1 ? binding.toLowerCase() : "main", url: `d1:${binding}` };
  }) ?? [{ name: "main", url: addressOf() }];
  const secret = password && placeholder("FLYWAY_PASSWORD", password, `the password in '${file}'`);
  const lines = entries.flatMap(({ name, url }) => [
    `  - name: ${scalar(name)}`,
    `    url: ${scalar(url)}`,
    ...user ? [`    username: ${scalar(user)}`] : [],
    ...secret ? [`    password: ${secret}`] : [],
    "    migrations:",
    "      enabled: true",
    ...folder ? [`      folder: ${scalar(folder)}`] : [],
    "      # lint_from: the first file after 'adopt'; earlier ones are not linted",
  ]).map((line) => entries.length > 1 ? line : line.replace(/^ {2}(?:- | {2})/, "  "));
  const program = Object.values(unset).includes(inDotEnv) ? `${install}${reader}` : plain;
  return { text: `datasource:\n${lines.join("\n")}\n`, program, values, unset };
}

function scalar(text: string): string {
  return /^[\w./$][\w./${}:@?=&%+-]*\w\}?$/.test(text) ? text : JSON.stringify(text);
}

/** The URL of a file of SQLite, which no server has. */
function pathOf(value: string, { base = "." }: Project): string | undefined {
  const [, path] = /^(?:file:(?:\/\/(?=\/))?)?([^:?#]+)(?:\?.*)?$/.exec(value) ?? [];
  return path && `sqlite:${path.startsWith("/") ? path : join(base, path)}`;
}

function withoutPrisma(value: string): string {
  return value.replace(PRISMA_PARAMETERS, "").replace(/(?<=[?&])schema=/, "currentSchema=")
    .replace(/[?&]$/, "");
}
