/**
 * Measures migrations beside those who do the same, each run in a process of its own: on OpenSearch a bare script and
 * elasticsearch-evolution, on PostgreSQL a bare script, dbmate, Flyway and node-pg-migrate. Prints a table for each; ends
 * with 1 where a goal does not hold.
 *
 * ```sh
 * deno task bench:migrations
 * ```
 *
 * Needs a JDK with Maven, Node with npm, and root or installed PostgreSQL and MariaDB; starts its own servers unless
 * `IRORI_TEST_OPENSEARCH_URL` and `TEST_PG_URL` name some.
 *
 * @module
 */
import { machine } from "./machine.ts";
import { compare } from "./migrations/compare.ts";
import { openCluster, searchPrograms } from "./migrations/on_open_search.ts";
import { openDatabase, sqlPrograms } from "./migrations/on_postgresql.ts";
import { fetchPeers } from "./migrations/peers.ts";
import { printGoals, printTable } from "./migrations/print.ts";
import { openSearch, postgreSql } from "./servers.ts";

const SIZE = { files: 200, added: 5, rounds: 5 };

const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
try {
  const peers = await fetchPeers(folder);
  await using cluster = await openSearch();
  await using database = await postgreSql();
  const onOpenSearch = await compare(
    searchPrograms(peers),
    SIZE,
    (isCounted) => openCluster(cluster.url, isCounted),
  );
  printTable("OpenSearch", "requests", SIZE, onOpenSearch);
  const isMetOnOpenSearch = printGoals("OpenSearch", onOpenSearch);
  const onPostgreSql = await compare(
    sqlPrograms(peers),
    SIZE,
    (isCounted) => openDatabase(database.url, isCounted),
  );
  printTable("PostgreSQL", "round trips", SIZE, onPostgreSql);
  const isMetOnPostgreSql = printGoals("PostgreSQL", onPostgreSql);
  if (!isMetOnOpenSearch || !isMetOnPostgreSql) Deno.exitCode = 1;
  console.log(`\n${machine()}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
