import { assertEquals } from "@std/assert";
import { errorFindings, Places, planFindings, statusFindings } from "../../../src/cli/findings.ts";
import { driftFindings } from "../../../src/features/drift/command.ts";
import { SchemaError } from "../../../src/features/schema/engine.ts";
import { schemaFindings } from "../../../src/features/schema/report.ts";
import { sortFindings } from "../../../src/features/formats/report.ts";
import { githubCommands } from "../../../src/features/formats/github.ts";
import { gitlabReport } from "../../../src/features/formats/gitlab.ts";
import { markdownOf } from "../../../src/features/formats/markdown.ts";
import { sarifLog } from "../../../src/features/formats/sarif.ts";
import { createConfig } from "../../../src/config/mod.ts";
import {
  ConnectionError,
  type FileProblem,
  InterruptedError,
  LockedError,
} from "../../../src/migrations/runner/mod.ts";

const globals = { config: "config", sqlPath: "migrations" };
const sql = new Places(
  { ...globals, type: "sql" },
  createConfig({ datasource: [{ name: "shop" }, { name: "shop[x]" }] }),
);
const search = new Places(
  { ...globals, type: "search" },
  createConfig({ search: [{ name: "logs" }] }),
);

Deno.test("Places.file puts files of tenants in the folder of their connection", () => {
  assertEquals(
    ["shop", "shop[acme]", "shop[acme and 3 more]", "shop[x]", "other"].map((connection) =>
      sql.file(connection, "2026/1.sql")
    ),
    [
      "migrations/shop/2026/1.sql",
      "migrations/shop/2026/1.sql",
      "migrations/shop/2026/1.sql",
      "migrations/shop[x]/2026/1.sql",
      "migrations/other/2026/1.sql",
    ],
  );
});

Deno.test("statusFindings has a file once for all tenants, and nothing that depends on the time", () => {
  const files = [
    { file: "1.sql", state: "applied", executedAt: new Date(), executedBy: "ci-1" },
    { file: "2.sql", state: "pending" },
    { file: "3.sql", state: "changed", executedAt: new Date() },
    { file: "4.sql", state: "interrupted", known: "it stopped at statement 2, ci-1 is at work" },
    { file: "5.sql", state: "missing", executedAt: new Date() },
  ] as const;
  const found = ["acme", "globex"].map((part) => ({
    ...{ connection: `shop[${part}]`, part, found: { files } },
  }));
  const severities = (isChecked: boolean) =>
    sortFindings(statusFindings(sql, found, isChecked)).map(({ severity, file, rule, message }) => {
      assertEquals(/\d{4}|ci-1|statement/.test(message), false);
      return [severity, file?.slice(-5), rule];
    });
  assertEquals(severities(false), [
    ["error", "4.sql", "interrupted-file"],
    ["warning", "3.sql", "changed-file"],
    ["notice", "2.sql", "pending-file"],
    ["notice", "5.sql", "missing-file"],
  ]);
  assertEquals(severities(true).filter(([severity]) => severity === "error").length, 3);
});

Deno.test("sortFindings names tenants, on which fingerprints do not depend", async () => {
  const files = [{ file: "1.sql", state: "pending" }] as const;
  const status = async (...tenants: readonly string[]) => {
    const found = tenants.map((part) => ({
      ...{ connection: `shop[${part}]`, part, found: { files } },
    }));
    const [finding, ...others] = sortFindings(statusFindings(sql, found, false));
    assertEquals(others, []);
    const [{ fingerprint } = {}] = await gitlabReport([finding!], "");
    return [finding!.message, fingerprint];
  };
  const [one, all] = [await status("acme"), await status("acme", "globex", "hooli")];
  assertEquals(one[0], "shop[acme]: The file is not applied yet");
  assertEquals(all[0], "shop[acme and 2 more]: The file is not applied yet");
  assertEquals(one[1], all[1]);
  const refused = { ...{ connection: "shop[acme]", part: "acme" }, found: new Error("No") };
  const [{ message } = {}] = sortFindings(statusFindings(sql, [refused], false));
  assertEquals(message, "shop[acme]: Error: No");
});

Deno.test("sortFindings keeps what was measured in each tenant", () => {
  const equal = ["a has 1 row", "b has 9 rows"].map((size) => ({
    ...{ severity: "warning", rule: "r", message: "m", measured: [size] } as const,
  }));
  assertEquals(sortFindings(equal).map(({ measured }) => measured), [[
    "a has 1 row",
    "b has 9 rows",
  ]]);
});

Deno.test("errorFindings does not take the place in the program that errors have on Bun", () => {
  const error = new InterruptedError("shop", "1.sql", "It is unknown");
  for (const name of ["line", "column"]) Object.defineProperty(error, name, { value: 94 });
  const [finding] = errorFindings(sql, error);
  assertEquals([finding?.file, finding?.line, finding?.column], [
    "migrations/shop/1.sql",
    undefined,
    undefined,
  ]);
});

Deno.test("errorFindings has the line of the connection of a schema error", () => {
  const [finding] = errorFindings(sql, new SchemaError("There is no file", "shop"));
  assertEquals([finding?.rule, finding?.message], ["schema-error", "There is no file"]);
  assertEquals(finding?.file, sql.connection("shop").file);
});

Deno.test("statusFindings has the errors of connections", () => {
  const refused = new ConnectionError("shop", "Cannot connect to 127.0.0.1:1");
  assertEquals(
    statusFindings(sql, [{ connection: "shop", found: refused }], false)
      .map(({ severity, rule, message }) => [severity, rule, message]),
    [["error", "connection-error", "Cannot connect to 127.0.0.1:1"]],
  );
});

Deno.test("planFindings has findings, dangers and notices about files; sizes are only in the summary", async () => {
  const finding: FileProblem = {
    ...{ severity: "warning", path: "1.sql", line: 3, rule: "drop-table", message: "Deletes 't'" },
    ...{ measured: ["t has about 9 rows, 1 kB"], advice: ["Rename it first"], source: "DROP" },
  };
  const found = {
    steps: [{ file: "1.sql", kind: "sql", resource: "", requests: [], findings: [finding] }],
    notices: [{ message: "Another run is at work (ci-1)" }, { file: "2.sql", message: "Edited" }],
    dangers: [{ severity: "error", path: "3.json", message: "Policy 'p' deletes 1 index" }],
  } as const;
  const findings = sortFindings(planFindings(sql, [{ connection: "shop", found }]));
  assertEquals(findings.map(({ severity, rule, file }) => [severity, rule, file]), [
    ["error", "confirmation-required", "migrations/shop/3.json"],
    ["warning", "drop-table", "migrations/shop/1.sql"],
    ["notice", "notice", "migrations/shop/2.sql"],
  ]);
  const about = { command: "plan", fallback: "config/application.yml" };
  const outputs = [
    githubCommands(findings),
    JSON.stringify(await gitlabReport(findings, "")),
    JSON.stringify(await sarifLog(findings, about)),
    markdownOf({ command: "plan", findings, sections: [] }),
  ];
  assertEquals(outputs.map((text) => text.includes("9 rows")), [false, false, false, true]);
});

Deno.test("driftFindings names the first properties that differ, and no values", () => {
  const differences = ["a", "b.c", "d", "e", "f", "g"].map((path) => ({
    path,
    live: 1,
    wanted: 2,
  }));
  const found = [
    { file: "10/t.json", resource: "index template t", differences },
    { file: "10/u.json", resource: "role u", differences: [{ path: "", live: {}, wanted: null }] },
    { file: "10/v.json", resource: "user v", differences: [], note: "its password is unknown" },
  ];
  assertEquals(
    driftFindings(search, [{ connection: "logs", found }])
      .map(({ severity, file, message }) => [severity, file, message]),
    [
      [
        "error",
        "migrations/logs/10/t.json",
        "index template t differs in 'a', 'b.c', 'd', 'e', 'f' and 1 more",
      ],
      ["error", "migrations/logs/10/u.json", "role u differs in the whole"],
      ["notice", "migrations/logs/10/v.json", "user v: its password is unknown"],
    ],
  );
});

Deno.test("schemaFindings has each hunk at its first line that differs", () => {
  const differences = [
    ...["@@ -1,4 +1,3 @@", " CREATE TABLE a (", "-  b integer,", "   c integer", " );"],
    ...["@@ -20,0 +20,2 @@", "+@@ -1 is text", "+CREATE TABLE d ();"],
  ];
  const found = (path?: string) =>
    schemaFindings(sql, [{
      connection: "shop",
      found: { files: 1, differences, ...path && { path } },
    }])
      .map(({ file, line, advice }) => [file, line, advice]);
  const advice = [["-  b integer,"], ["+@@ -1 is text", "+CREATE TABLE d ();"]];
  assertEquals(found("/db/schema.sql"), [
    ["/db/schema.sql", 2, advice[0]],
    ["/db/schema.sql", 20, advice[1]],
  ]);
  assertEquals(found().map(([, , lines]) => lines), advice);
});

Deno.test("errorFindings has the first line of a message apart, and no stack", () => {
  const locked = new LockedError("shop", "Another run is at work\n  wait for it");
  assertEquals(errorFindings(sql, locked).map(({ message, advice }) => [message, advice]), [
    ["Another run is at work", ["  wait for it"]],
  ]);
  assertEquals(errorFindings(sql, new TypeError("x is undefined")), [
    { severity: "error", rule: "unexpected-error", message: "TypeError: x is undefined" },
  ]);
});
