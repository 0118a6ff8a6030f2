/** Commands that messages and guides name: each exists, and takes what it is given. */
import { assertEquals, assertMatch } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { workspace } from "../e2e/command_line.ts";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { walk } from "@std/fs/walk";
import { readArguments } from "../../src/cli/arguments.ts";
import { PROGRAM as COMMAND_LINE } from "../cli/program.ts";
import { follow, start } from "./advice.ts";
import { OF_CLUSTERS } from "./advice_search.ts";
import { OF_DATABASES } from "./advice_sql.ts";
import { MORE_OF_DATABASES } from "./advice_sql_more.ts";
import { OF_APPLICATIONS } from "./advice_web.ts";

const NAMES = COMMAND_LINE.names.join("|");
const PROGRAM = String.raw`(?:npx (?:--yes )?irori|irori|deno run -A jsr:@irori/irori/cli)`;
/** In quotes, with the name of the program, or with an option or a placeholder behind the command. */
const QUOTED = new RegExp(
  String
    .raw`['\x60]((?:${PROGRAM}(?: [^'\x60"\n]*)?)|(?:(?:${NAMES}) (?=[^'\x60\n]*(?:--|-m |<))[^'\x60"\n]*))['\x60]`,
  "g",
);
/** A line of a message: the command, and behind two blanks what it does. */
const LISTED = new RegExp(String.raw`["\x60 ] *((?:${NAMES}) [^"\n]*?--[a-z]+)  `, "g");
/** A line of a block of a guide. */
const TYPED = new RegExp(String.raw`^ *(${PROGRAM}(?: .*)?)$`, "gm");

/** The command belongs to another tool. */
const FOREIGN = /^migrate force\b/;

interface Advice {
  readonly place: string;
  readonly text: string;
}

async function collected(): Promise<readonly Advice[]> {
  const found: Advice[] = [];
  const folders = [["src", ".ts", [QUOTED, LISTED]], ["docs/guide", ".md", [QUOTED, TYPED]], [
    "examples",
    "README.md",
    [QUOTED, TYPED],
  ]] as const;
  for (const [folder, end, patterns] of folders) {
    for await (
      const { path } of walk(folder, { includeDirs: false })
    ) {
      if (!path.endsWith(end) || /node_modules|template\.ts$/.test(path)) continue;
      const text = await Deno.readTextFile(path);
      for (const pattern of patterns) {
        for (const [, command = ""] of text.matchAll(pattern)) {
          found.push({ place: path, text: command });
        }
      }
    }
  }
  return found;
}

/** Its arguments, with a word for each placeholder; none for a form that stands for several commands. */
function argumentsOf(text: string): readonly string[] | undefined {
  if (/^irori \$\{/.test(text)) return undefined; // Any command.
  const line = text
    .replace(new RegExp(`^${PROGRAM} ?`), "")
    .replace(/\$\{[^}]*\}|<[^>]*>/g, "name")
    .replace(/ *(?:#|\|\||>|\| ).*$/, "")
    .replace(/\\$/, "");
  if (/[…{[]|\\?\||\.\.\.|[a-z]\/--/.test(line)) return undefined;
  return line.split(" ").filter((word) => word !== "").map((word) =>
    word.replace(/^["']|["'],?$/g, "")
  );
}

Deno.test("messages and guides + name commands that exist, with options that they have", async () => {
  const wrong: string[] = [];
  const checked = new Set<string>();
  for (const { place, text } of await collected()) {
    const args = FOREIGN.test(text) ? undefined : argumentsOf(text);
    if (args === undefined) continue;
    // Some name a command or an option alone, without the file that it is for.
    const problems = await Promise.all([[], ["1"], ["file"]].map(async (more) => {
      return (await readArguments([...args, ...more], COMMAND_LINE)).problem;
    }));
    checked.add(args.join(" "));
    if (problems.every((problem) => problem !== undefined)) {
      wrong.push(`${place}: '${text}': ${problems[0]}`);
    }
  }
  assertEquals(wrong, []);
  assertEquals(checked.size >= 100, true, `Only ${checked.size} were found`);
});

const FOLLOWED = [...OF_DATABASES, ...MORE_OF_DATABASES, ...OF_CLUSTERS, ...OF_APPLICATIONS];

for (const advised of FOLLOWED) {
  Deno.test(
    `the advice for ${advised.title} leads where it says: ${advised.advice.source}`,
    () => follow(advised),
  );
}

Deno.test("at least 60 different pieces of advice are followed", () => {
  const sources = new Set(FOLLOWED.map(({ advice }) => advice.source));
  assertEquals(sources.size >= 60, true, `Only ${sources.size} are`);
});

for (const answer of ["--applied", "--retry"]) {
  for (const runs of [1, 2]) {
    Deno.test(`the advice for a request of which a part was done leads where it says: ${answer}, run ${runs}`, async () => {
      const [created, refused] = [{ create: { status: 201 } }, { create: { status: 400 } }];
      let items = [created, refused];
      await using cluster = startClusterDouble({
        intercept: (line) =>
          line.startsWith("POST /orders/_bulk")
            ? Response.json({ took: 1, errors: items.includes(refused), items })
            : undefined,
      });
      await using space = await workspace({
        "config/search-config.yml":
          `search:\n  - { name: live, hosts: ["${cluster.url}"], migrations: { enabled: true } }\n`,
        "migrations/live/1.json":
          '{"method":"POST","path":"/orders/_bulk","body":[{"create":{}},{"a":1},{"create":{}},{"a":2}]}',
      });
      let stderr = "";
      for (let run = 0; run < runs; run++) ({ stderr } = await start(space, "migrate -m search"));
      const [, found = ""] = new RegExp(`^ +(resolve 1\\.json ${answer}) `, "m").exec(stderr) ?? [];
      items = [created, created];
      const taken = await start(space, found);
      assertEquals([taken.code, taken.stderr], [0, ""]);
      const again = await start(space, "migrate -m search");
      assertEquals([again.code, again.stderr], [0, ""]);
      const sent = cluster.requests.filter(({ line }) => line.startsWith("POST /orders/_bulk"));
      assertEquals(sent.length, answer === "--retry" ? 2 : 1);
    });
  }
}

Deno.test("the advice for a command without the kind of the connections leads where it says: -m search", async () => {
  await using cluster = startClusterDouble();
  await using space = await workspace({
    "config/search-config.yml":
      `search:\n  - { name: live, hosts: ["${cluster.url}"], migrations: { enabled: true } }\n`,
    "migrations/live/logs-template.json": '{ "index_patterns": ["logs-*"] }',
  });
  const { stdout } = await start(space, "migrate");
  const [, found = ""] = /which '(-m search)' migrates/.exec(stdout) ?? [];
  const taken = await start(space, `migrate ${found}`);
  assertEquals([taken.code, taken.stderr], [0, ""]);
  const changed = '{ "index_patterns": ["logs-*"], "priority": 2 }';
  await space.write("migrations/live/logs-template.json", changed);
  const recorded = await start(space, "baseline --changed logs-template.json");
  assertEquals([recorded.code, recorded.stderr], [0, ""]);
});

Deno.test({
  name: "the advice for jobs without their schema leads where it says (PostgreSQL)",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    const { database } = await postgresql.create();
    const url = new URL(Deno.env.get("TEST_PG_URL")!);
    url.pathname = database;
    await using space = await workspace({
      "config/application.yml":
        `datasource:\n  - { name: main, url: "${url.href}", migrations: { enabled: true } }\n`,
    });
    const refused = await start(space, "jobs list");
    const [, write = ""] = /'irori (new jobs-schema)'/.exec(refused.stderr) ?? [];
    assertEquals([refused.code, write], [2, "new jobs-schema"], refused.stderr);
    for (const line of [write, "migrate", "jobs list", "jobs list --state failed"]) {
      const { code, stdout, stderr } = await start(space, line);
      assertEquals(code, 0, `${line}: ${stdout}${stderr}`);
    }
    const none = await start(space, "jobs retry");
    assertMatch(none.stderr, /Expected ids of jobs, or '--job <name>'/);
    assertEquals(none.code, 2);
    const unknown = await start(space, "jobs retry --job a --dry-run");
    assertMatch(unknown.stderr, /Unknown job 'a'/);
  },
});

Deno.test.afterAll(() => postgresql.cleanUp());
