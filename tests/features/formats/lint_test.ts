/** The findings of the measured table of locks, and hostile files, through the command line. */
import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { started } from "../../e2e/command_line.ts";
import { expectedFinding, lockRows } from "../lint/locks_table.ts";
import { ROWS, SETUP } from "../lint/rows.ts";
import { type WorkflowCommand, workflowCommands } from "./support.ts";

const FORMATS = ["github", "gitlab", "sarif", "markdown"] as const;

/** A folder with a configuration of PostgreSQL, to which nothing connects. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "irori-formats-" });
  const names = new Set(Object.keys(files).map((path) => path.split("/", 1)[0]!));
  const datasource = [...names].map((name) => ({
    ...{ name, url: "postgres://127.0.0.1:1/shop", migrations: { enabled: true } },
  }));
  const all = { "config/application.yml": JSON.stringify({ datasource }) };
  const placed = Object.entries(files).map(([path, text]) => [`migrations/${path}`, text] as const);
  for (const [path, text] of [...Object.entries(all), ...placed]) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  return folder;
}

interface FindingPosition {
  readonly file: string;
  readonly line: number;
}

/** Where the findings of an output are. */
function placesIn(format: typeof FORMATS[number], stdout: string): readonly FindingPosition[] {
  switch (format) {
    case "github":
      return workflowCommands(stdout)
        .map(({ properties: { file = "", line } }) => ({ file, line: Number(line) }));
    case "gitlab":
      return JSON.parse(stdout).map(({ location }: GitlabIssue) => ({
        ...{ file: location.path, line: location.lines.begin },
      }));
    case "sarif":
      return JSON.parse(stdout).runs[0].results
        .map((
          { locations: [{ physicalLocation: { artifactLocation, region } }] }: SarifResult,
        ) => ({
          ...{ file: decodeURIComponent(artifactLocation.uri), line: region?.startLine },
        }));
    case "markdown":
      return [...stdout.matchAll(/^\| \w+ \| (.+?):(\d+) \|/gm)].map(([, file = "", line]) => ({
        ...{ file: file.replace(/\\(.)|&#(\d+);|\u200b/g, decoded), line: Number(line) },
      }));
  }
}

function decoded(_: string, escaped?: string, code?: string): string {
  return escaped ?? (code === undefined ? "" : String.fromCharCode(Number(code)));
}

interface GitlabIssue {
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

interface SarifResult {
  readonly locations: readonly [{
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: { readonly startLine: number };
    };
  }];
}

Deno.test("validate --format + each dangerous statement of the measured table is on its line", async () => {
  const dangerous = (await lockRows()).filter((row) => expectedFinding(row));
  const files = dangerous.flatMap(({ label, isTransactional }, index) => {
    const [sql, before = ""] = ROWS[label]!;
    const head = isTransactional ? "--" : "-- irori: no-transaction";
    return [[`c${index}/1.sql`, SETUP + before], [`c${index}/2.sql`, `${head}\n\n${sql};\n`]];
  });
  const folder = await folderOf(Object.fromEntries(files));
  for (const format of FORMATS) {
    const { code, stdout } = await started(["validate", "--format", format], folder);
    assertEquals(code, 0);
    const found = placesIn(format, stdout).filter(({ file }) => file.endsWith("/2.sql"));
    const places = new Set(found.map(({ file, line }) => `${file}:${line}`));
    assertEquals(places.size, 59);
    for (const [index] of dangerous.entries()) {
      assert(places.has(`migrations/c${index}/2.sql:3`), `${format}: ${dangerous[index]?.label}`);
    }
  }
  await Deno.remove(folder, { recursive: true });
});

/** Parts of names of files and tables that mean something to a runner, in Markdown or in a URI. */
const HOSTILE = [
  ...["::error::a", "::add-mask::a", "::stop-commands::a", "##[error]a", "##[add-mask]a", "a::b"],
  ...["%0A::error::a", "%0D%0A", "%25", "%", "a%2Cb", "a,line=9", ",title=a", "file=b", "a=b,c=d"],
  ...[
    "a:b",
    "::",
    ":::",
    " ::error::a",
    "a ",
    " a",
    "|",
    "a|b|c",
    "\\|",
    "\\",
    "`a`",
    "```",
    "~~~",
  ],
  ...["<script>", "<!--", "&lt;", "&", "[a](b)", "![a](b)", "@octocat", "#1", "www.a.bc", "a@b.cd"],
  ...[
    "*a*",
    "__a__",
    "$a$",
    "$(a)",
    "${a}",
    "\u2028::error::a",
    "\u0085::error::a",
    "\u202ea",
    "ä",
  ],
  ...["'", "a'::b", "a;b#c?d"],
];

Deno.test("validate --format + names of files and tables forge no command, and each run prints the same", async () => {
  assertEquals(HOSTILE.length, 50);
  const names = HOSTILE.map((part, index) => [`${index + 100}${part}.sql`, part] as const);
  const files = Object.fromEntries(names.map(([name, part]) => [
    `main/${name}`,
    `DROP TABLE "\n  ::error::${part}";\n`,
  ]));
  const folder = await folderOf(files);
  for (const format of FORMATS) {
    const args = ["validate", "--format", format];
    const { code, stdout, stderr } = await started(args, folder);
    assertEquals([code, stdout], [0, (await started(args, folder)).stdout]);
    assertEquals(workflowCommands(stderr), []);
    const commands = workflowCommands(stdout).filter(({ data }) => !/^\d+ more /.test(data));
    assertEquals(commands.length, format === "github" ? 50 : 0);
    const expected = names.map(([name]) => `migrations/main/${name}`).sort();
    const shown = placesIn(format, stdout).filter(({ file }) => file !== "");
    const written = format === "markdown"
      ? expected.map((file) => file.replace(/\s+/g, " ").replace("\u0085", "\\u0085"))
      : expected;
    assertEquals(shown.map(({ file }) => file).sort(), written.sort());
    assertEquals(commands.every(isFinding), true);
  }
  await Deno.remove(folder, { recursive: true });
});

function isFinding({ name, properties: { title, line }, data }: WorkflowCommand): boolean {
  return name === "warning" && title === "drop-table" && line === "1" &&
    data.startsWith("Deletes the data of '");
}

Deno.test("validate --format + control characters in names forge no command", async () => {
  for (const name of ["a\n::error::b.sql", "a\r::error::b.sql", "a\u001b[31m.sql"]) {
    const folder = await folderOf({ [`main/${name}`]: "SELECT 1;\n" });
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await started(["validate", "--format", format], folder);
      assertEquals(code, 3);
      assertEquals(workflowCommands(stderr), []);
      const commands = workflowCommands(stdout).map(({ properties, data }) => [properties, data]);
      const properties = { file: `migrations/main/${name}`, title: "invalid-file" };
      assertEquals(
        commands,
        format === "github" ? [[properties, "The path has a control character"]] : [],
      );
    }
    await Deno.remove(folder, { recursive: true });
  }
});
