/** The README in the form of a release: its commands, with packages from a registry on this machine. */
import { assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { variantsOf } from "../../docs/.vitepress/runtimes.ts";
import { blocksOf } from "../../tools/docs/blocks.ts";
import { publishLocally, type Registry } from "../../tools/rehearse_release.ts";
import { drizzleHistory } from "../features/adopt/adopt_support.ts";
import { ask, clusterTest, PLAIN } from "../servers/real.ts";
import { Shell } from "./created.ts";
import { bun, DENO, node } from "./executables.ts";

const README = "README.md";
const [section = ""] = Deno.readTextFileSync(README).split("\n## Start\n").slice(1);
const BLOCKS = blocksOf(section.split("\n## ")[0] ?? "", README)
  .filter(({ language }) => language === "sh");

let folder = "";
let registry: Registry;
Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir({ prefix: "irori-release-" });
  registry = await publishLocally(folder);
});
Deno.test.afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

/** Deno takes no package in the first day after its release, unless an option allows it. */
const AT_ONCE = "--minimum-dependency-age=0";

interface Reader {
  readonly tab: string;
  bin(): Promise<string>;
  /** Commands that need JSR or an older release, as this registry can run them. */
  readonly replaced: readonly (readonly [RegExp, string])[];
}

const READERS: readonly Reader[] = [
  { tab: "Node", bin: async () => dirname((await node(24))[0] ?? ""), replaced: [] },
  {
    tab: "Bun",
    async bin() {
      // npm has the executable without the link that its script makes.
      const links = join(folder, "bun-links");
      await Deno.mkdir(links, { recursive: true });
      for (const name of ["bun", "bunx"]) {
        await Deno.symlink((await bun())[0] ?? "", join(links, name)).catch(() => {});
      }
      return links;
    },
    replaced: [],
  },
  {
    tab: "Deno",
    bin: () => Promise.resolve(dirname(DENO[0] ?? "")),
    replaced: [
      [/deno create jsr:@irori\/irori -- /, `deno run -A ${AT_ONCE} npm:create-irori `],
      [/deno run -A npm:/g, `deno run -A ${AT_ONCE} npm:`],
      [
        /(?<=&& )deno task test/,
        `sed -i 's#jsr:@irori/irori@#npm:irori@#' deno.json && ` +
        `deno test -E -N -R -S -W --no-lock ${AT_ONCE}`,
      ],
    ],
  },
];

/** Follows a block of the README in a folder. @returns what its commands print */
async function follow(
  { tab, bin, replaced }: Reader,
  block: number,
  path: string,
  change: (code: string) => string = (code) => code,
): Promise<string> {
  const { code = "" } = BLOCKS[block] ?? {};
  const written = variantsOf("sh", code).find(({ runtime }) => runtime === tab)?.code ?? code;
  const commands = replaced.reduce((text, [pattern, by]) => text.replace(pattern, by), written);
  return await new Shell(path, await bin(), registry.env).output(
    `set -e; ${change(commands).trim()}`,
  );
}

async function inNewFolder(work: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-reader-" }));
  try {
    await work(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

const FIRST = "CREATE TABLE orders (id integer PRIMARY KEY, total integer);\n";

/** A project of drizzle-kit on SQLite, with one file applied and one pending. */
async function drizzleProject(path: string): Promise<void> {
  const write = async (name: string, text: string) => {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), text);
  };
  await write(
    "drizzle.config.ts",
    'export default { dialect: "sqlite", out: "./drizzle", dbCredentials: { url: "./shop.db" } };\n',
  );
  await write("drizzle/0000_orders.sql", FIRST);
  await write("drizzle/0001_paid.sql", "ALTER TABLE orders ADD COLUMN paid integer;\n");
  const entries = ["0000_orders", "0001_paid"].map((tag, idx) => (
    { idx, version: "6", when: 1700000000000 + idx, tag, breakpoints: true }
  ));
  await write(
    "drizzle/meta/_journal.json",
    JSON.stringify({ version: "7", dialect: "sqlite", entries }),
  );
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(FIRST));
  using database = new DatabaseSync(join(path, "shop.db"));
  database.exec(FIRST);
  const hash = new Uint8Array(bytes).toHex();
  for (const statement of drizzleHistory(false, [{ hash, when: 1700000000000 }])) {
    database.exec(statement);
  }
}

Deno.test("README.md + 'Start' has three blocks of commands", () => {
  assertEquals(BLOCKS.length, 3);
});

for (const reader of READERS) {
  Deno.test({
    name: `a release + 'irori-migrate' proposes a configuration, as the README says: ${reader.tab}`,
    fn: () =>
      inNewFolder(async (path) => {
        await drizzleProject(path);
        const printed = await follow(reader, 0, path);
        assertMatch(printed, /Found drizzle: drizzle\.config\.ts/);
        assertMatch(printed, /adopted +0000_orders\.sql\n +pending +0001_paid\.sql/);
        assertMatch(printed, /Nothing was written/);
      }),
  });

  clusterTest(
    PLAIN,
    `a release + the files of a cluster are pulled, as the README says: ${reader.tab}`,
    async (cluster) => {
      const name = `r${crypto.randomUUID().slice(0, 8)}`;
      const template = {
        index_patterns: [`${name}-*`],
        template: { settings: { number_of_shards: 2 } },
      };
      await ask(cluster, "PUT", `/_index_template/${name}`, template);
      const own = (code: string) =>
        code.replace("http://127.0.0.1:9200", cluster.url).replace("name: logs", `name: ${name}`);
      await inNewFolder(async (path) => {
        const printed = await follow(reader, 1, path, own);
        assertMatch(printed, new RegExp(`^${name}: \\d+ recorded without applying`, "m"));
        await Deno.stat(join(path, `migrations/${name}/55-templates/${name}-template.json`));
      });
      await ask(cluster, "DELETE", `/_index_template/${name}`);
    },
  );

  Deno.test({
    name: `a release + a new API passes its tests, as the README says: ${reader.tab}`,
    fn: () =>
      inNewFolder(async (path) => {
        assertMatch(await follow(reader, 2, path), /pass 4|4 pass|4 passed/);
      }),
  });
}
