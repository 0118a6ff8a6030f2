import { assert, assertEquals, assertMatch } from "@std/assert";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { slice, writeProof } from "../../long/mod.ts";
import { ask, clusterTest, PLAIN, PLAIN_CLUSTERS, type RealCluster } from "../../servers/real.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { drifted } from "../drift/support.ts";
import { type Parameter, PARAMETERS, TYPE_COUNT } from "./parameters.ts";
import { reindexing } from "./support.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An index of one test. */
class TestIndex {
  readonly name = `p${crypto.randomUUID().slice(0, 8)}`;
  readonly connection: SearchConnection;

  constructor(readonly cluster: RealCluster, changes: "reindex" | "ignore" = "reindex") {
    const base = { ...connectionTo(cluster.url), name: this.name, timeoutMs: 60_000 };
    const settings = { writePauseMs: 30_000, oldIndices: "delete" } as const;
    this.connection = changes === "reindex" ? reindexing(base, settings) : base;
  }

  tree(fields: Fields) {
    return { [`${this.name}.json`]: JSON.stringify(bodyOf(fields)) };
  }

  /** @returns what was noted of the file */
  async migrate(fields: Fields): Promise<string> {
    const { error, results } = await apply(this.connection, this.tree(fields));
    assertEquals(error, undefined);
    return results[0]?.note ?? "";
  }

  async drift(fields: Fields): Promise<readonly string[]> {
    const found = await drifted(this.connection, this.tree(fields));
    return found.flatMap(({ differences }) => differences.map(({ path }) => path));
  }

  async plan(fields: Fields): Promise<{ note: string; paths: readonly string[] }> {
    const { steps } = await planned(this.connection, this.tree(fields));
    const { note = "", differences = [] } = steps[0]!;
    return { note, paths: differences.map(({ path }) => path) };
  }

  /** The fields of an index as the cluster shows them. */
  async fields(index = this.name): Promise<Fields> {
    const { json } = await ask(this.cluster, "GET", `/${index}/_mapping`);
    const [{ mappings }] = Object.values(json as Record<string, { mappings: Fields }>) as [
      { mappings: Fields },
    ];
    return mappings.properties as Fields;
  }

  /** The fields as the cluster stores them; a text where it refuses them. */
  async made(fields: Fields): Promise<Fields | string> {
    const name = `${this.name}-probe`;
    const body = { index_patterns: [name], priority: 1_000_000, template: bodyOf(fields) };
    const path = `/_index_template/_simulate_index/${name}`;
    const { status, json } = await ask(this.cluster, "POST", path, body);
    if (status !== 200) return JSON.stringify(json);
    return (json as { template: { mappings: { properties: Fields } } }).template.mappings
      .properties;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const path = `/${this.name},${this.name}-*?expand_wildcards=all&ignore_unavailable=true`;
    const { json } = await ask(this.cluster, "GET", path);
    for (const index of Object.keys(json as Fields)) await ask(this.cluster, "DELETE", `/${index}`);
    const query = { query: { term: { connection: this.name } } };
    await ask(this.cluster, "POST", "/framework_migrations/_delete_by_query?refresh=true", query);
    await ask(this.cluster, "DELETE", `/framework_migrations_lock/_doc/${this.name}`);
  }
}

function bodyOf(fields: Fields): unknown {
  return {
    settings: { number_of_shards: 1, number_of_replicas: 0, "mapping.total_fields.limit": 5000 },
    mappings: {
      properties: { ...fields, target: { type: "keyword" }, target2: { type: "keyword" } },
    },
  };
}

function bare({ base }: Parameter): Fields {
  return base;
}

function withValue({ base, parameter }: Parameter, value: unknown): Fields {
  const usual = ["analyzer", "search_analyzer", "search_quote_analyzer"];
  // A quote analyzer is refused without the one it is in place of.
  const needed = usual.slice(0, usual.indexOf(parameter)).filter(() =>
    parameter.endsWith("quote_analyzer")
  );
  const named = Object.fromEntries(needed.map((name) => [name, "standard"]));
  return { ...base, ...(value === "default" ? {} : named), [parameter]: value };
}

/** Whether it adds a field below the field. */
function isField({ parameter }: Parameter): boolean {
  return parameter === "fields" || parameter === "properties";
}

const proofs: string[] = [];

clusterTest(PLAIN, "drift of an index behind an alias that a template matches", async (cluster) => {
  await using place = new TestIndex(cluster);
  const template = `${place.name}-all`;
  const path = `/_index_template/${template}`;
  await ask(cluster, "PUT", path, { index_patterns: [`${place.name}*`], priority: 900 });
  try {
    const fields = { f: { type: "keyword" } };
    assertMatch(await place.migrate(fields), /its alias/);
    assertEquals(await place.drift(fields), []);
    const changed = { properties: { f: { type: "keyword", ignore_above: 5 } } };
    await ask(cluster, "PUT", `/${place.name}/_mapping`, changed);
    assertEquals(await place.drift(fields), ["mappings.properties.f.ignore_above"]);
  } finally {
    await ask(cluster, "DELETE", path);
  }
});

for (const cluster of PLAIN_CLUSTERS) {
  clusterTest(cluster, "index_changes: plan, migrate and drift see every parameter", async () => {
    await using place = new TestIndex(cluster);
    // An index has one join.
    const candidates = PARAMETERS.filter(({ name }) => name !== "join.relations");
    const isTaken = await Promise.all(candidates.map(async (one) => {
      const before = await place.made({ f: bare(one) });
      const after = await place.made({ f: withValue(one, one.other) });
      assert(typeof before !== "string", `${one.name}: ${before}`);
      return typeof after !== "string" && JSON.stringify(before) !== JSON.stringify(after);
    }));
    const parameters = candidates.filter((_, position) => isTaken[position]);
    assert(parameters.length > 150, String(parameters.length));
    const all = (value: (parameter: Parameter) => Fields): Fields =>
      Object.fromEntries(parameters.map((one) => [one.name.replace(".", "_"), value(one)]));
    const names = (paths: readonly string[]) =>
      [...new Set(paths.map((path) => path.split(".")[1]))].toSorted();
    const expected = Object.keys(all(bare)).toSorted();

    await place.migrate(all(bare));
    assertEquals(await place.drift(all(bare)), []);
    for (const way of [0, 1]) {
      const usual = all((one) => {
        return one.usual.length === 0 ? bare(one) : withValue(one, one.usual[way] ?? one.usual[0]);
      });
      assertEquals((await place.plan(usual)).paths, []);
      assertMatch(await place.migrate(usual), /^nothing of it differs/);
      assertEquals(await place.drift(usual), []);
    }
    const others = all((one) => withValue(one, one.other));
    const seen = names((await place.plan(others)).paths);
    assertEquals(expected.filter((name) => !seen.includes(name)), []);
    assertMatch(await place.migrate(others), /^copied 0 documents/);
    assertEquals(await place.drift(others), []);
    assertEquals(await place.fields(), await place.made(others));
    // A field that the file does not name any more stays.
    const back = all((one) => isField(one) ? withValue(one, one.other) : bare(one));
    const seenBack = names((await place.plan(back)).paths);
    const reverted = parameters.filter((one) => !isField(one)).map(({ name }) =>
      name.replace(".", "_")
    );
    assertEquals(reverted.filter((name) => !seenBack.includes(name)), []);
    assertMatch(await place.migrate(back), /^copied 0 documents/);
    assertEquals(await place.drift(back), []);
    assertEquals(await place.fields(), await place.made(back));
  });

  clusterTest(
    cluster,
    "a live index stays as it is without index_changes, and drift says where",
    async () => {
      await using place = new TestIndex(cluster, "ignore");
      const edits = [
        [{ type: "binary" }, { type: "binary", doc_values: true }],
        [{ type: "search_as_you_type" }, { type: "search_as_you_type", norms: false }],
        [{ type: "keyword", index: false }, { type: "keyword", index: true }],
        [{ type: "date", locale: "fr" }, { type: "date", locale: "ROOT" }],
      ] as const;
      const at = (position: 0 | 1) =>
        Object.fromEntries(edits.map((edit, index) => [`f${index}`, edit[position]]));
      await place.migrate(at(0));
      assertEquals(await place.drift(at(0)), []);
      const before = await place.fields();
      assertMatch(
        await place.migrate(at(1)),
        /^the index exists already and was not changed; it differs in mappings\.properties\.f0\.doc_values/,
      );
      assertEquals(await place.fields(), before);
      assertEquals(await place.drift(at(1)), [
        "mappings.properties.f0.doc_values",
        "mappings.properties.f1.norms",
        "mappings.properties.f2.index",
        "mappings.properties.f3.locale",
      ]);
    },
  );

  clusterTest(
    cluster,
    "index_changes: keep reports every parameter that an index file no longer has",
    async () => {
      await using place = new TestIndex(cluster, "ignore");
      const candidates = PARAMETERS.filter((one) =>
        one.name !== "join.relations" && one.parameter !== "properties"
      );
      const isTaken = await Promise.all(candidates.map(async (one) => {
        const before = await place.made({ f: bare(one) });
        const after = await place.made({ f: withValue(one, one.other) });
        return typeof after !== "string" && JSON.stringify(before) !== JSON.stringify(after);
      }));
      const parameters = candidates.filter((_, position) => isTaken[position]);
      assert(parameters.length > 150, String(parameters.length));
      const all = (value: (parameter: Parameter) => Fields): Fields =>
        Object.fromEntries(parameters.map((one) => [one.name.replace(".", "_"), value(one)]));
      const [others, back] = [all((one) => withValue(one, one.other)), all(bare)];
      await place.migrate(others);
      assertEquals(await place.drift(others), []);
      const missed = (paths: readonly string[]) => {
        const seen = new Set(paths.map((path) => path.split(".")[2]));
        return Object.keys(back).filter((name) => !seen.has(name));
      };
      assertEquals(missed((await place.plan(back)).paths), []);
      assertMatch(await place.migrate(back), /was not changed; it differs in .* and \d+ more$/);
      assertEquals(missed(await place.drift(back)), []);
    },
  );

  clusterTest(
    cluster,
    "index_changes: keep reports alias definitions that differ, and no member of templates or later files",
    async () => {
      await using place = new TestIndex(cluster, "ignore");
      const alias = `${place.name}-a`;
      const fields = { a: { type: "keyword" }, o: { properties: { b: { type: "keyword" } } } };
      const tree = (definition: unknown, properties: unknown) => ({
        [`a/${place.name}-template.json`]: JSON.stringify({
          index_patterns: [place.name],
          template: { mappings: { properties: { o: { type: "object", dynamic: "strict" } } } },
        }),
        [`b/${place.name}.json`]: JSON.stringify({
          mappings: { properties },
          aliases: { [alias]: definition },
        }),
        "c.json": JSON.stringify({
          method: "PUT",
          path: `/${place.name}/_mapping`,
          body: { properties: { a: { type: "keyword", ignore_above: 7 } } },
        }),
      });
      const routed = { routing: "1", filter: { term: { a: "x" } } };
      const run = async (files: Record<string, string>) => {
        const { error, results } = await apply(place.connection, files);
        assertEquals(error, undefined);
        const drift = await drifted(place.connection, files);
        return [
          results.map(({ note = "" }) => note).find((note) => note.includes("it differs")) ?? "",
          drift.flatMap(({ differences }) => differences.map(({ path }) => path)),
        ] as const;
      };
      try {
        assertEquals(await run(tree(routed, fields)), ["", []]);
        const paths = ["filter", "index_routing", "search_routing"].map((name) =>
          `aliases.${alias}.${name}`
        );
        const [note, found] = await run(tree({}, fields));
        assertMatch(note, /it differs in .*aliases\./);
        assertEquals(found.toSorted(), paths);
        assertEquals((await run(tree({ routing: "1" }, fields)))[1], [paths[0]]);
      } finally {
        await ask(cluster, "DELETE", `/_index_template/${place.name}`);
      }
    },
  );

  clusterTest(
    cluster,
    "index_changes: reindex names the root parameters that are left when the file drops them",
    async () => {
      await using place = new TestIndex(cluster);
      const root = { dynamic: "strict", date_detection: false, _routing: { required: true } };
      const tree = (more: Fields) => ({
        [`${place.name}.json`]: JSON.stringify({
          mappings: { ...more, properties: { a: { type: "keyword" } } },
        }),
      });
      await apply(place.connection, tree(root));
      const { steps } = await planned(place.connection, tree({}));
      assertMatch(steps[0]!.note ?? "", /what the file does not name is left: mappings\./);
      const { error, results } = await apply(place.connection, tree({}));
      assertEquals(error, undefined);
      const [said, left = ""] = results[0]!.note!.split("; what the file does not name is left: ");
      assertEquals(said, "what the file names is so already");
      const names = ["_routing", "date_detection", "dynamic"].map((name) => `mappings.${name}`);
      assertEquals(left.split(", ").toSorted(), names);
      assertEquals((await apply(place.connection, tree({}))).error, undefined);
    },
  );

  clusterTest(
    cluster,
    "index_changes: an edit of one parameter reaches the index, or is refused",
    async () => {
      const verdicts: string[] = [];
      const left = [...slice(PARAMETERS, 61, cluster.name.length)];
      const work = async () => {
        for (let one = left.shift(); one !== undefined; one = left.shift()) {
          verdicts.push(`${one.name}: ${await verdictOf(cluster, one)}`);
        }
      };
      await Promise.all([work(), work(), work()]);
      const count = (verdict: string) => verdicts.filter((text) => text.includes(verdict)).length;
      const { json } = await ask(cluster, "GET", "/");
      const { version: { number } } = json as { version: { number: string } };
      proofs.push(
        `## OpenSearch ${number}\n`,
        `${verdicts.length} parameters of ${TYPE_COUNT} types: ${
          count(": reached")
        } reached the index, ` +
          `${count(": refused")} were refused with the server's reason, ${
            count(": ignored")
          } are ` +
          "ignored by the server. `drift` was 0 after each run that succeeded.\n",
        ...verdicts.filter((text) => !text.endsWith(": reached")).toSorted().map((text) =>
          `- ${text}`
        ),
        "",
      );
    },
  );
}

/** Edits one parameter to another value and back. @returns the result */
async function verdictOf(cluster: RealCluster, one: Parameter): Promise<string> {
  await using place = new TestIndex(cluster);
  const [was, is] = [{ f: bare(one) }, { f: withValue(one, one.other) }];
  await place.migrate(was);
  const before = await place.fields();
  assertEquals(await place.drift(was), [], one.name);
  const after = await place.made(is);
  if (typeof after === "string") {
    const { error } = await apply(place.connection, place.tree(is));
    assertMatch(error?.message ?? "", /refused PUT/, one.name);
    assertEquals(await place.fields(), before, one.name);
    return `refused: ${/.*"reason":"(.*?[^\\])"/.exec(after)?.[1]}`;
  }
  const isIgnored = JSON.stringify(before) === JSON.stringify(after);
  const note = await place.migrate(is);
  assertEquals(note.startsWith("nothing of it differs"), isIgnored, `${one.name}: ${note}`);
  assertEquals(await place.fields(), after, one.name);
  assertEquals(await place.drift(is), [], one.name);
  if (isIgnored) return "ignored";
  if (isField(one)) return "reached";
  await place.migrate(was);
  assertEquals(await place.fields(), before, one.name);
  assertEquals(await place.drift(was), [], one.name);
  return "reached";
}

Deno.test.afterAll(() =>
  writeProof(
    "mapping-parameters",
    "# Edits of mapping parameters\n\nA file with one field is migrated with `index_changes: reindex`, edited in one parameter, and reverted.\n\n",
    proofs,
  )
);
