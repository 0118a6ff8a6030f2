import { classify } from "../../../src/migrations/search/files/classify.ts";
import { valueOf } from "../../../src/migrations/search/json/json_values.ts";
import { ask, type RealCluster } from "../../servers/real.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";

/** APIs that the clusters of the tests do not have: their plugins are not on Maven Central. */
const ABSENT =
  /^\/_(?:ilm|slm|data_stream|security|search)\b|^\/_plugins\/_(?:ism|sm)\b|^\/_security\b/;

/**
 * Whether a cluster accepts a file. `undefined` where it does not know the kind, and for a file that is no request,
 * which is refused before.
 */
export async function isAccepted(
  cluster: RealCluster,
  path: string,
  text: string,
): Promise<boolean | undefined> {
  const { request } = classify(await loadedFile(path, text), "reapply");
  if (ABSENT.test(request.path)) return undefined;
  const body = valueOf(request.body);
  if (request.body !== undefined && body === undefined) return false;
  await ask(cluster, "DELETE", "/my_*");
  if (/^\/(?:my_orders\/|_aliases)/.test(request.path)) {
    await ask(cluster, "PUT", "/my_orders", { aliases: { my_orders_now: {} } });
  }
  const isTemplate = request.path.startsWith("/_index_template/");
  for (let tries = 1;; tries++) {
    const { status } = await ask(
      cluster,
      isTemplate ? "POST" : request.method,
      // It is checked, and not made.
      isTemplate ? "/_index_template/_simulate" : request.path,
      body,
    );
    // The security plugin is busy with another one.
    if (status !== 409 || tries === 20) return status < 300;
  }
}
