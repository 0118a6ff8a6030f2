/** Types of documents on clusters: what they accept is accepted, and what they refuse is refused, or coerced. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { documentTypes } from "../../../../src/features/types/documents/module.ts";
import { classify } from "../../../../src/migrations/search/files/classify.ts";
import { depth, slice, writeProof } from "../../../long/mod.ts";
import {
  ask,
  clusterTest,
  ELASTICSEARCH,
  PLAIN_CLUSTERS,
  type RealCluster,
} from "../../../servers/real.ts";
import { FIELDS, type Mapping, MAPPINGS, scalar, without } from "./index_files.ts";
import { accepts, readTypes, type TypeModule, type TypeNode, valuesOf } from "./type_nodes.ts";

const DOCUMENTS = depth(10, 50, 200);
const proofs: string[] = [];

interface Typed {
  readonly module: TypeModule;
  readonly node: TypeNode;
  readonly text: string;
}

function typeOf(name: string, mappings: Mapping): Typed {
  const bytes = new TextEncoder().encode(JSON.stringify({ mappings }));
  const path = `${name}.json`;
  const file = { path, location: path, hash: "", bytes };
  const { text } = documentTypes([classify(file, "reapply")]);
  const module = readTypes(text);
  return { module, text, node: [...module.types.values()].at(-1)!.node };
}

/** An index of one test, in which objects of the mapping that say nothing are strict. */
async function withIndex<T>(
  cluster: RealCluster,
  mappings: Mapping,
  work: (name: string) => Promise<T>,
): Promise<T> {
  const name = `types-${crypto.randomUUID().slice(0, 8)}`;
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const { status, json } = await ask(cluster, "PUT", `/${name}`, { settings, mappings });
  assertEquals(status, 200, JSON.stringify(json));
  try {
    return await work(name);
  } finally {
    await ask(cluster, "DELETE", `/${name}`);
  }
}

/** Why the cluster refuses each document; `undefined` for those it takes. */
async function refusals(
  cluster: RealCluster,
  index: string,
  documents: readonly unknown[],
): Promise<readonly (string | undefined)[]> {
  const lines = documents.flatMap((document) => [
    // Children of a join have the shard of their parent.
    JSON.stringify({ index: { routing: "1" } }),
    JSON.stringify(document),
  ]);
  const response = await fetch(`${cluster.url}/${index}/_bulk`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: `${lines.join("\n")}\n`,
  });
  const { items } = await response.json();
  return items.map(({ index: { error } }: { index: { error?: { reason: string } } }) =>
    error && JSON.stringify(error)
  );
}

/** Types of fields that a cluster does not have. */
async function absentTypes(cluster: RealCluster): Promise<ReadonlySet<unknown>> {
  const absent = new Set<unknown>();
  for (
    const { type, ...rest } of [...Object.values(FIELDS), { type: "join", relations: { a: "b" } }]
  ) {
    const body = {
      mappings: { properties: { f: { type, ...rest }, target: { type: "keyword" } } },
    };
    const name = `types-probe-${crypto.randomUUID().slice(0, 8)}`;
    const { status } = await ask(cluster, "PUT", `/${name}`, body);
    if (status === 200) await ask(cluster, "DELETE", `/${name}`);
    else absent.add(type);
  }
  return absent;
}

for (const cluster of [...PLAIN_CLUSTERS, ...ELASTICSEARCH]) {
  clusterTest(cluster, "types of documents: the cluster accepts what they accept", async () => {
    const absent = await absentTypes(cluster);
    const files = slice(MAPPINGS, depth(4, 1)).map((mapping) => without(mapping, absent));
    let [count, unknown] = [0, 0];
    for (const mapping of files) {
      const typed = typeOf("orders", mapping);
      const { node, module, text } = typed;
      const documents = fc.sample(valuesOf(node, expanded(mapping), module, scalar), {
        numRuns: DOCUMENTS,
        seed: 11,
      });
      for (const one of documents) assert(accepts(node, one, module), JSON.stringify(one));
      await withIndex(cluster, mapping, async (name) => {
        const found = await refusals(cluster, name, documents);
        const wrong = found.flatMap((reason, index) => {
          return reason ? [`${reason}\n${JSON.stringify(documents[index])}`] : [];
        });
        assertEquals(wrong.slice(0, 3), [], text);
      });
      unknown += await checkUnknownFields(cluster, mapping, typed);
      count += documents.length;
    }
    proofs.push(
      `## ${cluster.name}`,
      "",
      `${files.length} index files, ${count} documents of their types: all accepted. ${unknown} documents with an ` +
        "unknown field in one of their objects: all refused, or ignored below `dynamic: false`.",
      ...(absent.size > 0
        ? [`Types that this server does not have: ${[...absent].sort().join(", ")}.`]
        : []),
      "",
    );
  });

  clusterTest(
    cluster,
    "types of documents: the cluster refuses or coerces what they refuse",
    async () => {
      const absent = await absentTypes(cluster);
      const fields = Object.entries(FIELDS).filter(([, { type }]) =>
        !absent.has(type) && type !== "alias"
      );
      const mapping = {
        dynamic: "strict",
        properties: { ...Object.fromEntries(fields), target: FIELDS.keyword! },
      };
      const { node, module } = typeOf("orders", mapping);
      const table: string[] = [];
      await withIndex(cluster, mapping, async (name) => {
        assert(!accepts(node, { unknown: 1 }, module));
        assert(
          (await refusals(cluster, name, [{ unknown: 1 }]))[0]?.includes("strict_dynamic_mapping"),
        );
        for (const [field] of fields) {
          const cells = [];
          for (const value of SAMPLES) {
            const document = { [field]: value };
            const isAccepted = accepts(node, document, module);
            const [reason] = await refusals(cluster, name, [document]);
            const cell = isAccepted ? "type" : reason ? "refused" : "coerced";
            if (cell === "coerced") {
              assert(COERCED[typeof value]?.test(field), `${field} takes ${JSON.stringify(value)}`);
            }
            cells.push(cell);
          }
          table.push(`| ${field} | ${cells.join(" | ")} |`);
        }
      });
      proofs.push(
        `| field | ${SAMPLES.map((one) => `\`${JSON.stringify(one)}\``).join(" | ")} |`,
        `| --- | ${SAMPLES.map(() => "---").join(" | ")} |`,
        ...table,
        "",
      );
    },
  );
}

const TEXTS = "^(?:keyword|text|wildcard|match_only_text|search_as_you_type|token_count|binary)$";
/** Fields that take a value of another kind than their own, by its kind. */
const COERCED: Readonly<Record<string, RegExp>> = {
  string: /^(?:long|integer|short|byte|unsigned_long|double|\w*float|date_epoch|rank_feature)$/,
  number: new RegExp(`${TEXTS}|^date(?:_nanos)?$`),
  boolean: new RegExp(TEXTS),
};
/** Each object with a field that the mapping does not name. @returns how many */
async function checkUnknownFields(
  cluster: RealCluster,
  mapping: Mapping,
  { node, module }: Typed,
): Promise<number> {
  const all = [...objectsOf(expanded(mapping), [], "true")];
  const documents = all.map(({ path }) =>
    path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), { unknown: 1 })
  );
  await withIndex(cluster, mapping, async (index) => {
    const found = await refusals(cluster, index, documents);
    for (const [at, { path, dynamic }] of all.entries()) {
      assert(!accepts(node, documents[at], module), path.join());
      assertEquals(found[at] === undefined, dynamic === "false", `${path}: ${found[at]}`);
    }
  });
  return all.length;
}

/** The objects of a mapping, with what the cluster does with fields that they do not name. */
function* objectsOf(
  { type = "object", enabled = true, properties = {}, dynamic: own }: Mapping,
  path: readonly string[],
  around: string,
): Iterable<{ readonly path: readonly string[]; readonly dynamic: string }> {
  if ((type !== "object" && type !== "nested") || enabled === false) return;
  const dynamic = `${own ?? around}`;
  yield { path, dynamic };
  for (const [name, field] of Object.entries(properties as Record<string, Mapping>)) {
    yield* objectsOf(field, [...path, name], dynamic);
  }
}

const SAMPLES = ["text", "7", 7, 1.5, true, { x: 1 }];

/** A mapping whose names have no points, as its type has them. */
function expanded(mapping: Mapping): Mapping {
  const properties: Record<string, Mapping> = {};
  for (
    const [path, field] of Object.entries((mapping.properties ?? {}) as Record<string, Mapping>)
  ) {
    const [first = "", ...rest] = path.split(".");
    const inner = rest.length === 0
      ? expanded(field)
      : expanded({ properties: { [rest.join(".")]: field } });
    const before = properties[first];
    properties[first] = before
      ? {
        ...before,
        ...inner,
        properties: { ...before.properties as object, ...inner.properties as object },
      }
      : inner;
  }
  return mapping.properties === undefined ? mapping : { ...mapping, properties };
}

Deno.test.afterAll(() =>
  writeProof(
    "document-types",
    "# Types of documents\n\nDocuments are generated from the types that `irori types -m search` writes for 40 index " +
      "files, and sent to indices with `dynamic: strict`. Ranges and formats are outside of the types and come from the " +
      "mapping. The tables show what becomes of a value in a field: `type` is accepted by the type, the others are not.\n\n",
    proofs,
  )
);
