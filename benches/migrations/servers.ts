import { fromFileUrl, join } from "@std/path";
import { execute } from "./process.ts";

/** One OpenSearch and one PostgreSQL on 127.0.0.1. */
export interface Servers extends AsyncDisposable {
  readonly openSearch: string;
  readonly postgreSql: string;
}

/** A disk in memory, so that what is measured is what the runners do and not the disk's other guests. */
const MEMORY = "/dev/shm";

/**
 * Those that `IRORI_TEST_OPENSEARCH_URL` and `TEST_PG_URL` name, and started ones in their place. Histories of all
 * runners are deleted there.
 */
export async function startServers(): Promise<Servers> {
  const dir = await Deno.stat(MEMORY).then(() => MEMORY, () => undefined);
  const folder = await Deno.makeTempDir({ dir, prefix: "irori-bench-" });
  await Deno.chmod(folder, 0o755); // PostgreSQL runs as a user of its own.
  const stops: (() => Promise<unknown>)[] = [];
  const openSearch = Deno.env.get("IRORI_TEST_OPENSEARCH_URL") ?? await startOpenSearch();
  const postgreSql = Deno.env.get("TEST_PG_URL") ?? await startPostgreSql();
  return {
    openSearch,
    postgreSql,
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop();
      await Deno.remove(folder, { recursive: true });
    },
  };

  async function startOpenSearch(): Promise<string> {
    const port = freePort();
    const env = [`OS_PORT=${port}`, `OS_RUN_BASE=${folder}`];
    const run = (verb: string) => execute(["env", ...env, "bash", script("opensearch.sh"), verb]);
    stops.push(() => run("stop"));
    await run("start");
    await run("wait");
    return `http://127.0.0.1:${port}`;
  }

  async function startPostgreSql(): Promise<string> {
    const port = freePort();
    const env = [
      `SQL_SERVERS_DIR=${join(folder, "sql")}`,
      `SQL_SERVERS_PG_PORT=${port}`,
      `SQL_SERVERS_MYSQL_PORT=${freePort()}`,
      "SQL_SERVERS_PASSWORD=secret",
    ];
    const run = (verb: string) => execute(["env", ...env, "bash", script("sql.sh"), verb]);
    stops.push(() => run("stop"));
    await run("start");
    return `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
  }
}

function script(name: string): string {
  return fromFileUrl(new URL(`../../tests/servers/${name}`, import.meta.url));
}

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}
