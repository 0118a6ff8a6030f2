import { IS_ALL } from "../long/mod.ts";

/** A search cluster that the test command started. */
export interface RealCluster {
  /** Product and major version, and how it is reached. */
  readonly name: string;
  /** Why its tests cannot run here; undefined when they can. */
  readonly missing?: string;
  readonly url: string;
  readonly password?: string;
  /** Path of the CA certificate. */
  readonly ca?: string;
}

const OPENSEARCH_2 = clusterOf("OpenSearch 2, plain", "OPENSEARCH_URL");
const OPENSEARCH_3 = clusterOf("OpenSearch 3, plain", "OPENSEARCH_3_URL");

/** Elasticsearch 8: the server without its modules, see `elasticsearch.sh`. */
const ELASTICSEARCH_8: RealCluster = clusterOf("Elasticsearch 8", "ELASTICSEARCH_8_URL");

/** Elasticsearch 9: the server without its modules, see `elasticsearch.sh`. */
export const ELASTICSEARCH_9: RealCluster = clusterOf("Elasticsearch 9", "ELASTICSEARCH_9_URL");

// 'deno task test' runs OpenSearch 2 and Elasticsearch 8 by the contract only, 'deno task test:all' runs all of them.

/** Clusters with TLS, basic authentication and the security plugin. */
export const SECURED: readonly RealCluster[] = IS_ALL
  ? [securedOf(2, "OPENSEARCH"), securedOf(3, "OPENSEARCH_3")]
  : [securedOf(3, "OPENSEARCH_3")];

/** OpenSearch without security. */
export const PLAIN_CLUSTERS: readonly RealCluster[] = IS_ALL
  ? [OPENSEARCH_2, OPENSEARCH_3]
  : [OPENSEARCH_3];

/** Each cluster without security in turn, for tests that need one: {@linkcode clusterTest} says which it is. */
export const PLAIN: RealCluster = { ...PLAIN_CLUSTERS[0]! };

/** Each cluster with the security plugin in turn. */
export const SECURE: RealCluster = { ...SECURED[0]! };

const IN_TURN: ReadonlyMap<RealCluster, readonly RealCluster[]> = new Map([
  [PLAIN, PLAIN_CLUSTERS],
  [SECURE, SECURED],
]);

/** The clusters that every test of a whole run uses. */
export const CLUSTERS: readonly RealCluster[] = [...SECURED, ...PLAIN_CLUSTERS];

/** Elasticsearch. */
export const ELASTICSEARCH: readonly RealCluster[] = IS_ALL
  ? [ELASTICSEARCH_8, ELASTICSEARCH_9]
  : [ELASTICSEARCH_9];

/** The clusters of the contract: every version. */
export const CONTRACT_CLUSTERS: readonly RealCluster[] = [
  ...SECURED,
  OPENSEARCH_2,
  OPENSEARCH_3,
  ELASTICSEARCH_8,
  ELASTICSEARCH_9,
];

/**
 * Registers a test that needs a cluster; without one it is ignored and its name says why. A test of {@linkcode PLAIN} or
 * {@linkcode SECURE} is registered for each of these clusters, and while it runs the constant is the cluster. A test among
 * {@linkcode ABSENT_APIS} has to fail.
 *
 * @param otherMissing why another server that it needs, too, does not run
 */
export function clusterTest(
  cluster: RealCluster,
  name: string,
  test: (cluster: RealCluster) => Promise<void>,
  otherMissing?: string,
): void {
  for (const one of IN_TURN.get(cluster) ?? [cluster]) {
    const missing = one.missing ?? otherMissing;
    const reason = missing === undefined ? "" : ` [skipped: ${missing}]`;
    Deno.test({
      name: `${name} (${one.name})${reason}`,
      ignore: missing !== undefined,
      fn: async () => {
        // Tests of a file run one after another.
        if (cluster !== one) Object.assign(cluster, one);
        const absent = ABSENT_APIS.find(({ tests, clusters }) => {
          return tests.includes(name) && clusters.includes(one);
        });
        if (absent === undefined) await test(one);
        else await assertAbsent(absent, one, () => test(one));
      },
    });
  }
}

function clusterOf(name: string, variable: string): RealCluster {
  const url = Deno.env.get(`IRORI_TEST_${variable}`);
  const missing = Deno.env.get(`IRORI_TEST_${variable.replace(/(?:_SECURE)?_URL$/, "_MISSING")}`) ??
    `IRORI_TEST_${variable} is not set: run 'deno task test'`;
  return { name, url: url ?? "", ...(!url && { missing }) };
}

function securedOf(major: number, variable: string): RealCluster {
  return {
    ...clusterOf(`OpenSearch ${major}, TLS and basic auth`, `${variable}_SECURE_URL`),
    password: Deno.env.get("IRORI_TEST_OPENSEARCH_PASSWORD"),
    ca: Deno.env.get(`IRORI_TEST_${variable}_CA`),
  };
}

/** An API that some clusters do not have, and the tests that need it. */
export interface AbsentApi {
  readonly clusters: readonly RealCluster[];
  readonly tests: readonly string[];
  /** A request of it, such as `PUT /_search/pipeline/x {}`. */
  readonly request: string;
  /** How the cluster says that it is absent. */
  readonly answer: RegExp;
}

/**
 * APIs that tests of a whole run need and a cluster does not have, as the module is not on Maven Central. Both are
 * asserted, that the API is absent and that the test fails.
 */
export const ABSENT_APIS: readonly AbsentApi[] = [
  {
    clusters: [ELASTICSEARCH_9],
    tests: ["a data stream takes three requests, and is left as it is where it exists"],
    request: "GET /_data_stream",
    answer: /Invalid index name \[_data_stream\]/,
  },
  {
    clusters: [ELASTICSEARCH_9],
    tests: ["a run sends two requests a file of any kind, and one more for a data stream"],
    request: 'PUT /_search/pipeline/x {"request_processors":[]}',
    answer: /no handler found for uri/,
  },
];

async function assertAbsent(
  { request, answer }: AbsentApi,
  cluster: RealCluster,
  test: () => Promise<void>,
): Promise<void> {
  const [, method = "", path = "", body] = /^(\S+) (\S+)(?: (.*))?$/.exec(request) ?? [];
  const { status, json } = await ask(cluster, method, path, body && JSON.parse(body));
  const text = JSON.stringify(json);
  if (status < 400 || !answer.test(text)) {
    throw new Error(
      `${cluster.name} answers '${request}' with ${status} ${text}: is it there now?`,
    );
  }
  const failure = await test().then(() => undefined, (error) => error);
  if (failure === undefined) {
    throw new Error(`The test passes on ${cluster.name}: remove it from ABSENT_APIS`);
  }
}

/** For TLS. They are opened before the tests, which would leak them, and keep their connections. */
const CLIENTS: ReadonlyMap<string, Deno.HttpClient> = new Map(
  SECURED.filter(({ ca }) => ca).map(({ ca }) => [
    ca!,
    Deno.createHttpClient({ caCerts: [Deno.readTextFileSync(ca!)] }),
  ]),
);

/** Sends a request to a real cluster, without the runner. */
export async function ask(
  cluster: RealCluster,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(cluster.url + path, {
    method,
    client: CLIENTS.get(cluster.ca ?? ""),
    headers: {
      "Content-Type": "application/json",
      ...(cluster.password && { Authorization: `Basic ${btoa(`admin:${cluster.password}`)}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : text };
}
