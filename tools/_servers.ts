import { GROUPS, MEASURED, type Need } from "./_groups.ts";
import { placeInMemory } from "./_memory.ts";
import { secondsOfCommands } from "./_processor_time.ts";

/** Servers for the tests, on free ports of 127.0.0.1 and in a folder of their own. */
export interface Servers extends AsyncDisposable {
  /** The variables that name them to the tests. */
  readonly env: Record<string, string>;
  /** Why some cannot be had here. */
  readonly missing: readonly string[];
  /** Seconds of processor time by server, as far as this machine tells. */
  processorTime(): Promise<Readonly<Record<string, number>>>;
}

const PASSWORD = "admin-Passw0rd!";

/** Servers that are starting. */
export interface Starting {
  /** Those that are not up yet. */
  readonly pending: ReadonlySet<string>;
  readonly servers: Promise<Servers>;
}

/**
 * Starts what this machine can: OpenSearch and Elasticsearch with a JDK and Maven, PostgreSQL with PgBouncer, MariaDB and
 * Chromium where they are installed. As root it installs them.
 *
 * @param signal gives up what has not begun to run
 * @param options.needs the kinds that the tests need
 * @param options.isAll whether tests other than the contract run on OpenSearch 2, which then starts with security, too
 * @param options.isOpenSearchOnly whether Elasticsearch is not needed
 */
export function startServers(
  log: (line: string) => void,
  signal: AbortSignal,
  options: Needed,
): Starting {
  const pending = new Set<string>();
  return { pending, servers: start(log, pending, signal, options) };
}

interface Needed {
  readonly needs: ReadonlySet<Need>;
  readonly isAll: boolean;
  readonly isOpenSearchOnly?: boolean;
}

async function start(
  log: (line: string) => void,
  pending: Set<string>,
  signal: AbortSignal,
  { needs, isAll, isOpenSearchOnly = false }: Needed,
): Promise<Servers> {
  const folder = await Deno.makeTempDir({ dir: await placeInMemory(), prefix: "irori-servers-" });
  await Deno.chmod(folder, 0o755);
  const stops: (() => Promise<unknown>)[] = [];
  const env: Record<string, string> = {};
  const missing: string[] = [];
  const attempt = async (
    name: string,
    begin: () => Promise<Record<string, string>>,
    prefix?: string,
  ) => {
    if (signal.aborted) return;
    const started = performance.now();
    pending.add(name);
    log(`starting ${name} (what it lacks is fetched first, which can take minutes) …`);
    try {
      Object.assign(env, await begin());
      log(`${name} is up (${((performance.now() - started) / 1000).toFixed(0)} s)`);
    } catch (error) {
      if (signal.aborted) return;
      const reason = (error as Error).message.replaceAll("\n", "; ");
      missing.push(`${name}: ${reason}`);
      if (prefix !== undefined) env[`${prefix}_MISSING`] = reason;
      log(`${name} cannot be started: ${reason}`);
    }
    pending.delete(name);
  };
  const cluster = async (cluster: string, modes?: readonly Mode[]) => {
    if (!needs.has("search")) return;
    const { name, version = "", prefix = "" } = GROUPS.find(({ name }) => name === cluster)!;
    const place = { version, prefix, folder: `${folder}/${version}`, stops, signal };
    await attempt(name, () => modes ? openSearch(place, modes) : elasticsearch(place), prefix);
  };
  const both = ["plain", "secure"] as const;
  await Promise.all([
    cluster("OpenSearch 2", isAll ? both : ["plain"]),
    cluster("OpenSearch 3", both),
    isOpenSearchOnly || cluster("Elasticsearch 8"),
    isOpenSearchOnly || cluster("Elasticsearch 9"),
    (async () => {
      // One after the other: all may install packages of Debian.
      if (needs.has("sql")) {
        const database = databases(folder, stops);
        for (const { name, prefix } of GROUPS.filter(({ need }) => need === "sql")) {
          await attempt(name, () => database(name.toLowerCase()), prefix);
        }
      }
      if (needs.has("chromium")) await attempt("Chromium", () => chromium(signal));
    })(),
  ]);
  return {
    env,
    missing,
    processorTime: () =>
      secondsOfCommands(
        Object.fromEntries(
          Array.from(MEASURED, ([name, [of]]) => [name, `${folder}/${of?.version ?? "sql"}`]),
        ),
      ),
    async [Symbol.asyncDispose]() {
      const results = await Promise.allSettled(stops.map((stop) => stop()));
      const failed = results.filter((result) => result.status === "rejected");
      for (const { reason } of failed) log(`not stopped, '${folder}' stays: ${reason.message}`);
      // A server that runs still has its files, and the number of its process in one of them.
      if (failed.length === 0) await Deno.remove(folder, { recursive: true });
    },
  };
}

const OPENSEARCH = "tests/servers/opensearch.sh";
const ELASTICSEARCH = "tests/servers/elasticsearch.sh";

type Mode = "plain" | "secure";

/** Where a cluster runs, and how it is stopped. */
interface ClusterSite {
  readonly version: string;
  /** Of its variables. */
  readonly prefix: string;
  readonly folder: string;
  readonly stops: (() => Promise<unknown>)[];
  readonly signal: AbortSignal;
}

async function openSearch(
  { version, prefix, folder, stops, signal }: ClusterSite,
  modes: readonly Mode[],
): Promise<Record<string, string>> {
  // The distribution is kept from run to run; what a run writes is not.
  const base = { OS_RUN_BASE: folder, OS_VERSION: version, OS_PASSWORD: PASSWORD };
  const run = (args: readonly string[], env: Record<string, string>, signal?: AbortSignal) =>
    bash(OPENSEARCH, args, { ...base, ...env }, signal);
  await run(["fetch"], {}, signal);
  // All attempts end, so that none is still starting when it has to be stopped.
  const attempts = await Promise.allSettled(modes.map(async (mode) => {
    const port = freePort();
    const env = { OS_PORT: String(port) };
    stops.push(() => run(["stop", mode], env));
    await run(["start", mode], env, signal);
    await run(["wait", mode], env, signal);
    return port;
  }));
  const [plain, secure] = attempts.map((attempt) => {
    if (attempt.status === "rejected") throw attempt.reason;
    return attempt.value;
  });
  return {
    [`${prefix}_URL`]: `http://127.0.0.1:${plain}`,
    ...(secure !== undefined && {
      [`${prefix}_SECURE_URL`]: `https://127.0.0.1:${secure}`,
      [`${prefix}_CA`]: (await run(["ca"], {})).trim(),
    }),
    IRORI_TEST_OPENSEARCH_PASSWORD: PASSWORD,
  };
}

async function elasticsearch(
  { version, prefix, folder, stops, signal }: ClusterSite,
): Promise<Record<string, string>> {
  const port = freePort();
  const env = {
    ES_RUN_BASE: folder,
    ES_VERSION: version,
    ES_PORT: String(port),
    ES_HEAP: "256m",
  };
  await bash(ELASTICSEARCH, ["fetch"], env, signal);
  stops.push(() => bash(ELASTICSEARCH, ["stop"], env));
  await bash(ELASTICSEARCH, ["start"], env, signal);
  await bash(ELASTICSEARCH, ["wait"], env, signal);
  return { [`${prefix}_URL`]: `http://127.0.0.1:${port}` };
}

/** @returns what starts one of them */
function databases(
  folder: string,
  stops: (() => Promise<unknown>)[],
): (name: string) => Promise<Record<string, string>> {
  const script = "tests/servers/sql.sh";
  const env = {
    SQL_SERVERS_DIR: `${folder}/sql`,
    SQL_SERVERS_PG_PORT: String(freePort()),
    SQL_SERVERS_MYSQL_PORT: String(freePort()),
    SQL_SERVERS_PGBOUNCER_PORT: String(freePort()),
  };
  stops.push(() => bash(script, ["stop"], env));
  return async (name) => {
    const lines = await bash(script, ["start", name], env);
    return Object.fromEntries(
      [...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
  };
}

async function chromium(signal: AbortSignal): Promise<Record<string, string>> {
  const path = await bash("tests/servers/chromium.sh", [], {}, signal);
  return { IRORI_TEST_CHROMIUM: path.trim() };
}

/** @returns what it printed. @throws {Error} with the end of its messages */
async function bash(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  signal?: AbortSignal,
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: [script, ...args],
    env,
    signal,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (success) return text(stdout);
  const last = text(stderr).trim().split("\n").slice(-5).join("\n");
  throw new Error(last || `${script} ${args.join(" ")} failed`);
}

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}
