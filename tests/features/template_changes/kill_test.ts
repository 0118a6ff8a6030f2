import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { depth, IS_ALL } from "../../long/mod.ts";
import { apply, withSession } from "../../migrations/search/runner.ts";
import { statusOf } from "../../../src/migrations/runner/mod.ts";
import { type Fault, faultProxy } from "../../servers/fault_proxy.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { spawnRollovers } from "./run_child.ts";
import { Scene } from "./scene.ts";

const LEASE_MS = 500;

/** Runs the change in a process that is killed at a request, or after some milliseconds. @returns its requests */
async function killedRun(
  scene: Scene,
  at: { readonly request: number; readonly isDone: boolean } | { readonly afterMs: number },
): Promise<readonly string[]> {
  await using proxy = await faultProxy(scene.cluster.url);
  const job = { url: proxy.url, tree: scene.files(2), name: scene.name, leaseMs: LEASE_MS };
  const child = spawnRollovers(job);
  const kill = async () => {
    try {
      child.kill("SIGKILL");
    } catch { /* It has ended. */ }
    await child.status;
  };
  let count = 0;
  if ("request" in at) {
    proxy.fault = {
      kind: "close",
      isDone: at.isDone,
      hits: () => count++ === at.request,
      onHit: kill,
    };
    proxy.mayPass = () => Promise.resolve(false);
    await child.stderr.cancel();
    await child.status;
  } else {
    const begun = Promise.withResolvers<void>();
    proxy.fault = { kind: "late", isDone: false, hits: () => (begun.resolve(), false) };
    await child.stderr.cancel();
    await Promise.race([begun.promise, child.status]);
    const timer = setTimeout(kill, at.afterMs);
    await child.status;
    clearTimeout(timer);
  }
  return proxy.requests;
}

/** Continues after a run that was killed: what it did must not be done again. */
async function assertContinues(scene: Scene, about: string): Promise<void> {
  const options = { lockTimeoutMs: 20_000, leaseMs: LEASE_MS };
  const { error } = await apply(scene.connection("rollover"), scene.files(2), options);
  assertEquals(error, undefined, about);
  await scene.assertFollowed(about);
}

clusterTest(
  PLAIN,
  "template_changes + rolls over once though a run is killed at a request",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const whole = await killedRun(scene, { request: -1, isDone: false });
    await scene.assertFollowed("undisturbed");
    const first = whole.findIndex((line) => line.startsWith("PUT /_component_template/"));
    const all = whole.flatMap((line, request) =>
      [false, true].map((isDone) => ({ request, isDone, line }))
    );
    // The everyday run takes those around what changes something.
    const changing = all.filter(({ request, line, isDone }) =>
      request > first && isDone && /_rollover(?:\/[^?]*)?$/.test(line)
    );
    const most = depth(2, 30, all.length);
    const points = IS_ALL
      ? all.filter((_, index) => index % Math.ceil(all.length / most) === 0).concat(changing)
      : changing.slice(-most);
    for (const { request, isDone, line } of points) {
      await using one = await Scene.open(cluster);
      await killedRun(one, { request, isDone });
      await assertContinues(one, `killed ${isDone ? "after" : "before"} ${line}`);
    }
  },
);

clusterTest(
  PLAIN,
  "template_changes + rolls over once though a run is killed at any moment",
  async (cluster) => {
    for (let round = 0; round < depth(1, 20, 50); round++) {
      await using scene = await Scene.open(cluster);
      const afterMs = Math.random() * 700;
      await killedRun(scene, { afterMs });
      await assertContinues(scene, `killed after ${afterMs} ms`);
    }
  },
);

clusterTest(PLAIN, "template_changes + rolls over once in two runs at a time", async (cluster) => {
  await using scene = await Scene.open(cluster);
  const run = (owner: string) =>
    apply(scene.connection("rollover"), scene.files(2), { owner, lockTimeoutMs: 30_000 });
  const reports = await Promise.all([run("a-1-1"), run("b-2-2")]);
  assertEquals(reports.map(({ error }) => error), [undefined, undefined]);
  await scene.assertFollowed("two runs");
});

/** A run through a proxy that does something to one of its requests. */
async function disturbed(scene: Scene, fault: Fault) {
  await using proxy = await faultProxy(scene.cluster.url);
  proxy.fault = fault;
  return await apply(scene.connection("rollover", proxy.url), scene.files(2));
}

clusterTest(
  PLAIN,
  "template_changes + rolls over once though an answer is lost",
  async (cluster) => {
    for (
      const [name, isDone] of [["@-logs-b", true], ["@-orders", true], ["@-logs-b", false]] as const
    ) {
      await using scene = await Scene.open(cluster);
      const path = scene.own(`POST /${name}/_rollover`);
      const hits = (line: string) => line.startsWith(path) && !line.includes("dry_run");
      const { error } = await disturbed(scene, { kind: "close", isDone, hits });
      if (isDone) assertEquals(error, undefined);
      else await assertContinues(scene, name);
      await scene.assertFollowed(name);
    }
  },
);

clusterTest(
  PLAIN,
  "template_changes + leaves those alone that another client rolls over with the new template",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    await rolledOverBeside(scene, true);
    await scene.assertFollowed("rolled over between the template and the run");
  },
);

clusterTest(
  PLAIN,
  "template_changes + rolls over with the new template what another client rolled over before it",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    await rolledOverBeside(scene, false);
    assertEquals(await scene.counts(), [3, 2, 2]);
    assertEquals(await scene.types(), ["a text, b double", "a text, b double", "a text"]);
  },
);

clusterTest(
  PLAIN,
  "template_changes + fails with what is done, and goes on with the rest",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const path = scene.own("POST /@-logs-b/_rollover");
    const { error, results } = await disturbed(scene, {
      kind: 500,
      isDone: false,
      hits: (line) => line === path,
    });
    assertEquals(error?.name, "MigrationFailedError");
    const done =
      `it is applied, rolled over data stream '@-logs-a' (now '.ds-@-logs-a-000002'), then failed: `;
    assertStringIncludes(error!.message, scene.own(done));
    assertMatch(
      error!.message,
      /refused POST \S+: .*the proxy says 500\n {2}The next run goes on$/,
    );
    assertEquals(results.map(({ outcome }) => outcome), ["reapplied", "failed", "skipped"]);
    assertEquals(await scene.counts(), [2, 1, 2]);
    const status = await withSession(scene.connection("rollover"), scene.files(2), statusOf);
    assertStringIncludes(JSON.stringify(status), scene.own("rolled over data stream '@-logs-a'"));
    await assertContinues(scene, "after a failure");
  },
);

/** A run during which another client rolls a stream over, before or after the run's template is there. */
async function rolledOverBeside(scene: Scene, isWritten: boolean): Promise<void> {
  const { error } = await disturbed(scene, {
    kind: "late",
    isDone: isWritten,
    hits: (line) => line.startsWith(scene.own("PUT /_index_template/@-logs")),
    onHit: async () => {
      await scene.send("POST", "/@-logs-a/_rollover");
    },
  });
  assertEquals(error, undefined);
}
