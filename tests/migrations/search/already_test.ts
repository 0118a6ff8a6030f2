import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { InterruptedError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, resolved, standing, type Tree } from "./runner.ts";

const POLICY = "/_plugins/_ism/policies/p";
const TEMPLATES = { ism_template: [{ index_patterns: ["a-*"], priority: 3 }] };

const policy = (description: string, more: Record<string, unknown> = {}) => ({
  policy: {
    description,
    default_state: "hot",
    states: [{ name: "hot", actions: [], transitions: [] }],
    ...more,
  },
});
const envelope = (method: string, path: string, body?: unknown) =>
  JSON.stringify({ method, path, ...(body !== undefined && { body }) });

const ask = async ({ url }: ClusterDouble, method: string, path: string, body?: unknown) => {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return await (await fetch(url + path, init)).json();
};
const described = async (double: ClusterDouble) =>
  (await ask(double, "GET", POLICY)).policy?.description;
const sent = ({ requests }: ClusterDouble, pattern: RegExp) =>
  requests.map(({ line }) => line).filter((line) => pattern.test(line));

for (const prefix of ["_plugins", "_opendistro"]) {
  Deno.test(`an envelope that puts a policy below ${prefix} is an upsert, its body byte for byte`, async () => {
    await using double = startClusterDouble();
    const path = `/${prefix}/_ism/policies/p`;
    // An exact number and white space survive.
    const file = (text: string) =>
      `{"method":"put","path":"${path}","body": { "policy" : ${
        JSON.stringify(policy(text).policy)
      } }}`;
    assertEquals((await apply(double.url, { "1.json": file("one") })).error, undefined);
    const edited = await apply(double.url, { "1.json": file("two") });
    assertEquals([edited.error, edited.results[0]!.outcome], [undefined, "reapplied"]);
    assertEquals(await described(double), "two");
    assertEquals(sent(double, /PUT .*_ism/), [
      `PUT ${path}`,
      `PUT ${path}?if_seq_no=0&if_primary_term=1`,
    ]);
    const { body } = double.requests.find(({ line }) => line === `PUT ${path}`)!;
    assertMatch(body, /^\{ "policy" : \{/);
  });
}

Deno.test("an envelope policy survives a lost history", async () => {
  await using double = startClusterDouble();
  const files = { "1.json": envelope("PUT", POLICY, policy("one")) };
  await apply(double.url, files);
  await ask(double, "DELETE", "/framework_migrations");
  await ask(double, "DELETE", "/framework_migrations_lock");
  const report = await apply(double.url, files);
  assertEquals([report.error, report.results[0]!.note], [
    undefined,
    "the live policy is the same already",
  ]);
  await apply(double.url, { "1.json": envelope("PUT", POLICY, policy("two")) });
  assertEquals(await described(double), "two");
});

Deno.test("an envelope with a condition of its own, or another method, is sent as it is", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "1.json": envelope("PUT", POLICY, policy("one")) });
  const own = `${POLICY}?if_seq_no=7&if_primary_term=1`;
  const report = await apply(double.url, { "2.json": envelope("PUT", own, policy("two")) });
  assertInstanceOf(report.error, MigrationFailedError);
  assertEquals(sent(double, /if_seq_no=7/).length, 1);
  assertEquals(await described(double), "one");
});

for (const kind of ["file", "envelope"] as const) {
  const files = (text: string, more = {}): Tree =>
    kind === "file"
      ? { "p-policy.json": JSON.stringify(policy(text, more)) }
      : { "p.json": envelope("PUT", POLICY, policy(text, more)) };

  Deno.test(`a policy ${kind} whose answer was lost to a 502 is what the journal says afterwards`, async () => {
    for (const isDone of [true, false]) {
      let lost = 1;
      await using double: ClusterDouble = startClusterDouble({
        intercept: async (line, body) => {
          if (!line.startsWith(`PUT ${POLICY}?`) || lost-- !== 1) return undefined;
          // Done by the cluster, or not, before the proxy gave up.
          if (isDone) await ask(double, "PUT", line.slice(4), JSON.parse(body));
          return new Response("", { status: 502, headers: { "Retry-After": "0" } });
        },
      });
      await apply(double.url, files("one"));
      const report = await apply(double.url, files("two"));
      assertEquals([report.error, report.results[0]!.outcome], [undefined, "reapplied"]);
      assertEquals(await described(double), "two");
      assertEquals((await apply(double.url, files("two"))).requests, 1);
      await apply(double.url, files("three"));
      assertEquals(await described(double), "three");
    }
  });

  Deno.test(`a part that was removed from a policy ${kind} is removed after a conflict, too`, async () => {
    await using double = startClusterDouble();
    await apply(double.url, files("one", TEMPLATES));
    // Another client changes it, so that the version of the record is not the live one any more.
    await ask(double, "PUT", `${POLICY}?if_seq_no=0&if_primary_term=1`, policy("one", TEMPLATES));
    const report = await apply(double.url, files("one"));
    assertEquals(report.error, undefined);
    assertEquals((await ask(double, "GET", POLICY)).policy.ism_template, null);
  });

  Deno.test(`a policy ${kind} that a transient conflict delayed blames no other client`, async () => {
    let conflicts = 1;
    const error = { type: "version_conflict_engine_exception", reason: "[p]: version conflict" };
    await using double = startClusterDouble({
      intercept: (line) =>
        line.startsWith(`PUT ${POLICY}?`) && conflicts-- > 0
          ? Response.json({ error, status: 409 }, { status: 409 })
          : undefined,
    });
    await apply(double.url, files("one"));
    const report = await apply(double.url, files("two"));
    assertEquals([report.error, report.results[0]!.note], [undefined, undefined]);
    assertEquals(await described(double), "two");
  });

  Deno.test(`a policy ${kind} of which nothing is known is applied by the next run, be it reverted`, async () => {
    let answers = 0;
    await using double: ClusterDouble = startClusterDouble({
      intercept: async (line, body) => {
        if (answers-- !== 1) return undefined;
        // Done, and then the server fails.
        await ask(double, "PUT", line.slice(4), JSON.parse(body));
        return new Response("", { status: 500 });
      },
    });
    await apply(double.url, files("one"));
    // Behind the read and the lock.
    answers = 3;
    const broken = await apply(double.url, files("two"));
    assertMatch(String(broken.error), /HTTP 500/);
    assertEquals(await described(double), "two");
    const report = await apply(double.url, files("one"));
    assertEquals([report.error, report.results[0]!.outcome], [undefined, "reapplied"]);
    assertEquals(await described(double), "one");
    assertEquals((await apply(double.url, files("one"))).requests, 1);
  });
}

Deno.test("an index that is there stays, and how it differs from the file is said", async () => {
  const settings = { number_of_replicas: 0, refresh_interval: "1s" };
  const trees: Tree[] = [
    { "users-index.json": JSON.stringify({ settings }) },
    { "1.json": envelope("PUT", "/users", { settings }) },
  ];
  for (const tree of trees) {
    await using double = startClusterDouble();
    await ask(double, "PUT", "/users", { settings: { number_of_replicas: 2 } });
    const report = await apply(double.url, tree);
    assertEquals(report.error, undefined);
    assertMatch(
      report.results[0]!.note!,
      /exists already and was not changed; it differs in settings\.index\.number_of_replicas, settings\.index\.refresh_interval$/,
    );
  }
});

Deno.test("a proxy that answers 200 to everything makes no index exist", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("GET /users") ? new Response("<html>hello</html>") : undefined,
  });
  const report = await apply(double.url, { "users-index.json": '{"settings":{}}' });
  assertInstanceOf(report.error, MigrationFailedError);
  assertMatch(report.error.message, /refused PUT \/users: HTTP 200 with HTML/);
  // Nothing was sent that changes anything.
  assertEquals(
    (await standing(double.url, { "users-index.json": "{}" })).files[0]!.state,
    "pending",
  );
});

Deno.test("what a proxy calls a success is neither recorded nor forgotten", async () => {
  for (
    const file of [
      envelope("PUT", "/_index_template/a", { index_patterns: ["a"] }),
      envelope("POST", "/_refresh"),
    ]
  ) {
    let isLogin = true;
    await using double = startClusterDouble({
      intercept: (line) =>
        isLogin && /_index_template|_refresh/.test(line)
          ? new Response("<html>Log in</html>")
          : undefined,
    });
    const files = { "1.json": file };
    assertInstanceOf((await apply(double.url, files)).error, MigrationFailedError);
    isLogin = false;
    const report = await apply(double.url, files);
    if (file.includes("POST")) {
      assertInstanceOf(report.error, InterruptedError);
      await resolved(double.url, files, "1.json", "retry");
      assertEquals((await apply(double.url, files)).error, undefined);
    } else assertEquals([report.error, report.results[0]!.outcome], [undefined, "applied"]);
  }
});

Deno.test("answers that promise no JSON are successes without any", async () => {
  const files = [
    envelope("GET", "/_cat/indices"),
    envelope("GET", "/_cluster/health?format=yaml"),
    envelope("GET", "/_nodes/hot_threads"),
    envelope("HEAD", "/x"),
  ];
  for (const file of files) {
    await using double = startClusterDouble({
      intercept: (line) =>
        /_cat|_cluster|hot_threads|HEAD/.test(line) ? new Response("green") : undefined,
    });
    assertEquals((await apply(double.url, { "1.json": file })).error, undefined, file);
  }
});

Deno.test("a policy that matches no index is attached to none, and that is no success", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("_ism/add")
        ? Response.json({ updated_indices: 0, failures: false, failed_indices: [] })
        : undefined,
  });
  const file = envelope("POST", "/_plugins/_ism/add/nothere", { policy_id: "p" });
  const report = await apply(double.url, { "1.json": file });
  assertMatch(String(report.error), /it matched no index, so nothing was done/);
  // Nothing was done, so there is nothing to decide.
  assertMatch(String((await apply(double.url, { "1.json": file })).error), /matched no index/);
});

Deno.test("a user whose password was refused after a lost answer is not taken for one that is there already", async () => {
  const path = "/_plugins/_security/api/internalusers/ada";
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  let puts = 0;
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line === `PUT ${path}` && ++puts === 1) return answer(502, {});
      if (line === `PUT ${path}`) return answer(400, { status: "error", reason: "Weak password" });
      // The password is an older one (recorded).
      if (line === `GET ${path}`) return answer(200, { ada: { hash: "", backend_roles: ["b"] } });
    },
  });
  const files = { "ada-user.json": '{"password":"123","backend_roles":["b"]}' };
  const { error } = await apply(double.url, files);
  assertMatch(error!.message, /HTTP 400: Weak password/);
  assertEquals((await standing(double.url, files)).files[0]?.state === "applied", false);
});
