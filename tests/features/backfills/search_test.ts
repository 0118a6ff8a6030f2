import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { loadQuery } from "../../../src/features/backfills/query_file.ts";
import { depth } from "../../long/mod.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { changeThoughKilled, ClusterScene, NO_TOTAL, SET_TOTAL } from "./search_support.ts";
import { sleep } from "./support.ts";

async function succeed({ space }: ClusterScene, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await space.run("-m", "search", ...args);
  assertEquals(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

async function fail({ space }: ClusterScene, code: number, ...args: readonly string[]) {
  const { stdout, stderr, ...outcome } = await space.run("-m", "search", ...args);
  assertEquals(outcome.code, code, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout + stderr;
}

/** Starts a task as a run does that is killed before it has recorded it. */
async function startUnrecorded({ cluster, name }: ClusterScene, body: unknown, rate: number) {
  const query = `requests_per_second=${rate}&scroll_size=10`;
  const path = `_update_by_query?wait_for_completion=false&${query}`;
  const started = await fetch(`${cluster.url}/${name}/${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Opaque-Id": `irori-backfill-${name}/01-backfill.json`,
    },
    body: JSON.stringify(body),
  });
  return (await started.json()).task;
}

clusterTest(
  PLAIN,
  "backfill run -m search + changes each document once, and 'migrate' never runs it",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    const { name } = scene;
    await scene.file("01.json", {
      method: "PUT",
      path: `/${name}/_mapping`,
      body: { properties: { quantity: { type: "long" } } },
    });
    await scene.backfill("02-backfill.json", { query: NO_TOTAL, script: SET_TOTAL });
    await scene.backfill(
      "03-backfill.json",
      { query: { term: { quantity: 7 } } },
      "_delete_by_query",
    );
    assertStringIncludes(
      await fail(scene, 2, "backfill", "run"),
      "Cannot run '02-backfill.json': '01.json' is pending: run 'irori migrate' first",
    );
    await succeed(scene, "migrate");
    await scene.fill(1234);
    assertEquals(
      (await succeed(scene, "backfill", "plan", "02-backfill.json")).trim(),
      `${name}: 02-backfill.json  pending  about 1,234 documents`,
    );
    assertEquals(
      await succeed(scene, "backfill", "run"),
      `${name}: 02-backfill.json  done     1,234 documents changed\n` +
        `${name}: 03-backfill.json  done     1 documents changed\n`,
    );
    assertEquals(await scene.count({ term: { times: 1 } }), 1233);
    const { connections } = JSON.parse(await succeed(scene, "--json", "backfill", "status"));
    assertEquals(connections, [{
      connection: name,
      backfills: [
        { file: "02-backfill.json", state: "done", round: 1, keys: 1234, rows: 1234 },
        { file: "03-backfill.json", state: "done", round: 1, keys: 1, rows: 1 },
      ],
    }]);
    await succeed(scene, "migrate");
    assertEquals((await succeed(scene, "status")).includes("02-backfill.json"), false);
    await succeed(scene, "validate");
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + changes no document twice whose query the change leaves true",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(100);
    const query = { exists: { field: "quantity" } };
    await scene.backfill("01-backfill.json", { query, script: SET_TOTAL });
    const message = "100 documents match after a round for 100: the change leaves the query true";
    for (let run = 0; run < 3; run++) {
      assertStringIncludes(await fail(scene, 8, "backfill", "run"), message);
    }
    assertEquals(await scene.count({ term: { times: 1 } }), 100);
    await succeed(scene, "backfill", "resume", "01-backfill.json");
    assertStringIncludes(await fail(scene, 8, "backfill", "run"), message);
    assertEquals(await scene.count({ term: { times: 2 } }), 100);
    await succeed(scene, "backfill", "resume", "01-backfill.json");
    await startUnrecorded(scene, { query, script: SET_TOTAL }, 1000);
    assertStringIncludes(await fail(scene, 8, "backfill", "run"), message);
    assertEquals(await scene.count({ term: { times: 3 } }), 100);
    await succeed(scene, "backfill", "resume", "01-backfill.json");
    await startUnrecorded(scene, { query, script: SET_TOTAL }, 10);
    while ((await scene.count({ term: { times: 4 } })) === 0) await sleep(50);
    await succeed(scene, "backfill", "pause", "01-backfill.json");
    const changed = 300 + await scene.count({ term: { times: 4 } });
    assertStringIncludes(
      await succeed(scene, "backfill", "status"),
      `paused   ${changed} documents changed`,
    );
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + ends where the script changes none of the documents that match",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(100);
    const source =
      `if (ctx._source.quantity < 30) { ctx.op = 'noop' } else { ${SET_TOTAL.source} }`;
    await scene.backfill("01-backfill.json", { query: NO_TOTAL, script: { source } });
    const message = /30 documents match after a round for (?:30|100)/;
    assertMatch(await fail(scene, 8, "backfill", "run"), message);
    assertEquals(await scene.count({ term: { times: 1 } }), 70);
    assertStringIncludes(await succeed(scene, "backfill", "status"), "begun    70 documents");
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + says why a task failed, and the next run goes on",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(10);
    const source = `if (ctx._source.on == null) { throw new Exception('off') } ${SET_TOTAL.source}`;
    await scene.backfill("01-backfill.json", { query: NO_TOTAL, script: { source } });
    for (let run = 0; run < 2; run++) {
      assertMatch(
        await fail(scene, 8, "backfill", "run"),
        /failed: script_exception: runtime error; caused by \S*exception: off/,
      );
    }
    const on = { query: NO_TOTAL, script: { source: "ctx._source.on = true" } };
    await scene.send("POST", `/${scene.name}/_update_by_query?refresh=true`, on);
    assertStringIncludes(await succeed(scene, "backfill", "run"), "done     10 documents changed");
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + says what is wrong with a shard",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(10);
    const empty = `${scene.name}-empty`;
    await scene.send("PUT", `/${empty}`);
    try {
      const path = `/${scene.name},${empty}/_delete_by_query?slices=2`;
      await scene.backfill("01-backfill.json", { query: NO_TOTAL }, "", { path });
      assertMatch(
        await fail(scene, 8, "backfill", "run"),
        /failed: search_phase_execution_exception: .*; caused by \w+: field _id not found/,
      );
    } finally {
      await scene.send("DELETE", `/${empty}`);
    }
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + reports documents that the task fails for, and is not done",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.send("PUT", `/${scene.name}/_mapping`, { properties: { total: { type: "date" } } });
    await scene.fill(10);
    const script = { source: "ctx._source.total = 'no date'" };
    await scene.backfill("01-backfill.json", { query: NO_TOTAL, script });
    assertMatch(await fail(scene, 8, "backfill", "run"), /\d+ failures, first .*parse/);
    assertStringIncludes(await succeed(scene, "backfill", "status"), "begun    0 documents");
    await scene.send("DELETE", `/${scene.name}`);
    assertStringIncludes(await fail(scene, 8, "backfill", "run"), "index_not_found_exception");
    await scene.send("PUT", `/${scene.name}`);
  },
);

clusterTest(
  PLAIN,
  "backfill pause -m search + cancels the task, and 'resume' lets it go on at another rate",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    const body = { query: NO_TOTAL, script: SET_TOTAL };
    const slow = "_update_by_query?requests_per_second=500&scroll_size=50&slices=2";
    await scene.backfill("01-backfill.json", body, slow);
    assertStringIncludes(
      await fail(scene, 2, "backfill", "pause", "01-backfill.json"),
      "Cannot pause '01-backfill.json': it has not begun",
    );
    await scene.fill(5000);
    assertStringIncludes(
      await succeed(scene, "backfill", "plan"),
      "pending  about 5,000 documents in 10 s",
    );
    const running = scene.space.run("-m", "search", "backfill", "run");
    while ((await scene.count(NO_TOTAL)) === 5000) await sleep(50);
    // The run looks at the task periodically, and a busy machine is late.
    await sleep(2000);
    assertEquals((await scene.tasks()).length, 1);
    assertStringIncludes(await succeed(scene, "backfill", "pause", "01-backfill.json"), "paused");
    const { code, stdout, stderr } = await running;
    assertEquals([code, /paused {3}[1-9]/.test(stdout)], [4, true], stdout + stderr);
    assertMatch(stderr, /changing documents, round 1, [\d,]+\/[1-9]/);
    assertEquals(await scene.tasks(), []);
    assertEquals(
      await fail(scene, 4, "backfill", "run").then((text) => text.includes("paused")),
      true,
    );
    const left = await scene.count(NO_TOTAL);
    assert(left > 0);
    await scene.backfill("01-backfill.json", { ...body, query: { term: { times: 1 } } });
    for (const action of ["pause", "resume"]) {
      await succeed(scene, "backfill", action, "01-backfill.json");
    }
    assertStringIncludes(
      await fail(scene, 2, "backfill", "run"),
      "it was changed since it began",
    );
    await succeed(scene, "backfill", "resume", "01-backfill.json");
    await scene.backfill("01-backfill.json", body);
    assertStringIncludes(
      await succeed(scene, "backfill", "run"),
      "done     5,000 documents changed",
    );
    assertEquals(await scene.count({ term: { times: 1 } }), 5000);
    await scene.backfill("01-backfill.json", { ...body, query: { match_none: {} } });
    assertStringIncludes(await succeed(scene, "backfill", "run"), "done");
  },
);

const INVALID: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["backfill", { backfill: "yes" }, "Expected true"],
  ["path", { method: "PUT" }, "Expected 'POST' to '/<index>/_update_by_query'"],
  ["path", { path: "/orders/_search" }, "Expected 'POST' to '/<index>/_update_by_query'"],
  ["path", { path: "/orders/_update_by_query?max_docs=1" }, "no parameters but 'pipeline'"],
  ["path", { path: "/orders/_update_by_query?requests_per_second=-1" }, "whole numbers above 0"],
  ["path", { path: "/orders/_update_by_query?scroll_size=0" }, "whole numbers above 0"],
  ["path", { path: "/orders/_update_by_query?slices=many" }, "whole numbers above 0"],
  ["path", { path: "/_all/_update_by_query" }, "'/<index>/_update_by_query'"],
  ["path", { path: "/*/_delete_by_query" }, "'/<index>/_update_by_query'"],
  ["path", { path: "/orders,f*_lock/_delete_by_query" }, "'/<index>/_update_by_query'"],
  ["path", { path: "/framework_migrations/_update_by_query" }, "'/<index>/_update_by_query'"],
  ["body", { body: { query: {} } }, "whose 'query' the change makes false"],
  [
    "body",
    { path: "/orders/_delete_by_query", body: { query: NO_TOTAL, script: "" } },
    "'script' for updates alone",
  ],
  ["body", { body: { query: { match_all: {} } } }, "whose 'query' the change makes false"],
  ["body", { body: { script: "ctx.op = 'delete'" } }, "whose 'query' the change makes false"],
  ["body", { body: { query: NO_TOTAL, max_docs: 1 } }, "'script' for updates alone"],
];

clusterTest(
  PLAIN,
  "validate -m search + refuses backfills that cannot be repeated, with line and column",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    for (const [key, more, message] of INVALID) {
      const path = "/orders/_update_by_query";
      const file = { backfill: true, method: "POST", path, body: { query: NO_TOTAL }, ...more };
      await scene.file("01-backfill.json", file);
      const found = await fail(scene, 3, "validate");
      assertStringIncludes(found, message);
      const text = JSON.stringify(file);
      const column = text.indexOf(`"${key}":`) + key.length + 4;
      assertStringIncludes(found, `01-backfill.json:1:${column}`, found);
    }
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + follows a task that was started and not recorded, and starts no other",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(3000);
    const body = { query: NO_TOTAL, script: SET_TOTAL };
    await scene.backfill("01-backfill.json", body);
    const task = await startUnrecorded(scene, body, 1500);
    const running = succeed(scene, "backfill", "run");
    while ((await scene.count(NO_TOTAL)) > 1000) {
      assertEquals(await scene.tasks(), [task]);
      await sleep(100);
    }
    assertStringIncludes(await running, "done     3,000 documents changed");
    assertEquals(await scene.count({ term: { times: 1 } }), 3000);
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + starts one task where several runs begin at once",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(2000);
    const body = { query: NO_TOTAL, script: SET_TOTAL };
    const slow = "_update_by_query?requests_per_second=700&scroll_size=50&slices=1";
    await scene.backfill("01-backfill.json", body, slow);
    let isOver = false;
    const runs = Array.from(
      { length: 4 },
      () => scene.space.runStarted("-m", "search", "backfill", "run"),
    );
    const ended = Promise.all(runs).finally(() => isOver = true);
    while (!isOver) {
      assert((await scene.tasks()).length < 2);
      await sleep(20);
    }
    for (const { code, stdout, stderr } of await ended) {
      assertEquals([code, stdout.includes("done     2,000")], [0, true], stdout + stderr);
    }
    assertEquals(await scene.count({ term: { times: 1 } }), 2000);
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + ends where the query stays true, also while documents are deleted",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(500);
    const query = { range: { quantity: { lt: 1000 } } };
    await scene.backfill("01-backfill.json", { query, script: SET_TOTAL });
    const running = scene.space.run("-m", "search", "backfill", "run");
    let isOver = false;
    running.finally(() => isOver = true);
    // Documents that a search finds last.
    for (let number = 499; !isOver && number > 300; number--) {
      await scene.send("DELETE", `/${scene.name}/_doc/${number}?refresh=true`);
      await sleep(50);
    }
    const { code, stdout, stderr } = await running;
    assertEquals(code, 8, stdout + stderr);
    assertMatch(stderr, /documents match after a round for \d+: the change leaves the query true/);
    assertEquals(await scene.count({ range: { times: { gt: 2 } } }), 0);
  },
);

clusterTest(
  PLAIN,
  "migrate -m search + refuses a backfill whose name does not say that it is one",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(10);
    await scene.backfill("05-total.json", { query: NO_TOTAL, script: SET_TOTAL });
    for (const command of ["validate", "plan", "migrate"]) {
      assertStringIncludes(
        await fail(scene, 3, command),
        "05-total.json:1:13: Expected 'backfill' in the name of a file with this key",
      );
    }
    assertEquals(await scene.count({ exists: { field: "times" } }), 0);
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + goes on while the application writes documents that match",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(100);
    await scene.backfill("01-backfill.json", { query: NO_TOTAL, script: SET_TOTAL });
    const running = scene.space.run("-m", "search", "backfill", "run");
    let number = 1000;
    for (const end = Date.now() + 4000; Date.now() < end;) {
      await scene.fill(1, number++);
      await sleep(50);
    }
    const { code, stdout, stderr } = await running;
    assertEquals(code, 0, stdout + stderr);
    assertEquals(await scene.count({ range: { times: { gt: 1 } } }), 0);
  },
);

clusterTest(
  PLAIN,
  "backfill run -m search + goes on behind a task that the cluster has lost, if that has changed some",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    await scene.fill(3000);
    const body = { query: NO_TOTAL, script: SET_TOTAL };
    const slow = "_update_by_query?requests_per_second=500&scroll_size=50";
    await scene.backfill("01-backfill.json", body, slow);
    const child = scene.space.start("-m", "search", "backfill", "run");
    while ((await scene.count(NO_TOTAL)) === 3000) await sleep(50);
    child.kill("SIGKILL");
    await child.status;
    const [task] = await scene.tasks();
    await scene.send("POST", `/_tasks/${task}/_cancel?wait_for_completion=true`);
    await scene.send("DELETE", `/.tasks/_doc/${task}?refresh=true`);
    await scene.backfill("01-backfill.json", body);
    assertStringIncludes(await succeed(scene, "backfill", "run"), "done");
    assertEquals(await scene.count({ term: { times: 1 } }), 3000);
  },
);

Deno.test("loadQuery() + knows an edit, and neither another rate nor a value of a placeholder", async () => {
  const hashOf = async (parameters: string, value: string, secret = "one") => {
    const body =
      `{"query":{"term":{"a":1}},"script":{"source":"${value}","params":{"p":"\${password}"}}}`;
    const text =
      `{"backfill":true,"method":"POST","path":"/orders/_update_by_query${parameters}","body":${body}}`;
    const read = () => Promise.resolve(new TextEncoder().encode(text));
    const file = { path: "1-backfill.json", location: "/1-backfill.json", hash: "", read };
    const connection = {
      name: "main",
      placeholders: { password: { data: secret, json: JSON.stringify(secret) } },
    } as never;
    return (await loadQuery(file, { connection })).hash;
  };
  const hash = await hashOf("", "x");
  assertEquals(await hashOf("", "x", "two"), hash);
  assertEquals(await hashOf("?requests_per_second=10", "x"), hash);
  assertNotEquals(await hashOf("", "y"), hash);
  assertEquals(await hashOf("?slices=2&requests_per_second=10", "x"), hash);
  assertNotEquals(await hashOf("?pipeline=one", "x"), hash);
});

clusterTest(
  PLAIN,
  "backfill run -m search + changes every matching document once beside a writer, though runs are killed",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster);
    const kills = depth(3, 20);
    const { killed, most, total, ...found } = await changeThoughKilled(scene, kills * 2000, kills);
    assertEquals([killed, most], [kills, 1]);
    assertEquals(found, { once: total, changed: total, kept: total - kills * 2000 });
    console.log(`${killed} kills, ${total} documents`);
  },
);
