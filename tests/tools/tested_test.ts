import { assertEquals, assertStringIncludes } from "@std/assert";
import { clusterVersions } from "../../tools/_groups.ts";
import { GROUP_NAMES } from "../../tools/_tally.ts";
import { testedPage } from "../../tools/_tested_page.ts";

Deno.test("testedPage() + a row for each server and runtime, with what a run says of it", () => {
  const page = testedPage({
    date: "2026-11-25",
    tallies: {
      PostgreSQL: { ran: 7, skipped: 0 },
      Bun: { ran: 2, skipped: 1 },
      all: { ran: 12, skipped: 1 },
    },
    failed: 3,
    versions: { PostgreSQL: "15.18" },
  });
  assertStringIncludes(page, "The run of 2026-11-25: 12 tests ran, 3 failed, 1 skipped.");
  assertStringIncludes(page, "| PostgreSQL | 15.18 | 7 |");
  assertStringIncludes(page, "| Bun | unknown | 2, 1 skipped |");
});

Deno.test("docs/tested.md + it has every server and runtime, and clusters in the tested versions", async () => {
  const rows = [
    ...(await Deno.readTextFile("docs/tested.md")).matchAll(/^\| (\S.*?) +\| (\S+) +\| \d/gm),
  ];
  assertEquals(rows.map(([, name]) => name), [...GROUP_NAMES]);
  const versions = Object.fromEntries(rows.map(([, name, version]) => [name, version]));
  assertEquals({ ...versions, ...clusterVersions() }, versions);
});
