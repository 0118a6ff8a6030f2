import { assertEquals, assertMatch } from "@std/assert";
import * as fc from "fast-check";
import type { Finding } from "../../../src/cli/mod.ts";
import { gitlabReport } from "../../../src/features/formats/gitlab.ts";
import { finding, FINDINGS } from "./support.ts";

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const issues = async (...findings: readonly Finding[]) =>
  await gitlabReport(findings, "config/application.yml") as unknown as readonly Issue[];

Deno.test("gitlabReport has what GitLab requires of an entry", async () => {
  const found = finding({ file: "m/1.sql", line: 3, measured: ["t has 9 rows"], advice: ["Safe"] });
  const [{ fingerprint, ...rest } = {} as Issue] = await issues(found);
  assertMatch(fingerprint, /^[\da-f]{64}$/);
  assertEquals(rest, {
    description: "Deletes 't'",
    check_name: "drop-table",
    severity: "major",
    location: { path: "m/1.sql", lines: { begin: 3 } },
  });
  assertEquals(await issues(), []);
  const others = await issues(finding({ severity: "error" }), finding({ severity: "notice" }));
  assertEquals(others.map(({ severity, location }) => [severity, location]), [
    ["critical", { path: "config/application.yml", lines: { begin: 1 } }],
    ["info", { path: "config/application.yml", lines: { begin: 1 } }],
  ]);
});

Deno.test("gitlabReport keeps the fingerprints of lines that have moved", async () => {
  const prints = async (...findings: readonly Finding[]) =>
    (await issues(...findings)).map(({ fingerprint }) => fingerprint);
  const one = finding({ file: "1.sql", line: 3, source: "DROP TABLE t;" });
  const [first, second, third] = await prints(one, { ...one, line: 9 }, { ...one, line: 12 });
  assertEquals(new Set([first, second, third]).size, 3);
  assertEquals(
    await prints({ ...one, line: 30, source: "  DROP TABLE t;" }, { ...one, line: 31 }),
    [
      first,
      second,
    ],
  );
  const others = [
    { ...one, file: "2.sql" },
    { ...one, rule: "other" },
    { ...one, source: "DROP TABLE u;" },
  ];
  const all = await prints(one, ...others);
  assertEquals(new Set(all).size, 4);
});

Deno.test("gitlabReport + no two entries have one fingerprint", async () => {
  await fc.assert(fc.asyncProperty(FINDINGS, async (findings) => {
    const found = await issues(...findings, ...findings);
    assertEquals(new Set(found.map(({ fingerprint }) => fingerprint)).size, found.length);
    for (const { location } of found) assertEquals(location.lines.begin >= 1, true);
  }));
});
