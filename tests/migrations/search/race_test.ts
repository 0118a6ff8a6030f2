import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { depth } from "../../long/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { countingProxy } from "../../servers/counting_proxy.ts";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";
import { apply, connectionTo } from "./runner.ts";

/** Runs at once, each with a connection of its own: how often, and how many. */
const ROUNDS = depth(5, 100);
const RUNNERS = [2, 5];
const CHILD = fromFileUrl(new URL("kill_child.ts", import.meta.url));

const template = (name: string) =>
  JSON.stringify({ index_patterns: [`${name}-*`], template: {}, priority: 1 });
const POST =
  '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}';

Deno.test(`runs at once apply every file once, and none fails, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const runners = RUNNERS[round % RUNNERS.length]!;
    await using double = startClusterDouble();
    const files = { "1-template.json": template("a"), "2.json": POST, "3.json": template("c") };
    const reports = await Promise.all(
      Array.from(
        { length: runners },
        (_, i) => apply(double.url, files, { owner: `run-${i}`, lockTimeoutMs: 60_000 }),
      ),
    );
    assertEquals(reports.map(({ error }) => error), Array(runners).fill(undefined));
    const sent = double.requests.map(({ line }) => line);
    assertEquals(sent.filter((line) => /_index_template|_aliases/.test(line)).sort(), [
      "POST /_aliases",
      "PUT /_index_template/1",
      "PUT /_index_template/3",
    ]);
  }
});

Deno.test("processes that start at once apply every file once, and all succeed", async () => {
  for (let round = 0; round < depth(2, 5); round++) {
    await using double = startClusterDouble();
    await (await fetch(`${double.url}/obsolete`, { method: "PUT" })).body?.cancel();
    const args = ["run", "-A", "--no-check", "--quiet", CHILD, double.url];
    const children = Array.from(
      { length: round % 2 === 0 ? 2 : 5 },
      () => new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "piped" }).output(),
    );
    for (const { success, stderr } of await Promise.all(children)) {
      assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
    }
    const lines = double.requests.map(({ line }) => line);
    for (const line of ["POST /_aliases", "PUT /_index_template/1-logs", "DELETE /obsolete"]) {
      assertEquals(lines.filter((sent) => sent === line).length, 1, line);
    }
  }
});

clusterTest(PLAIN, "runs at once apply every file once, and none fails", async (cluster) => {
  for (let round = 0; round < depth(3, 10); round++) {
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    await using proxy = await countingProxy(cluster.url);
    const files = {
      [`${name}-template.json`]: template(name),
      "post.json": '{"method":"POST","path":"/_refresh"}',
    };
    const runners = RUNNERS[round % RUNNERS.length]!;
    const reports = await Promise.all(
      Array.from({ length: runners }, (_, i) => {
        const connection = { ...connectionTo(proxy.url), name, timeoutMs: 30_000 };
        return apply(connection, files, { owner: `run-${i}`, lockTimeoutMs: 60_000 });
      }),
    );
    await ask(cluster, "DELETE", `/_index_template/${name}`);
    assertEquals(reports.map(({ error }) => error), Array(runners).fill(undefined));
    const sent = proxy.requests.filter((line) => /_index_template|POST \/_refresh/.test(line));
    assertEquals(sent, [`PUT /_index_template/${name}`, "POST /_refresh"]);
  }
});
