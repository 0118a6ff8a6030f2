import { UsageError } from "../../cli/mod.ts";
import { readWrangler } from "../../migrations/sql/engines/d1/wrangler.ts";
import { dirname, join } from "../../runtime/path.ts";
import { flywayValue, objectSetting, prismaSetting, properties, type Setting } from "./settings.ts";

/** The files of another tool. Paths are from the folder of the project on. */
interface Found {
  readonly url?: Setting | undefined;
  /** The databases of D1, in place of the URL; wrangler has their folders. */
  readonly bindings?: readonly string[];
  readonly folder?: Setting;
  readonly user?: Setting | undefined;
  readonly password?: Setting | undefined;
  /** Where relative paths of SQLite begin. @default "." */
  readonly base?: string;
}

export interface Project extends Omit<Found, "folder"> {
  readonly tool: string;
  readonly file: string;
  readonly folder: string | undefined;
}

export interface Place {
  /** The first of these that there is; a folder ends with a slash, and has SQL files in it. */
  first(...paths: readonly string[]): Promise<Source | undefined>;
  /** The environment wins over `.env`. */
  variable(name: string): string | undefined;
}

type Source = Readonly<Record<"file" | "text", string>>;

/** The files that tell, and how the first of them is read. */
type Tool = readonly [
  readonly string[],
  (source: Source, place: Place) => Promise<Found | undefined> | Found | undefined,
];

export const LOOKED_FOR = `
Looks in this folder for drizzle.config.ts, prisma/schema.prisma, flyway.toml, flyway.conf, supabase/config.toml,
wrangler.jsonc with 'd1_databases', db/migrations of dbmate, and migrations where DATABASE_URL is set, as in .env.
`;

const scripts = (name: string) =>
  ["ts", "mts", "cts", "js", "mjs", "cjs", "json"].map((extension) => `${name}.${extension}`);
const memberOf = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => Object(inner)[key], value);
const JAVA = "src/main/resources/";

const BY_NAME: Readonly<Record<string, Tool>> = {
  drizzle: [scripts("drizzle.config"), async ({ text }, place) => {
    const driver = objectSetting(text, "driver")?.text;
    const keys = ["dbCredentials", "url"];
    // Its database is the one of wrangler's configuration.
    if (driver === "d1-http" && await place.first(...BY_NAME.wrangler![0])) return undefined;
    return {
      url: (driver ? undefined : objectSetting(text, ...keys)) ?? { unread: keys.join(".") },
      folder: objectSetting(text, "out") ?? { text: "drizzle" },
    };
  }],
  prisma: [["prisma/schema.prisma", "schema.prisma"], async ({ file, text }, place) => {
    const { text: config } = await place.first(...scripts("prisma.config")) ?? { text: "" };
    const own = prismaSetting(text, "directUrl") ?? prismaSetting(text, "url");
    const usual = { text: join(dirname(file), "migrations") };
    return {
      url: own ?? objectSetting(config, "datasource", "url") ?? { unread: "url" },
      folder: objectSetting(config, "migrations", "path") ?? usual,
      base: own ? dirname(file) : ".",
    };
  }],
  flyway: [
    ["flyway.toml", "flyway.conf", "conf/flyway.toml", "conf/flyway.conf"],
    async ({ file, text }, place) => {
      const toml = file.endsWith(".toml") ? await readWrangler(file, text) : undefined;
      const lines = properties(text);
      const setting = (name: string, ...keys: readonly string[]) =>
        flywayValue(name, toml ? memberOf(toml, ...keys, name) : lines[`flyway.${name}`]);
      const environment = setting("environment", "flyway")?.text ?? "default";
      const [url = { unread: "url" }, user, password] = ["url", "user", "password"]
        .map((name) => setting(name, "environments", environment));
      const usual = { text: await place.first("sql/") ? "sql" : `${JAVA}db/migration` };
      const { text: location } = setting("locations", "flyway") ?? usual;
      const path = location?.replace("filesystem:", "").replace("classpath:", JAVA);
      const folder = !path || path.includes(",") ? { unread: "locations" } : { text: path };
      return { url, folder, user, password };
    },
  ],
  supabase: [["supabase/config.toml"], async ({ file, text }, place) => {
    const port = memberOf(await readWrangler(file, text), "db", "port") ?? 54322;
    const variable = ["SUPABASE_DB_URL", "DATABASE_URL"].find((name) => place.variable(name));
    // Every local database of its command line has this password.
    const local = { text: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres` };
    return { url: variable ? { variable } : local, folder: { text: "supabase/migrations" } };
  }],
  wrangler: [["wrangler.json", "wrangler.jsonc", "wrangler.toml"], async ({ file, text }) => {
    const all: Record<string, string>[] = Object(await readWrangler(file, text)).d1_databases ?? [];
    const bindings = all.flatMap(({ binding, database_name: name }) => binding ?? name ?? []);
    return bindings.length > 0 ? { bindings } : undefined;
  }],
  dbmate: [["db/migrations/"], ({ file }) => ({ folder: { text: file } })],
  // Files of any tool, which count where none is found.
  sql: [["migrations/"], ({ file }, place) => {
    return place.variable("DATABASE_URL") ? { folder: { text: file } } : undefined;
  }],
};

export const TOOLS = Object.keys(BY_NAME);

/**
 * The project of the tool `from`, else the only one.
 *
 * @param given the folder of its migrations @default what its files say
 * @throws {UsageError | ConfigError} where there is none, or not one, and for what cannot be read
 */
export async function projectIn(
  place: Place,
  from: string | undefined,
  given: string | undefined,
): Promise<Project> {
  const projects: Project[] = [];
  for (const [tool, [files, read]] of Object.entries(BY_NAME)) {
    const source = from === undefined || from === tool ? await place.first(...files) : undefined;
    const found = source && await read(source, place);
    if (!found || tool === "sql" && projects.length > 0) continue;
    const { file } = source;
    const { text, variable, unread = variable } = given ? { text: given } : found.folder ?? {};
    if (unread !== undefined) {
      const how = "name the folder of the migrations by '--folder <dir>'";
      throw new UsageError(`Cannot read '${unread}' of '${file}': ${how}`, {}, { file });
    }
    projects.push({ ...found, tool, file, folder: text && join(text).replace(/\/$/, "") });
  }
  const [project, ...others] = projects;
  if (!project) throw new UsageError(`Found no files of ${from ?? "another tool"}.${LOOKED_FOR}`);
  if (others.length === 0) return project;
  const names = projects.map(({ tool, file }) => `'${tool}' (${file})`).join(", ");
  throw new UsageError(`Found ${names}: choose one by '--from <tool>'`);
}
