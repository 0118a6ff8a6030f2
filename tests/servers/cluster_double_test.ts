import { assertEquals } from "@std/assert";
import { startClusterDouble } from "./cluster_double.ts";
import { readRecording } from "./recordings.ts";
import { replay } from "./replay.ts";

/** The states of a policy where nothing is asked about them. */
const STATES = '"default_state":"hot","states":[{"name":"hot"}]';
const policy = (id: string, rest = "") =>
  `PUT /_plugins/_ism/policies/${id} {"policy":{"description":"${id}",${STATES}${rest}}}`;

Deno.test("the cluster double answers what was asked about policies as OpenSearch 2.19.4 did", async () => {
  await using double = startClusterDouble();
  const recorded = await readRecording("opensearch-2.19.4-ism.txt");
  const compared = await replay(double.url, recorded, {
    // Asked before the plugin's background had done its part; and a table of health.
    without: /^GET \/_plugins\/_ism\/explain\/plain-1#2$|_cat/,
    // The plugin's own documents count too.
    ignored: ["_seq_no"],
  });
  assertEquals(compared, 43);
});

for (const version of ["2.19.4", "3.4.0"] as const) {
  Deno.test(`the cluster double keeps policies as OpenSearch ${version} did`, async () => {
    await using double = startClusterDouble({ version });
    const recorded = await readRecording("opensearch-ism-policies.txt", version);
    const compared = await replay(double.url, recorded, {
      without: /race-|\/late/,
      ignored: version === "2.19.4" ? [] : ["_seq_no", "schema_version"],
    });
    assertEquals(compared, 44);
    const { policy } = await (await fetch(`${double.url}/_plugins/_ism/policies/e1`)).json();
    assertEquals(policy.schema_version, version === "2.19.4" ? 21 : 25);
  });

  Deno.test(`the cluster double lets policies manage indices as OpenSearch ${version} did`, async () => {
    await using double = startClusterDouble({ version });
    const runJobs = () => double.runPolicyJobs();
    const bare = '{"settings":{"number_of_replicas":0}}';
    const unmanaged =
      `{"settings":{"number_of_replicas":0,"plugins.index_state_management.auto_manage":false}}`;
    const before = {
      "PUT /_plugins/_ism/policies/mm": [`PUT /mm-0 ${bare}`],
      "GET /_plugins/_ism/explain/mm-1": [
        `PUT /mm-3 ${bare}`,
        `PUT /mm-4 ${bare}`,
        "PUT /un-2/_alias/un-alias",
      ],
      "POST /_plugins/_ism/retry/fail-1": [
        policy("failing", ',"ism_template":{"index_patterns":["fail-*"]}'),
        `PUT /fail-1 ${bare}`,
      ],
      "GET /_plugins/_ism/explain/mm-1#2": runJobs,
      "POST /_plugins/_ism/retry/mm-1": [`PUT /mm-5 ${bare}`],
      "GET /_plugins/_ism/explain/mm-5": runJobs,
      "GET /_plugins/_ism/explain/mm-6": [`PUT /mm-6 ${bare}`],
      "PUT /xx-a1": [
        policy("xp", ',"ism_template":{"index_patterns":["xx-*"],"priority":100}'),
        policy("xq"),
        ...["xx-1", "xx-2", "xx-a3", "xu-1", "xu-2"].map((name) => `PUT /${name} ${bare}`),
        `PUT /xx-a2 ${unmanaged}`,
      ],
      "GET /_plugins/_ism/explain/xx-2": runJobs,
    };

    const recorded = await readRecording("opensearch-ism-indices.txt", version);
    const compared = await replay(double.url, recorded, {
      before,
      ignored: ["_seq_no", "policy_seq_no", "schema_version"],
      rewrite: async (path) => {
        if (!path.includes("if_seq_no=28")) return path;
        const response = await fetch(double.url + path.split("?")[0]);
        return path.replace("if_seq_no=28", `if_seq_no=${(await response.json())._seq_no}`);
      },
    });
    assertEquals(compared, 101);
  });

  Deno.test(`the cluster double keeps snapshot policies as OpenSearch ${version} did`, async () => {
    await using double = startClusterDouble({ version });
    const recorded = await readRecording("opensearch-snapshot-policies.txt", version);
    const compared = await replay(double.url, recorded, {
      without: /\/_snapshot\//,
      before: {
        "PUT /_plugins/_sm/policies/daily?if_seq_no=154&if_primary_term=1": [
          "POST /_plugins/_sm/policies/daily/_stop",
        ],
      },
      ignored: ["_seq_no", "_version", "schema_version"],
      // The one that OpenSearch 3 takes and 2 refuses counts too.
      rewrite: (path) =>
        version === "3.4.0" ? path.replace("no=155", "no=156").replace("no=154", "no=155") : path,
    });
    assertEquals(compared, 58);
  });

  Deno.test(`the cluster double keeps templates, pipelines, scripts and settings as OpenSearch ${version} did`, async () => {
    await using double = startClusterDouble({ version });
    const bare = '{"settings":{"number_of_replicas":0}}';
    const recorded = await readRecording("opensearch-kinds.txt", version);
    const compared = await replay(double.url, recorded, {
      // The server that was asked lacked the processors of search pipelines.
      without: version === "3.4.0" ? /_search\/pipeline|k-si/ : undefined,
      before: {
        "GET /k-n-1/_mapping": [
          'PUT /_index_template/k-ni {"index_patterns":["k-n-*"],"composed_of":["k-n"]}',
          "PUT /k-n-1",
        ],
        "PUT /_component_template/k-bad": ["DELETE /k-n-1"],
        "DELETE /_index_template/k-low": [
          'PUT /_index_template/k-low {"index_patterns":["k-low"]}',
        ],
        "PUT /k-pi/_doc/1": ['PUT /k-pi {"settings":{"default_pipeline":"k-p"}}'],
        "DELETE /_ingest/pipeline/k-p#2": ['PUT /_ingest/pipeline/k-p {"processors":[]}'],
        "PUT /k-si/_settings": [`PUT /k-si ${bare}`],
        "GET /_alias/k-al": [`PUT /k-a1 ${bare}`, `PUT /k-a2 ${bare}`],
        "GET /k-i/_settings": [`PUT /k-i ${bare}`],
      },
    });
    assertEquals(compared, version === "2.19.4" ? 169 : 152);
  });
}

Deno.test("the cluster double copies and swaps indices as OpenSearch 2.19.4 did", async () => {
  await using double = startClusterDouble();
  const recorded = await readRecording("opensearch-2.19.4-reindex.txt");
  // An index of two shards counts each of them.
  const compared = await replay(double.url, recorded, { ignored: ["shard"] });
  assertEquals(compared, 57);
});

for (const flavour of ["opensearch", "elasticsearch"] as const) {
  const name = flavour === "opensearch" ? "opensearch-2.19.4" : "elasticsearch-7.17.29";
  Deno.test(`the cluster double answers what the runner asks as ${name} did`, async () => {
    await using double = startClusterDouble({ flavour, ism: false });
    const compared = await replay(double.url, await readRecording(`${name}.txt`), {
      // About the server itself, text that is cut off in a template, scripts and data streams.
      without: /^GET \/$|_cluster\/health|template\/bad3|_update\/1|_data_stream|_delete_by_query/,
    });
    assertEquals(compared, 50);
  });
}
