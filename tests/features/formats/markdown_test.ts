import { assertEquals, assertStringIncludes } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import * as fc from "fast-check";
import type { Report } from "../../../src/features/formats/report.ts";
import { markdownOf } from "../../../src/features/formats/markdown.ts";
import { printable } from "../../../src/text/mod.ts";
import { installed } from "../../../tools/_npm.ts";
import { finding, FINDINGS, HOSTILE } from "./support.ts";

const folder = await installed("marked", ["marked@18.2.1"]);
const { parse } = await import(
  toFileUrl(join(folder, "node_modules/marked/lib/marked.esm.js")).href
) as { parse: (markdown: string) => string };

const report = (more: Partial<Report>): Report => ({
  ...{ command: "plan", findings: [], sections: [] },
  ...more,
});

Deno.test("markdownOf has a table, the advice, and the text of each connection", () => {
  const findings = [
    finding({
      ...{ file: "m/1.sql", line: 3, message: "Blocks writes to 't'" },
      ...{ measured: ["t has about 9 rows, 1 kB"], advice: ["Safe way:", "  SELECT '```';"] },
    }),
  ];
  const sections = [{ title: "main", text: "main: 1 to apply\n  1.sql\n" }, { text: "the end\n" }];
  assertEquals(
    markdownOf(report({ findings, sections })),
    `## irori plan

1 warning

| Severity | Place | Finding | Rule |
| --- | --- | --- | --- |
| warning | m/1.sql:3 | Blocks writes to 't'. t has about 9 rows, 1 kB | drop-table |

<details><summary>m/1.sql:3 drop-table</summary>

\`\`\`\`text
Safe way:
  SELECT '\`\`\`';
\`\`\`\`

</details>

### main

\`\`\`text
main: 1 to apply
  1.sql
\`\`\`

\`\`\`text
the end
\`\`\`
`,
  );
  assertEquals(markdownOf(report({})), "## irori plan\n\nNo findings\n");
});

/** The text of a cell without the marks against links. */
function cellsOf(html: string): readonly string[] {
  return [...html.matchAll(/<td>(.*?)<\/td>/gs)].map(([, text = ""]) => decoded(text));
}

function decoded(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&").replaceAll("\u200b", "").trim();
}

function line(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim()).replaceAll("\u200b", "").trim();
}

Deno.test("markdownOf + a text in a table, a heading or a block is text alone", () => {
  fc.assert(fc.property(FINDINGS, HOSTILE, HOSTILE, (findings, title, text) => {
    const sections = [{ title: `c${title}`, text }];
    const html = parse(markdownOf(report({ findings, sections })));
    const tags = new Set([...html.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag));
    const known = ["h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "pre", "code"];
    assertEquals([...tags].filter((tag) => !["details", "summary", ...known].includes(tag!)), []);
    assertEquals(
      cellsOf(html),
      findings.flatMap(({ severity, rule, message, measured = [], file = "", line: at }) => [
        severity,
        line(at === undefined ? file : `${file}:${at}`),
        line([message, ...measured].join(". ")),
        line(rule),
      ]),
    );
    const [, heading = ""] = /<h3>(.*?)<\/h3>/s.exec(html) ?? [];
    assertEquals(decoded(heading), line(`c${title}`));
    const blocks = [...html.matchAll(/<pre>/g)].length;
    const advised = findings.filter(({ advice = [] }) => advice.length > 0).length;
    assertEquals(blocks, advised + 1);
  }));
});

Deno.test("markdownOf + neither a link nor a mention is left to be recognized", () => {
  for (const text of ["@octocat", "https://a.bc", "www.a.bc", "a@b.cd", "#12", "HTTP://A.BC"]) {
    const markdown = markdownOf(report({ findings: [finding({ message: text })] }));
    const left = markdown.replace(/&#\d+;/g, "");
    assertEquals(/@\w|:\/\/|www\.|#\d/i.test(left), false, left);
  }
});

Deno.test("markdownOf is cut off between two parts, with a sentence, within its limit", () => {
  const findings = Array.from({ length: 200 }, (_, index) => finding({ message: `ä ${index}` }));
  for (const most of [400, 1000, 5000]) {
    const text = markdownOf(report({ findings }), most);
    const { length } = new TextEncoder().encode(text);
    assertEquals(length <= most && length > most - 200, true, `${length} of ${most}`);
    assertStringIncludes(text, "|\n\n**The summary is cut off here");
  }
  assertEquals(markdownOf(report({ findings }), 10), "");
  assertEquals(markdownOf(report({ findings })).includes("cut off"), false);
});
