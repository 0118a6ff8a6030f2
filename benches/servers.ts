import { fromFileUrl, join } from "@std/path";
import { execute } from "./process.ts";
import { freePort } from "../tests/free_port.ts";

/** A server on 127.0.0.1. */
export interface Server extends AsyncDisposable {
  readonly url: string;
}

/**
 * The one that `IRORI_TEST_OPENSEARCH_URL` names, or one that is started. Histories of all runners are deleted there.
 *
 * @param heap of one that is started
 */
export async function openSearch(heap = "512m"): Promise<Server> {
  const named = Deno.env.get("IRORI_TEST_OPENSEARCH_URL");
  if (named !== undefined) return existing(named);
  const port = freePort();
  return await started("opensearch.sh", `http://127.0.0.1:${port}`, ["start", "wait"], (folder) => [
    `OS_PORT=${port}`,
    `OS_RUN_BASE=${folder}`,
    `OS_HEAP=${heap}`,
  ]);
}

/** The one that `TEST_PG_URL` names, or one that is started. */
export async function postgreSql(): Promise<Server> {
  const named = Deno.env.get("TEST_PG_URL");
  if (named !== undefined) return existing(named);
  const port = freePort();
  const url = `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
  return await started("sql.sh", url, ["start"], (folder) => [
    `SQL_SERVERS_DIR=${join(folder, "sql")}`,
    `SQL_SERVERS_PG_PORT=${port}`,
    `SQL_SERVERS_MYSQL_PORT=${freePort()}`,
    `SQL_SERVERS_PGBOUNCER_PORT=${freePort()}`,
    "SQL_SERVERS_PASSWORD=secret",
  ]);
}

function existing(url: string): Server {
  return { url, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** A disk in memory, so that what is measured is what the runners do and not the disk's other guests. */
const MEMORY = "/dev/shm";

async function started(
  name: string,
  url: string,
  verbs: readonly string[],
  variables: (folder: string) => readonly string[],
): Promise<Server> {
  const dir = await Deno.stat(MEMORY).then(() => MEMORY, () => undefined);
  const folder = await Deno.makeTempDir({ dir, prefix: "irori-bench-" });
  await Deno.chmod(folder, 0o755); // PostgreSQL runs as a user of its own.
  const script = fromFileUrl(new URL(`../tests/servers/${name}`, import.meta.url));
  const run = (verb: string) => execute(["env", ...variables(folder), "bash", script, verb]);
  const stop = async () => {
    await run("stop");
    await Deno.remove(folder, { recursive: true });
  };
  try {
    for (const verb of verbs) await run(verb);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, [Symbol.asyncDispose]: stop };
}
