import { inspect } from "node:util";
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { RunEvent } from "../../../src/migrations/runner/mod.ts";
import { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import { redactor } from "../../../src/migrations/search/cluster/redactor.ts";
import { encodePath } from "../../../src/migrations/search/cluster/request.ts";
import { withValues } from "../../../src/migrations/search/files/placeholders.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { filesOf } from "../runner/memory.ts";
import { declared, type Values } from "./placeholder_values.ts";
import { apply, connectionTo, openClient, type Tree } from "./runner.ts";

const using = (url: string, values: Values) => ({
  ...connectionTo(url),
  placeholders: declared(values),
});

/** The notices of a run. */
async function noticesOf(connection: Parameters<typeof apply>[0], tree: Tree): Promise<string[]> {
  const notices: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === "notice") notices.push(event.message);
  };
  assertEquals((await apply(connection, tree, { onEvent })).error, undefined);
  return notices;
}

Deno.test("withValues takes keys with a dot in them for secret, and their order for nothing", async () => {
  const valuesOf = async (hook: Values) => {
    const files = await filesOf({ "a.json": '{"a":"${hook}"}' });
    const [found] = await withValues(files, declared({ hook }));
    return found?.values;
  };
  const first = await valuesOf({ url: "u", "key.id": "S1" });
  const second = await valuesOf({ url: "u", "key.id": "S2" });
  assertEquals(first?.hash, second?.hash);
  assertNotEquals(first?.secrets, second?.secrets);
  assertEquals(await valuesOf({ "key.id": "S1", url: "u" }), first);
});

Deno.test("a change is reported with its possible names, each once", async () => {
  await using double = startClusterDouble();
  const tree = {
    "a-template.json":
      '{"index_patterns":["a-*"],"_meta":{"a":"${a_token}","b":"${b_token}","c":"${hook}"}}',
  };
  const declare = (values: Values) => noticesOf(using(double.url, values), tree);
  await noticesOf(connectionTo(double.url), tree);
  const hook = { url: "u", token: "tok-1" };
  const [given] = await declare({ a_token: "aaaa-1", hook });
  assertMatch(given!, /its placeholders \('\$\{hook\}', '\$\{a_token\}'\) got their values$/);
  const [rotated] = await declare({ a_token: "aaaa-2", hook });
  assertMatch(rotated!, /^One of the values of '\$\{a_token\}', '\$\{hook\}' has changed since/);
  const alone = { "b-template.json": '{"index_patterns":["${a_token}","$${b_token}x"]}' };
  await noticesOf(using(double.url, { a_token: "aaaa" }), alone);
  const [more] = await noticesOf(using(double.url, { a_token: "aaaa", b_token: "b" }), alone);
  assertMatch(more!, /what is declared of its placeholders \('\$\{a_token\}'\) was changed$/);
});

Deno.test("redactor takes out secret numbers as they were written", () => {
  const placeholders = {
    a_password: { data: 1500, json: "1.50e3", text: "1.50e3" },
    b_key: { data: 0xdeadbeef, json: "3735928559", text: "0xDEADBEEF" },
    c_token: {
      data: 12345678901234567000,
      json: "12345678901234567890",
      text: "12345678901234567890",
    },
    d_token: { data: true, json: "true", text: "true" },
  };
  const redact = redactor({ placeholders });
  const shown = redact("1.50e3 1500 0xDEADBEEF 3735928559 12345678901234567890 true");
  assertEquals(shown, "${a_password} ${a_password} ${b_key} ${b_key} ${c_token} true");
});

Deno.test("redactor takes out a secret as paths have it", () => {
  const value = "ge[heim-é]x9";
  const placeholders = { my_token: { data: value, json: JSON.stringify(value), text: value } };
  assertEquals(
    redactor({ placeholders })(`PUT ${encodePath(`/a/${value}`)}`),
    "PUT /a/${my_token}",
  );
});

Deno.test("redactor takes out the password of a proxy, also in its header", () => {
  const redact = redactor({ proxy: "http://user:se%2Fcret-9@proxy:3128/" });
  assertEquals(redact("se/cret-9 of user"), "*** of user");
  assertEquals(redact(btoa("user:se/cret-9")).includes(btoa("se/cret-9").slice(0, 8)), false);
});

Deno.test("a cluster that is logged or sent as JSON shows no credentials", async () => {
  const authorization = `Basic ${btoa("logs:s3cret")}`;
  const signer = { redact: String, explain: () => undefined, sign: () => Promise.reject("s3cret") };
  const connection = { ...connectionTo("http://127.0.0.1:9"), authorization, password: "s3cret" };
  const cluster = new Cluster(connection, openClient(), signer);
  const shown = Deno.inspect(cluster, { depth: 9 }) + inspect(cluster, { depth: 9 });
  assertEquals(/Basic|s3cret|127\.0\.0\.1/.exec(shown + JSON.stringify(cluster)), null);
  await cluster.close();
});
