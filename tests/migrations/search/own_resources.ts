import { ask, type RealCluster } from "../../servers/real.ts";

/** Takes away what begins with a name. */
export async function remove(cluster: RealCluster, path: string, name: string): Promise<void> {
  const metadata = "/_cluster/state/metadata?filter_path=metadata.stored_scripts";
  const { json } = await ask(cluster, "GET", path === "/_scripts" ? metadata : path);
  const found = namesIn(json).filter((one) => one.startsWith(name));
  if (path.startsWith("/_plugins/_security/api") && found.length > 0) {
    const operations = found.map((one) => {
      return { op: "remove", path: `/${one.replaceAll("~", "~0").replaceAll("/", "~1")}` };
    });
    await askUntilFree(cluster, "PATCH", path, operations);
  } else {
    for (const one of found) await ask(cluster, "DELETE", `${path}/${encodeURIComponent(one)}`);
  }
}

/** Others may write the one document that all roles, or all users, are in. */
export async function askUntilFree(
  ...request: Parameters<typeof ask>
): Promise<Awaited<ReturnType<typeof ask>>> {
  for (let tries = 1;; tries++) {
    const answer = await ask(...request);
    if (answer.status !== 409 || tries === 20) return answer;
  }
}

function namesIn(json: unknown): readonly string[] {
  const answer = json as Record<string, Record<string, unknown>>;
  if (answer.metadata) return Object.keys(answer.metadata.stored_scripts ?? {});
  const lists = Object.values(answer).filter(Array.isArray).flat() as { readonly name: string }[];
  return lists.length > 0 ? lists.map(({ name }) => name) : Object.keys(answer);
}
