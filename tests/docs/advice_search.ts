/** Advice of the commands for clusters. */
import { assertEquals, assertMatch } from "@std/assert";
import { type AdviceWorkspace, type Advised, SEARCH, start } from "./advice.ts";

const TEMPLATE = '{ "index_patterns": ["logs-*"] }';
const OPERATOR = (name: string, cluster = "one") =>
  `apiVersion: opensearch.org/v1
kind: OpensearchRole
metadata: { name: ${name}, namespace: search }
spec: { opensearchCluster: { name: ${cluster} }, clusterPermissions: [a] }
`;

const policy = (description: string, age: string) =>
  JSON.stringify({
    policy: {
      description,
      default_state: "hot",
      states: [
        { name: "hot", transitions: [{ state_name: "gone", conditions: { min_index_age: age } }] },
        { name: "gone", actions: [{ delete: {} }] },
      ],
      ism_template: [{ index_patterns: ["a-*"] }],
    },
  });

async function send({ cluster }: AdviceWorkspace, method: string, path: string, body?: string) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(cluster.url + path, { method, headers, ...body && { body } });
  return { status: answer.status, text: await answer.text() };
}

const LIVE = { config: SEARCH, after: "migrate -m search" } as const;

/** A policy that would delete an index. */
const DELETING: Pick<Advised, "config" | "files" | "before" | "after"> = {
  config: SEARCH.replace("true }", "true, policy_changes: apply }"),
  files: { "/migrations/live/p-policy.json": policy("one", "30d") },
  before: async (place) => {
    await start(place, "migrate -m search");
    await send(place, "PUT", "/a-1");
    place.cluster.runPolicyJobs();
    await place.write("migrations/live/p-policy.json", policy("two", "0ms"));
  },
  after: "migrate -m search",
};

/** A cluster with resources that no file made. */
const CONFIGURED: Pick<Advised, "config" | "before" | "after"> = {
  config: SEARCH,
  before: (place) => send(place, "PUT", "/_index_template/products", TEMPLATE),
  after: "drift -m search",
};

const KINDS = "--kinds templates";

/** A file that is not as the cluster has it. */
const PULLED_OVER: Pick<Advised, "config" | "before" | "after" | "command" | "code"> = {
  ...CONFIGURED,
  before: async (place) => {
    await send(place, "PUT", "/_index_template/products", TEMPLATE);
    await place.write("migrations/live/55-templates/products-template.json", "{}");
  },
  command: `pull -m search ${KINDS}`,
  code: 2,
};

const INDEX = (type: string) =>
  JSON.stringify({
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { properties: { n: { type } } },
  });

const HOOK = '{"method":"POST","path":"/hooks/_doc","body":{"a":1}}';

function lost(path: string): Pick<Advised, "double" | "files" | "config" | "before"> {
  let isFirst = true;
  return {
    config: SEARCH,
    files: { [`/migrations/live/${path}`]: HOOK },
    double: {
      loseAnswer: (line) => {
        const isLost = isFirst && line.startsWith("POST /hooks/_doc");
        if (isLost) isFirst = false;
        return isLost;
      },
    },
    before: (place) => start(place, "migrate -m search"),
  };
}

const hooksOf = ({ cluster }: AdviceWorkspace) =>
  cluster.requests.filter(({ line }) => line.startsWith("POST /hooks/_doc")).length;

/** A secret that has changed since the request with it was applied. */
const SECRET: Pick<Advised, "config" | "files" | "before" | "after"> = {
  config: withToken("one-long-secret"),
  files: { "/migrations/live/hook.json": HOOK.replace("1", '"${token}"') },
  before: async (place) => {
    await start(place, "migrate -m search");
    const text = withToken("another-long-secret");
    await place.write("config/application.yml", text.replace("CLUSTER", place.cluster.url));
  },
  after: "migrate -m search",
};

function withToken(token: string): string {
  return SEARCH.replace("true }", `true, placeholders: { token: ${token} } }`);
}

const CONVERTED: Pick<Advised, "config" | "files" | "after"> = {
  config: SEARCH,
  files: { "/operator.yaml": OPERATOR("reader") },
  after: "validate -m search",
};

export const OF_CLUSTERS: readonly Advised[] = [
  {
    ...DELETING,
    title: "a policy that deletes an index",
    command: "migrate -m search",
    code: 2,
    advice: /it wants '(--yes)'/,
    value: "-m search",
  },
  {
    ...DELETING,
    title: "a policy that deletes an index, in a plan",
    command: "plan -m search",
    advice: /wants '(--yes)':/,
    to: "migrate",
    value: "-m search",
  },
  {
    ...DELETING,
    title: "a policy that deletes an index, in the guide",
    guide: "policy-changes.md",
    advice: /`(migrate --yes)`/,
    value: "-m search",
  },
  {
    ...CONFIGURED,
    title: "which files a cluster would give",
    guide: "cluster-configuration.md",
    advice: /irori (pull -m search) --connection logs --dry-run/,
    value: `--connection live ${KINDS} --dry-run`,
    says: /new +55-templates\/products-template\.json/,
    after: "",
    holds: async (place) => {
      const { code, stderr } = await start(place, "validate -m search");
      assertEquals([code, stderr.includes("products")], [2, false]);
    },
  },
  {
    ...CONFIGURED,
    title: "files of a cluster, recorded at once",
    guide: "cluster-configuration.md",
    advice: /`(pull --baseline)` replaces steps/,
    value: `-m search ${KINDS}`,
    says: /1 recorded without applying/,
    holds: async (place) => assertEquals((await start(place, "status --check -m search")).code, 0),
  },
  {
    ...CONFIGURED,
    title: "some files of a cluster",
    guide: "tutorial-migrations.md",
    advice: /irori (pull -m search --kinds templates --match) '?products\*'? --baseline/,
    value: "products* --baseline",
    says: /1 recorded/,
  },
  {
    ...PULLED_OVER,
    title: "a file that a pull would replace, replaced",
    advice: /add '(--yes)' to replace/,
    value: "-m search",
    says: /1 written/,
    after: "migrate -m search",
  },
  {
    ...PULLED_OVER,
    title: "a file that a pull would replace, shown",
    advice: /'(--dry-run)' to see/,
    value: "-m search",
    says: /differs/,
    after: "",
  },
  {
    ...CONFIGURED,
    title: "a pull that records and does not write",
    command: `pull -m search ${KINDS} --baseline --dry-run`,
    code: 2,
    advice: /Expected (--baseline) or --dry-run/,
    to: `pull -m search ${KINDS}`,
    value: "-m search",
    says: /1 recorded/,
  },
  {
    ...CONFIGURED,
    title: "applied resources that are pulled, which a run would change nothing of",
    before: async (place) => {
      await send(place, "PUT", "/_index_template/products", TEMPLATE);
      await place.write("migrations/live/products-template.json", TEMPLATE);
    },
    guide: "from-other-runners.md",
    advice: /`irori (baseline -m search)`/,
    says: /1 recorded/,
  },
  {
    ...CONVERTED,
    title: "resources of the operator, shown",
    guide: "from-other-runners.md",
    advice: /irori (convert) operator\.yaml --connection logs --dry-run/,
    alone: true,
    value: "operator.yaml --connection live --dry-run",
    says: /new +.*reader-role\.json/,
    after: "",
  },
  {
    ...CONVERTED,
    title: "resources of the operator, written",
    guide: "from-other-runners.md",
    advice: /irori (convert) operator\.yaml --connection logs$/m,
    alone: true,
    value: "operator.yaml --connection live",
    says: /written +.*reader-role\.json/,
  },
  {
    ...LIVE,
    title: "a series of rollover indices",
    guide: "live-reindex.md",
    advice: /irori (new logs --rollover -m search)/,
    says: /logs\.json/,
    after: "",
    holds: async (place) => {
      const { stdout } = await start(place, "plan -m search");
      assertMatch(stdout, /POST \/logs\/_rollover/);
    },
  },
  {
    ...lost("2026/alias.json"),
    title: "a request whose answer was lost, which was done",
    guide: "what-happens-when.md",
    advice: /(resolve 2026\/alias\.json --applied -m search)/,
    after: "migrate -m search",
    holds: (place) => assertEquals(hooksOf(place), 1),
  },
  {
    ...lost("2026/alias.json"),
    title: "a request whose answer was lost, which was not done",
    guide: "what-happens-when.md",
    advice: /(resolve 2026\/alias\.json --retry -m search)/,
    after: "migrate -m search",
    holds: (place) => assertEquals(hooksOf(place), 2),
  },
  ...([["resolve hook\\.json --retry", 2], ["baseline --changed hook\\.json", 1]] as const).map(
    ([advice, sent]): Advised => ({
      ...SECRET,
      title: `a secret that has changed, in the guide: ${advice}`,
      guide: "search-migrations.md",
      advice: new RegExp(`irori (${advice} -m search)`),
      holds: (place) => assertEquals(hooksOf(place), sent),
    }),
  ),
  ...([["resolve", 2], ["baseline", 1]] as const).map(([name, sent]): Advised => ({
    ...SECRET,
    title: `a secret that has changed: ${name}`,
    command: "migrate -m search",
    advice: new RegExp(`'(${name} [^']*hook\\.json[^']*)'`),
    holds: async (place) => {
      assertEquals(hooksOf(place), sent);
      assertEquals((await start(place, "migrate -m search")).stderr, "");
    },
  })),
  {
    ...LIVE,
    title: "types of documents",
    files: { "/migrations/live/orders.json": INDEX("long"), "/src/.keep": "" },
    guide: "types.md",
    advice: /irori (types -m search --out src\/documents\.ts)/,
    after: "types -m search --out src/documents.ts --check",
  },
  {
    ...LIVE,
    title: "what differs from a cluster",
    files: { "/migrations/live/logs-template.json": TEMPLATE },
    before: async (place) => {
      await start(place, "migrate -m search");
      await send(place, "PUT", "/_index_template/logs", '{ "index_patterns": ["other-*"] }');
    },
    guide: "cluster-configuration.md",
    advice: /irori (drift -m search)|`(?:irori )?(drift -m search)`/,
    ends: 5,
    says: /other-\*/,
  },
  {
    ...CONVERTED,
    title: "a resource of the operator that would replace a file",
    files: { ...CONVERTED.files, "/migrations/live/84-roles/reader-role.json": "{}\n" },
    command: "convert operator.yaml --connection live",
    code: 2,
    advice: /add '(--yes)' to replace/,
    alone: true,
    says: /written +.*reader-role\.json/,
  },
  {
    ...CONVERTED,
    title: "resources of two clusters",
    files: { "/operator.yaml": `${OPERATOR("reader")}---\n${OPERATOR("writer", "two")}` },
    command: "convert operator.yaml --connection live",
    code: 2,
    advice: /expected '(--cluster)' to name one of/,
    alone: true,
    value: "two",
    says: /writer-role\.json/,
  },
  {
    ...CONVERTED,
    title: "a folder and a connection for what is converted",
    command: "convert operator.yaml --connection live --out made",
    code: 2,
    advice: /Expected one of '(--out)' and '--connection'/,
    to: "convert operator.yaml",
    value: "made",
    alone: true,
    says: /made\/84-roles\/reader-role\.json/,
    after: "",
  },
  {
    ...LIVE,
    title: "what a plan would send",
    files: { "/migrations/live/logs-template.json": TEMPLATE },
    guide: "cluster-configuration.md",
    advice: /(plan -m search)/,
    says: /PUT \/_index_template\/logs/,
  },
  {
    ...LIVE,
    title: "the state of files of clusters",
    files: { "/migrations/live/logs-template.json": TEMPLATE },
    before: (place) => start(place, "migrate -m search"),
    guide: "live-reindex.md",
    advice: /irori (status -m search)/,
    says: /logs-template\.json/,
  },
];
