import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { sortFindings } from "../../../src/features/formats/report.ts";
import { githubCommands } from "../../../src/features/formats/github.ts";
import { withoutCommands } from "../../../src/features/formats/addition.ts";
import { finding, FINDINGS, HOSTILE, workflowCommands } from "./support.ts";

Deno.test("githubCommands names file, line, column and rule, and gives the advice", () => {
  const advice = ["Safe way:", "  SELECT 1;"];
  const place = { file: "migrations/main/a b.sql", line: 3, column: 5 };
  assertEquals(
    githubCommands([finding({ ...place, advice }), finding({ severity: "error" })]),
    "::warning file=migrations/main/a b.sql,line=3,col=5,title=drop-table::Deletes 't'%0ASafe way:%0A  SELECT 1;\n" +
      "::error title=drop-table::Deletes 't'\n",
  );
  assertEquals(githubCommands([]), "");
});

Deno.test("githubCommands + the runner reads what was found, whatever its text is", () => {
  fc.assert(fc.property(FINDINGS, (findings) => {
    const read = workflowCommands(githubCommands(findings));
    const expected = findings.map(({ severity, rule, message, advice = [], file, line }) => ({
      name: severity,
      properties: {
        ...file !== undefined && { file, ...line !== undefined && { line: `${line}` } },
        title: rule,
      },
      data: [message, ...advice].join("\n"),
    }));
    const byName = (commands: typeof expected) =>
      commands.toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    assertEquals(byName([...read] as typeof expected), byName(expected));
  }));
});

Deno.test("githubCommands says at the last place that the runner keeps how many follow", () => {
  const many = (severity: "error" | "notice", length: number) =>
    Array.from({ length }, (_, line) => finding({ severity, file: "a.sql", line: line + 1 }));
  const commands = workflowCommands(githubCommands([...many("error", 12), ...many("notice", 10)]));
  assertEquals(commands.map(({ name }) => name), [
    ...Array(13).fill("error"),
    ...Array(10).fill("notice"),
  ]);
  assertEquals(commands[9], {
    name: "error",
    properties: { title: "irori" },
    data: "3 more errors: the summary and the log have all of them",
  });
  assertEquals(commands.filter(({ data }) => data.includes("more")).length, 1);
});

Deno.test("sortFindings puts the worst first, then sorts by place, and keeps one of each", () => {
  const sorted = sortFindings([
    finding({ severity: "notice", file: "a.sql" }),
    finding({ file: "b.sql", line: 10 }),
    finding({ file: "b.sql", line: 9, measured: ["t has 1 row"] }),
    finding({ file: "b.sql", line: 9, measured: ["t has 2 rows"] }),
    finding({ file: "b.sql", line: 9, column: 2 }),
    finding({ severity: "error", file: "z.sql" }),
    finding({ severity: "error" }),
  ]);
  assertEquals(
    sorted.map(({ severity, file, line, column }) => [severity, file, line, column]),
    [
      ["error", undefined, undefined, undefined],
      ["error", "z.sql", undefined, undefined],
      ["warning", "b.sql", 9, undefined],
      ["warning", "b.sql", 9, 2],
      ["warning", "b.sql", 10, undefined],
      ["notice", "a.sql", undefined, undefined],
    ],
  );
});

Deno.test("withoutCommands leaves nothing that the runner executes, and other text as it is", () => {
  fc.assert(fc.property(HOSTILE, (text) => {
    assertEquals(workflowCommands(withoutCommands(text)), []);
  }));
  assertEquals(
    withoutCommands("a::int\n  ::error::b\n##[debug]"),
    "a::int\n  : :error::b\n## [debug]",
  );
  assertEquals(
    withoutCommands("SELECT a::int, b :: text; # [x]"),
    "SELECT a::int, b :: text; # [x]",
  );
});
