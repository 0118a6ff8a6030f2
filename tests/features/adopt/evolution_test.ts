import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { adopt, type AdoptOptions } from "../../../src/features/adopt/adopt.ts";
import { baseline, HistoryError, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { HTTP_FILES } from "../../../src/features/adopt/http_files.ts";
import { matchRows } from "../../../src/migrations/search/foreign/evolution.ts";
import { blocksOf } from "../../../tools/docs/blocks.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { filesOf, loadedFile } from "../../migrations/runner/memory.ts";
import RECORDED from "./recorded/elasticsearch_evolution.json" with {
  type: "json",
};
import { apply, withSession } from "../../migrations/search/runner.ts";

Deno.test("the checksums that elasticsearch-evolution itself recorded are found again", async () => {
  const { documents, files } = RECORDED;
  const paths = Object.keys(files).map((name) => name.replace(/http$/, "json"));
  const { rows } = matchRows(documents, paths);
  assertEquals(rows.map(({ path }) => path), ["V1__template.json", "V1.10__index.json"]);
  for (const { checksum } of rows) {
    const content = files[checksum!.original as keyof typeof files];
    const found = await checksum!.of(new TextEncoder().encode(content));
    assertEquals(found[0], checksum!.recorded);
    const edited = await checksum!.of(new TextEncoder().encode(`${content}x`));
    assertEquals(edited.includes(checksum!.recorded), false);
  }
});

/** The files that `adopt` writes for the `.http` file. */
function rewritten(text: string): readonly { readonly path: string; readonly text: string }[] {
  const bytes = new TextEncoder().encode(text);
  return HTTP_FILES.rewrite({ path: "a/V1.0__x.http", bytes });
}

/** The content of an `.http` file, and the request that is sent for the file of ours. */
const REQUESTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["DELETE /logs", { method: "DELETE", path: "/logs" }],
  ["PUT logs\n", { method: "PUT", path: "/logs" }],
  [
    '# what\n// it is\nPUT /logs\nContent-Type: application/json; charset=utf-8\n\n{\n// why\n  "n": 1.50\n}\n',
    { method: "PUT", path: "/logs", body: '{\n    "n": 1.50\n  }' },
  ],
  [
    'POST /_bulk?refresh=true\r\nContent-Type: application/x-ndjson\r\n\r\n{"index":{}}\r\n{"n":1}\r\n',
    {
      method: "POST",
      path: "/_bulk?refresh=true",
      body: '{"index":{}}\n{"n":1}\n',
      contentType: "application/x-ndjson",
    },
  ],
  ["POST /_x\n\nplain\ntext", { method: "POST", path: "/_x", body: "plain\ntext" }],
];

for (const [text, expected] of REQUESTS) {
  Deno.test(`rewrite makes a request of ${JSON.stringify(text.slice(0, 30))}`, async () => {
    const [write, ...others] = rewritten(text);
    assertEquals([write?.path, others], ["a/V1.0__x.json", []]);
    const { request } = classify(await loadedFile(write!.path, write!.text), "reapply");
    assertEquals({ ...request }, expected as unknown as typeof request);
  });
}

Deno.test("rewrite makes of the guide's request what the guide says", async () => {
  const page = "docs/guide/from-other-runners.md";
  const blocks = blocksOf(await Deno.readTextFile(page), page);
  const code = (wanted: string) => blocks.find(({ language }) => language === wanted)!.code;
  const [write] = rewritten(code("http"));
  assertEquals(JSON.parse(write!.text), JSON.parse(code("json")));
});

Deno.test("rewrite refuses what is no request, and headers that are not sent, with their line", () => {
  for (
    const [text, line, message] of [
      ["{}", 1, /Expected a method and a path in the first line/],
      ["# a\n\nPUT /x\nX-Own: 1\n\n{}", 4, /headers other than Content-Type/],
      ["", 1, /found ''/],
    ] as const
  ) {
    const { problems } = assertThrows(() => rewritten(text), InvalidFilesError);
    assertEquals(problems[0]?.line, line);
    assertMatch(problems[0]!.message, message);
  }
});

/** A document of the history as elasticsearch-evolution writes it. */
function row(version: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    scriptName: `V${version}__x.http`,
    version,
    description: "x",
    checksum: 0,
    success: true,
    locked: false,
    executionTimestamp: "2026-01-02T03:04:05.678+00:00",
    executionRuntimeInMillis: 7,
    indexName: "es_evolution",
    ...more,
  };
}

Deno.test("matchRows goes by name, then by version, and leaves entries of its own out", () => {
  const { rows } = matchRows(
    [
      row("1.10"),
      row("1.2"),
      row("0.1", { scriptName: "-" }),
      row("3", { success: false }),
      row("4"),
    ],
    ["V001.010__better.json", "V1.2__x.json", "V3__x.json"],
  );
  assertEquals(rows.map(({ name, path, failed }) => [name, path, failed !== undefined]), [
    ["V1.2__x.http", "V1.2__x.json", false],
    ["V1.10__x.http", "V001.010__better.json", false],
    ["V3__x.http", "V3__x.json", true],
    ["V4__x.http", undefined, false],
  ]);
});

const FIRST = 'PUT /_index_template/a\n\n{"index_patterns":["a-1"]}\n';

/** The requests of {@linkcode FIRST} and of another file. */
const TREE = {
  "V1__x.json": '{"method":"PUT","path":"/_index_template/a","body":{"index_patterns":["a-1"]}}',
  "V2__y.json": '{"method":"PUT","path":"/_index_template/b","body":{"index_patterns":["b-1"]}}',
};

async function adopted(url: string, original: string, options: AdoptOptions = {}) {
  return await withSession(url, TREE, async (session, files) => {
    const originals = await filesOf({ "V1__x.http": original });
    return await adopt(session, files, { originals, ...options });
  });
}

async function leaveHistory(url: string, more: Readonly<Record<string, unknown>> = {}) {
  const checksum = [...FIRST].reduce((hash, c) => (Math.imul(hash, 31) + c.charCodeAt(0)) | 0, 0);
  const source = JSON.stringify(row("1", { checksum, ...more }));
  const body = `${JSON.stringify({ index: { _index: "es_evolution", _id: "1" } })}\n${source}\n`;
  await (await fetch(`${url}/_bulk?refresh=true`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body,
  })).body?.cancel();
}

Deno.test("adopt takes the history of elasticsearch-evolution over, and the next run applies the rest", async () => {
  await using double = startClusterDouble();
  await leaveHistory(double.url);
  const early = await apply(double.url, TREE);
  assertMatch(`${early.error?.message}`, /history of elasticsearch-evolution/);
  assertEquals(early.error instanceof HistoryError, true);

  const dry = await adopted(double.url, FIRST, { dryRun: true });
  assertEquals([dry.rows[0]?.state, dry.isRecorded, dry.pending], ["adopted", false, [
    "V2__y.json",
  ]]);
  assertEquals((await adopted(double.url, FIRST)).isRecorded, true);
  const report = await apply(double.url, TREE);
  assertEquals(report.results.map(({ outcome }) => outcome), ["skipped", "applied"]);
  assertEquals((await adopted(double.url, FIRST)).rows[0]?.state, "known");
});

Deno.test("a run stops while the history has a row whose file has no record", async () => {
  await using double = startClusterDouble();
  await leaveHistory(double.url);
  await adopted(double.url, FIRST);
  // As where 'adopt' was cut off between the two.
  await leaveHistory(double.url, { version: "2", scriptName: "V2__y.http" });
  const { error } = await apply(double.url, TREE);
  assertMatch(`${error?.message}`, /have no record here are applied according to .*es_evolution/);
  await adopted(double.url, FIRST, { from: "none" });
  assertEquals((await apply(double.url, TREE)).error, undefined);
});

Deno.test("baseline writes all records in one request: a part of them is never left", async () => {
  await using double = startClusterDouble();
  const tree = Object.fromEntries(
    Array.from(
      { length: 1200 },
      (_, n) => [`${n}.json`, TREE["V1__x.json"].replace("/a", `/${n}`)],
    ),
  );
  const done = await withSession(double.url, tree, (session, files) => baseline(session, files));
  assertEquals(done.length, 1200);
  const writes = double.requests.filter(({ line, body }) =>
    line.includes("_bulk") && `${body}`.includes("recorded without applying it")
  );
  assertEquals(writes.length, 1);
});

Deno.test("baseline splits records that are too large for one request", async () => {
  await using double = startClusterDouble();
  const long = "x".repeat(3000);
  const tree = Object.fromEntries(
    Array.from(
      { length: 1200 },
      (_, n) => [`${n}.json`, TREE["V1__x.json"].replace("/a", `/${n}${long}`)],
    ),
  );
  const done = await withSession(double.url, tree, (session, files) => baseline(session, files));
  assertEquals(done.length, 1200);
  const sizes = double.requests.filter(({ line }) => line.includes("_bulk"))
    .map(({ body }) => `${body}`.length);
  assertEquals(sizes.filter((size) => size > 5 * 1024 ** 2), []);
  assertEquals(sizes.filter((size) => size > 1_000_000).length, 2);
  assertEquals(
    (await withSession(double.url, tree, (session, files) => baseline(session, files))).length,
    0,
  );
});

Deno.test("adopt refuses an edited script, and one that the other tool has locked", async () => {
  for (
    const [original, more, state] of [
      [`${FIRST} `, {}, "differs"],
      [FIRST, { locked: true }, "failed"],
    ] as const
  ) {
    await using double = startClusterDouble();
    await leaveHistory(double.url, more);
    const { rows, refused } = await adopted(double.url, original);
    assertEquals([rows.at(-1)?.state, refused instanceof HistoryError], [state, true]);
    assertEquals(double.documents.indices.has("framework_migrations"), false);
  }
});

Deno.test("adopt --from none records nothing, and lets the next run begin", async () => {
  await using double = startClusterDouble();
  await leaveHistory(double.url);
  assertEquals((await adopted(double.url, FIRST, { from: "none" })).rows, []);
  const { results } = await apply(double.url, TREE);
  assertEquals(results.map(({ outcome }) => outcome), ["applied", "applied"]);
});

Deno.test("a history that the user may not read stops the first run, with the way out", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("es_evolution") ? Response.json({ error: "no" }, { status: 403 }) : undefined,
  });
  const { error } = await apply(double.url, TREE);
  assertEquals(error instanceof HistoryError, true);
  assertMatch(`${error?.message}`, /may be a history[^]*no right to read[^]*--from none/);
  const refused = await assertRejects(() => adopted(double.url, FIRST), HistoryError);
  assertMatch(refused.message, /no right to read the index 'es_evolution'/);
  await adopted(double.url, FIRST, { from: "none" });
  const { results } = await apply(double.url, TREE);
  assertEquals(results.map(({ outcome }) => outcome), ["applied", "applied"]);
});

Deno.test("a first run asks for no other history unless a file is called as its files are", async () => {
  await using double = startClusterDouble();
  await leaveHistory(double.url);
  double.requests.length = 0;
  const { error } = await apply(double.url, { "1.json": TREE["V1__x.json"] });
  assertEquals(error, undefined);
  assertEquals(double.requests.some(({ line }) => line.includes("es_evolution")), false);
});
