/** Servers for the tests, on free ports of 127.0.0.1 and in a folder of their own. */
export interface Servers extends AsyncDisposable {
  /** What the tests find them by. */
  readonly env: Record<string, string>;
  /** Why some cannot be had here. */
  readonly missing: readonly string[];
}

const PASSWORD = "admin-Passw0rd!";

/** Servers on their way. */
export interface Starting {
  /** What is still waited for. */
  readonly pending: ReadonlySet<string>;
  readonly servers: Promise<Servers>;
}

/**
 * Starts what this machine can: OpenSearch with a JDK and Maven, PostgreSQL with PgBouncer, MariaDB and Chromium as root.
 *
 * @param signal gives up what has not begun to run
 * @param isSearchOnly whether OpenSearch is enough
 */
export function startServers(
  log: (line: string) => void,
  signal: AbortSignal,
  isSearchOnly = false,
): Starting {
  const pending = new Set<string>();
  return { pending, servers: start(log, pending, signal, isSearchOnly) };
}

async function start(
  log: (line: string) => void,
  pending: Set<string>,
  signal: AbortSignal,
  isSearchOnly: boolean,
): Promise<Servers> {
  const folder = await Deno.makeTempDir({ prefix: "irori-servers-" });
  await Deno.chmod(folder, 0o755);
  const stops: (() => Promise<unknown>)[] = [];
  const env: Record<string, string> = {};
  const missing: string[] = [];
  const attempt = async (name: string, begin: () => Promise<Record<string, string>>) => {
    const started = performance.now();
    pending.add(name);
    log(`starting ${name} (what it lacks is fetched first, which can take minutes) …`);
    try {
      Object.assign(env, await begin());
      log(`${name} is up (${((performance.now() - started) / 1000).toFixed(0)} s)`);
    } catch (error) {
      missing.push(`${name}: ${(error as Error).message}`);
      log(`${name} cannot be had: ${(error as Error).message}`);
    }
    pending.delete(name);
  };
  const next = await hasJdkFor("3.4.0");
  await Promise.all([
    attempt("OpenSearch", () => openSearch(folder, stops, signal)),
    ...(next ? [attempt("OpenSearch 3", () => openSearch3(folder, stops, signal))] : []),
    // One after the other: both may install packages of Debian.
    isSearchOnly || attempt("PostgreSQL and MariaDB", () => databases(folder, stops))
      .then(() => attempt("Chromium", chromium)),
  ]);
  return {
    env,
    missing,
    async [Symbol.asyncDispose]() {
      for (const result of await Promise.allSettled(stops.map((stop) => stop()))) {
        if (result.status === "rejected") log(`not stopped: ${result.reason.message}`);
      }
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const OPENSEARCH = "tests/servers/opensearch.sh";

async function openSearch(
  folder: string,
  stops: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  // The distribution is kept from run to run; what a run writes is not.
  const base = { OS_RUN_BASE: folder, OS_PASSWORD: PASSWORD };
  const [plain, secure] = await startAll(base, ["plain", "secure"], stops, signal);
  return {
    IRORI_TEST_OPENSEARCH_URL: `http://127.0.0.1:${plain}`,
    IRORI_TEST_OPENSEARCH_SECURE_URL: `https://127.0.0.1:${secure}`,
    IRORI_TEST_OPENSEARCH_CA: (await bash(OPENSEARCH, ["ca"], base)).trim(),
    IRORI_TEST_OPENSEARCH_PASSWORD: PASSWORD,
  };
}

/** OpenSearch 3, where there is a JDK new enough for it. */
async function openSearch3(
  folder: string,
  stops: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const base = { OS_RUN_BASE: `${folder}/3`, OS_VERSION: "3.4.0", OS_PASSWORD: PASSWORD };
  const [plain, secure] = await startAll(base, ["plain", "secure"], stops, signal);
  return {
    IRORI_TEST_OPENSEARCH_3_URL: `http://127.0.0.1:${plain}`,
    IRORI_TEST_OPENSEARCH_3_SECURE_URL: `https://127.0.0.1:${secure}`,
    IRORI_TEST_OPENSEARCH_3_CA: (await bash(OPENSEARCH, ["ca"], base)).trim(),
  };
}

/** @returns the port of each mode */
async function startAll(
  base: Record<string, string>,
  modes: readonly string[],
  stops: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  await bash(OPENSEARCH, ["fetch"], base, signal);
  // All come to an end, so that none is still on its way when it is to be stopped.
  const attempts = await Promise.allSettled(modes.map(async (mode) => {
    const port = freePort();
    const env = { ...base, OS_PORT: String(port) };
    stops.push(() => bash(OPENSEARCH, ["stop", mode], env));
    await bash(OPENSEARCH, ["start", mode], env, signal);
    await bash(OPENSEARCH, ["wait", mode], env, signal);
    return port;
  }));
  return attempts.map((attempt) => {
    if (attempt.status === "rejected") throw attempt.reason;
    return attempt.value;
  });
}

/** Whether this machine has a JDK for a version of OpenSearch. */
async function hasJdkFor(version: string): Promise<boolean> {
  return await bash(OPENSEARCH, ["jdk"], { OS_VERSION: version }).then(() => true, () => false);
}

async function databases(
  folder: string,
  stops: (() => Promise<unknown>)[],
): Promise<Record<string, string>> {
  const script = "tests/servers/sql.sh";
  const env = {
    SQL_SERVERS_DIR: `${folder}/sql`,
    SQL_SERVERS_PG_PORT: String(freePort()),
    SQL_SERVERS_MYSQL_PORT: String(freePort()),
    SQL_SERVERS_PGBOUNCER_PORT: String(freePort()),
  };
  stops.push(() => bash(script, ["stop"], env));
  await bash(script, ["start"], env);
  const lines = await bash(script, ["env"], env);
  return Object.fromEntries(
    [...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

async function chromium(): Promise<Record<string, string>> {
  return { IRORI_TEST_CHROMIUM: (await bash("tests/servers/chromium.sh", [], {})).trim() };
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
