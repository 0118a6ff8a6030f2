/** Follows the READMEs of the examples that need a database, a cluster or D1. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "@std/path";
import { IDEMPOTENCY_SCHEMA } from "../../src/features/idempotency/keys_table.ts";
import { jobsSchema } from "../../src/features/jobs/tables.ts";
import { SCHEDULES_SCHEMA } from "../../src/features/scheduling/ticks_table.ts";
import { cleanUp, create, postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { clusterTest, PLAIN } from "../servers/real.ts";
import { Starter } from "./readme.ts";

const SERVER = Deno.env.get("TEST_PG_URL") ?? "";
const folder = await Deno.makeTempDir({ prefix: "irori-services-" });
const tarball = packLibrary(folder);

Deno.test("examples/orders + has the tables that 'irori new' writes", async () => {
  const tables = [await jobsSchema(), SCHEDULES_SCHEMA.postgresql, IDEMPOTENCY_SCHEMA.postgresql];
  const files = ["002_jobs", "003_schedules", "004_idempotency"].map((name) =>
    Deno.readTextFile(`examples/orders/migrations/main/${name}-schema.sql`)
  );
  assertEquals(await Promise.all(files), tables);
});

databaseTest("orders", async (orders) => {
  const printed = await served(orders);
  const placed = '{"id":1,"sku":"coffee","quantity":2,"status":"placed"}';
  assertStringIncludes(printed, placed + placed);
  assertMatch(printed, /"id":1,.*"status":"reserved"/);
  assertMatch(printed, /"id":2,.*"status":"rejected"/);
  assertMatch(printed, /failed +reserve-stock .*4 attempts/);
  await check(orders, orders.blocks[2]);
});

databaseTest("tenants", async (tenants) => {
  const printed = await served(tenants);
  const note = '{"id":1,"text":"tea"}';
  assertStringIncludes(printed, note + note);
  assertStringIncludes(printed, '"detail":"There is no note 1"');
  const [status = ""] = await tenants.follow(tenants.blocks[2] ?? []);
  assertMatch(status, /notes: 2 tenants[^]*tenant_acme +1 +0 +0 +up to date/);
  await check(tenants, tenants.blocks[3]);
});

clusterTest(
  PLAIN,
  "examples/search_service + its README and its tests, on Node 22",
  async ({ url }) => {
    await using service = await copied("search_service", { SEARCH_URL: url });
    const printed = await served(service);
    assertStringIncludes(printed, '{"content":[{"id":"night","title":"Night trains"');
    assertStringIncludes(printed, '"totalElements":2');
    assertStringIncludes(printed, '{"status":"UP"}');
    assertMatch(printed, /3 applied/);
    const [tests = ""] = service.blocks[2] ?? [];
    await check(service, [tests.replace("http://127.0.0.1:9200", url)]);
  },
);

Deno.test("examples/edge_d1 + its README and its tests, on Node 22 and Miniflare", async () => {
  // Wrangler neither reports its use nor fetches the location of this machine.
  const env = { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" };
  await using links = await copied("edge_d1", env);
  const printed = await served(links);
  const link = '{"slug":"docs","url":"https://example.com/docs","visits":';
  assertStringIncludes(printed, `${link}0}HTTP/1.1 302 Found`);
  assertStringIncludes(printed, `[${link}`);
  await links.follow(links.blocks[2] ?? []);
  await links.follow(["npm run check"]);
});

/** Copies an example beside the package, with Node 22 as `node`. */
async function copied(name: string, env: Record<string, string>): Promise<Starter> {
  const [command = ""] = await node(22);
  const PATH = `${dirname(command)}:${Deno.env.get("PATH")}`;
  return await Starter.copied(name, { ...env, PATH }, await tarball);
}

/** Follows the first two blocks, the second in one shell, which keeps its variables. */
async function served(starter: Starter): Promise<string> {
  const [printed = ""] = await starter.serve(undefined, [starter.blocks[1]?.join("\n") ?? ""]);
  return printed;
}

/** Runs the tests, and the compiler with what the `package.json` names. */
async function check(starter: Starter, tests: readonly string[] = []): Promise<void> {
  const printed = (await starter.follow([...tests, "npm run check"])).join("");
  assertMatch(printed, /# fail 0\n/);
  assertMatch(printed, /# skipped 0\n/);
}

/** An example on an empty database, and its tests on the server. */
function databaseTest(name: string, follow: (starter: Starter) => Promise<void>): void {
  Deno.test({
    name: `examples/${name} + its README and its tests, on Node 22 and PostgreSQL`,
    ignore: postgresqlMissing !== undefined,
    fn: async () => {
      const { database = "" } = await create();
      const DATABASE_URL = Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;
      await using starter = await copied(name, { DATABASE_URL });
      const named = "postgres://postgres:secret@127.0.0.1:5432/postgres";
      const blocks = starter.blocks.map((block) =>
        block.map((line) => line.replace(named, SERVER))
      );
      await follow(Object.assign(starter, { blocks }));
    },
  });
}

Deno.test.afterAll(async () => {
  await cleanUp();
  await tarball;
  await Deno.remove(folder, { recursive: true });
});
