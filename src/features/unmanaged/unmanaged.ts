import { ConnectionError, type JournalState, type Session } from "../../migrations/runner/mod.ts";
import { field, objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import { CLUSTER_SETTINGS } from "../../migrations/search/kinds/named.ts";
import { type LiveResource, resourceOf } from "../../migrations/search/kinds/resource.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { type ListedKind, liveBodies } from "../pull/live.ts";

interface Files extends Pick<JournalState, "entries"> {
  readonly migrations: readonly SearchMigration[];
  readonly claims: readonly { readonly resource: LiveResource; readonly wanted: unknown }[];
}

/** The live resources of the kinds of files that no applied file makes. Sends one GET for each kind and page. */
export async function unmanagedBeside(
  session: Session,
  { migrations, claims, entries }: Files,
  onFailure?: (error: Error, connection: string) => void,
) {
  const { cluster, connection: { name: connection } } = searchSessionOf(session);
  // The file of an interrupted run may have made its resource.
  const begun = migrations.filter(({ file: { path } }) => entries.get(path)?.attempt)
    .flatMap(({ request }) => resourceOf(request) ?? [])
    .map((resource) => ({ resource, wanted: resource.wanted }));
  const made = Map.groupBy([...claims, ...begun], ({ resource }) => resource.key);
  const said = (made.get(CLUSTER_SETTINGS.noun) ?? [])
    .flatMap(({ wanted }) => Object.keys(objectOf(field(wanted, "persistent"))));
  const filter = { connection, matches: () => true, isSaid: (name: string) => said.includes(name) };
  const found: string[] = [];
  for (const kind of new Set(migrations.map(({ request }) => resourceOf(request)?.kind))) {
    if (kind?.list === undefined) continue;
    try {
      const live = await liveBodies(cluster, kind as ListedKind, filter);
      if ("reason" in live) throw new ConnectionError(connection, live.reason);
      const names = kind === CLUSTER_SETTINGS
        ? live.flatMap(({ text }) => Object.keys(objectOf(field(valueOf(text), "persistent"))))
        : live.map(({ name }) => name);
      found.push(...names.map((name) => `${kind.noun} ${name}`).filter((key) => !made.has(key)));
    } catch (error) {
      if (!(error instanceof ConnectionError) || onFailure === undefined) throw error;
      const message = `Cannot list what no file makes, ${kind.noun}: ${error.message}`;
      onFailure(new ConnectionError(connection, message), connection);
    }
  }
  const note = "no applied file makes it";
  return found.map((key) => ({ resource: cluster.redact(key), differences: [], note }));
}
