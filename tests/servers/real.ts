/** A search cluster that the test command started. */
export interface RealCluster {
  readonly name: string;
  /** Why its tests cannot run here; undefined when it is there. */
  readonly missing?: string;
  readonly url: string;
  readonly password?: string;
  /** Path of the CA certificate. */
  readonly ca?: string;
}

const url = Deno.env.get("IRORI_TEST_OPENSEARCH_URL");
const secure = Deno.env.get("IRORI_TEST_OPENSEARCH_SECURE_URL");
const missing = "IRORI_TEST_OPENSEARCH_URL is not set: run 'deno task test'";

/** OpenSearch without security. */
export const PLAIN: RealCluster = { name: "plain", url: url ?? "", ...(!url && { missing }) };

/** OpenSearch with TLS and basic authentication. */
export const SECURE: RealCluster = {
  name: "TLS and basic auth",
  url: secure ?? "",
  password: Deno.env.get("IRORI_TEST_OPENSEARCH_PASSWORD"),
  ca: Deno.env.get("IRORI_TEST_OPENSEARCH_CA"),
  ...(!secure && { missing }),
};

const next = Deno.env.get("IRORI_TEST_OPENSEARCH_3_URL");

const secure3 = Deno.env.get("IRORI_TEST_OPENSEARCH_3_SECURE_URL");

/** Clusters with the security plugin: OpenSearch 3 is among them where a JDK for it was found. */
export const SECURED: readonly RealCluster[] = [
  SECURE,
  ...(secure3
    ? [{
      name: "3, TLS and basic auth",
      url: secure3,
      password: Deno.env.get("IRORI_TEST_OPENSEARCH_PASSWORD"),
      ca: Deno.env.get("IRORI_TEST_OPENSEARCH_3_CA"),
    }]
    : []),
];

/** The clusters that every test of a whole run goes to: OpenSearch 3 is among them where a JDK for it was found. */
export const CLUSTERS: readonly RealCluster[] = [
  PLAIN,
  SECURE,
  ...(next ? [{ name: "3, plain", url: next }] : []),
];

/** Registers a test that needs a cluster; where there is none it is ignored and its name says why. */
export function clusterTest(
  cluster: RealCluster,
  name: string,
  test: (cluster: RealCluster) => Promise<void>,
): void {
  const reason = cluster.missing === undefined ? "" : ` [skipped: ${cluster.missing}]`;
  Deno.test({
    name: `${name} (OpenSearch, ${cluster.name})${reason}`,
    ignore: cluster.missing !== undefined,
    fn: () => test(cluster),
  });
}

/** Sends a request to a real cluster, without the runner. */
export async function ask(
  cluster: RealCluster,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown }> {
  const client = Deno.createHttpClient(
    cluster.ca ? { caCerts: [await Deno.readTextFile(cluster.ca)] } : {},
  );
  try {
    const response = await fetch(cluster.url + path, {
      method,
      client,
      headers: {
        "Content-Type": "application/json",
        ...(cluster.password && { Authorization: `Basic ${btoa(`admin:${cluster.password}`)}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    } as RequestInit);
    const text = await response.text();
    return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : text };
  } finally {
    client.close();
  }
}
