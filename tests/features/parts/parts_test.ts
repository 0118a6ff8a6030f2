import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mergeParts } from "../../../src/migrations/commands.ts";
import { matrixOf, type PartRow } from "../../../src/features/parts/table.ts";
import { clusters, outcomesOf, project, template, writesTo } from "../fleets/fleets_support.ts";

const FILES = { "logs/1-template.json": template("one") };
const DOWN = { hosts: "http://127.0.0.1:1" };

Deno.test("equal findings are merged within one connection only", () => {
  const found = ["logs[eu1]", "metrics[eu1]", "logs[us1]", "metrics[us1]"].map((connection) => {
    return { connection, part: connection.slice(-4, -1), found: ["a-template.json"] };
  });
  assertEquals(mergeParts(found).map(({ connection, parts }) => [connection, parts]), [
    ["logs[eu1 and 1 more]", ["eu1", "us1"]],
    ["metrics[eu1 and 1 more]", ["eu1", "us1"]],
  ]);
});

Deno.test("a connection after a fleet is migrated, also if a group of the fleet was left out", async () => {
  await using doubles = clusters(["eu1", "other"]);
  await using fleet = await project({
    each: {
      clusters: { down: { ...DOWN, group: "canary" }, eu1: { hosts: doubles.eu1!.url } },
      groups: ["canary"],
    },
    more: [{ name: "other", hosts: doubles.other!.url, migrations: { enabled: true } }],
  }, { ...FILES, "other/1-template.json": template("one") });
  const reports = await fleet.migrate();
  assertEquals(outcomesOf(reports), ["down failed", "eu1 not run", "other done"]);
  assertEquals(writesTo(doubles.other!), ["PUT /_index_template/1"]);
});

Deno.test("a fleet that cannot be read leaves the reports of connections before it", async () => {
  await using doubles = clusters(["eu1"]);
  await using fleet = await project({
    each: { clusters: { eu1: { hosts: doubles.eu1!.url } } },
    more: [{ name: "metrics", migrations: { enabled: true, each: { clusters: "none.yml" } } }],
  }, { ...FILES, "metrics/1-template.json": template("one") });
  const reports = await fleet.migrate();
  assertEquals(outcomesOf(reports), ["eu1 migrated", "metrics failed"]);
  assertMatch(reports[1]!.error!.message, /none\.yml/);
  const { code, stdout, stderr } = await fleet.command("migrate");
  assertEquals(code, 2);
  assertStringIncludes(stdout, "logs: up to date, 1 cluster: 1 unchanged");
  assertMatch(stderr, /none\.yml: Cannot read the file/);
});

Deno.test("drift has one row for each cluster, with what no file makes", async () => {
  await using doubles = clusters(["eu1", "us1", "us2"], (name) => ({
    intercept: (line) =>
      name === "eu1" && /^GET \/_index_template(?:\?|$|\/\*)/.test(line)
        ? Response.json({ error: { reason: "no" } }, { status: 403 })
        : undefined,
  }));
  const each = {
    clusters: Object.fromEntries(
      ["eu1", "us1", "us2"].map((name) => [name, { hosts: doubles[name]!.url }]),
    ),
  };
  await using fleet = await project({ each }, FILES);
  await fleet.migrate();
  const path = `${doubles.us1!.url}/_index_template/by-hand`;
  const body = template("by-hand");
  const headers = { "content-type": "application/json" };
  await (await fetch(path, { method: "PUT", body, headers })).body?.cancel();
  const { code, stdout } = await fleet.command("drift", "--unmanaged");
  assertEquals(code, 7);
  assertStringIncludes(
    stdout,
    "logs: 3 clusters\n" +
      "  cluster  differs  unmanaged  state\n" +
      "  1 eu1          0          0  unknown, in part\n" +
      "  2 us1          0          1  unmanaged\n" +
      "  3 us2          0          0  no drift\n",
  );
});

Deno.test("each file that is not the same in all clusters has a line with a mark", () => {
  const row = (files?: Record<string, string>, others?: PartRow["others"]): PartRow => ({
    ...{ name: "a", cells: [], state: "", ...others !== undefined && { others } },
    ...files && { files: new Map(Object.entries(files)) },
  });
  const applied = { a: "applied", b: "applied" };
  assertEquals(matrixOf([row(applied), row({ a: "applied" })], "not its file"), [
    "  the same everywhere, applied: 1",
    "  12  a applied, . not its file",
    "  a.  b",
  ]);
  assertEquals(matrixOf([row(applied), row(), row({}, "unknown")], "nothing to do"), [
    "  the same in all known clusters, applied: 2",
  ]);
  const failed = row({ a: "failed", b: "not run" });
  assertEquals(matrixOf([row(applied), failed, row({}, "not run")], "nothing to do"), [
    "  123  a applied, F failed, N not run",
    "  aFN  a",
    "  aNN  b",
  ]);
});
