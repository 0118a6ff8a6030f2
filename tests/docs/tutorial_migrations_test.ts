/** The tutorial of migrations, followed as it stands. */
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { actionlint } from "../tools/actionlint.ts";
import { ask, clusterTest, PLAIN } from "../servers/real.ts";
import { cleanUp, create } from "../migrations/sql/postgresql_support.ts";
import { urlOf } from "../e2e/adopt_support.ts";
import { bun, node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { follow, type Reader } from "./tutorial.ts";

const PAGE = "docs/guide/tutorial-migrations.md";
const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));

/** What the test has in place of what a registry has. */
const RUNTIMES: Readonly<
  Record<
    Reader["runtime"],
    (folder: string) => Promise<{
      readonly path: readonly string[];
      readonly replaced: Reader["replaced"];
    }>
  >
> = {
  Node: async (folder) => ({
    path: [join((await node(24))[0]!, "..")],
    replaced: [
      ["npm install irori ", `npm install ${await packLibrary(folder)} `],
      ["npx irori ", "node_modules/.bin/irori "], // What npx runs, without its start.
    ],
  }),
  Bun: async (folder) => ({
    path: [join((await bun())[0]!, "..")],
    replaced: [
      ["bun add irori ", `bun add ${await packLibrary(folder)} `],
      ["bunx irori ", "bun node_modules/irori/bin.js "],
    ],
  }),
  Deno: () =>
    Promise.resolve({
      path: [join(Deno.execPath(), "..")],
      replaced: [
        ["deno add jsr:@irori/irori npm:pg npm:libpg-query", "true"],
        [
          "deno run -A jsr:@irori/irori/cli",
          `${Deno.execPath()} run -A --quiet --config ${CONFIG} ${CLI}`,
        ],
      ],
    }),
};

for (const runtime of ["Node", "Deno", "Bun"] as const) {
  clusterTest(PLAIN, `tutorial-migrations.md + is followed on ${runtime}`, async (cluster) => {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-tutorial-" }));
    const datasource = await create();
    const { path, replaced } = await RUNTIMES[runtime](folder);
    const own = crypto.randomUUID().replaceAll("-", "");
    // As long as those of the page, so that columns stay where they are.
    const [index, connection, role] = [`p${own.slice(0, 7)}`, `c${own.slice(0, 6)}`, `r${own}`];
    const url = urlOf(datasource, "postgres");
    try {
      await follow(PAGE, {
        runtime,
        folder,
        env: { PATH: [...path, Deno.env.get("PATH")].join(":") },
        replaced: [
          ...replaced,
          ["postgres://postgres:secret@localhost:5432/shop", url],
          ["http://localhost:9200", cluster.url],
          ["products", index],
          ["catalog", connection],
          ["plan_reader", role],
        ],
      });
      const workflows = join(folder, "shop/.github/workflows");
      assertEquals(await actionlint(workflows), { ok: true, output: "" });
    } finally {
      await ask(cluster, "DELETE", `/${index}*`);
      await ask(cluster, "DELETE", `/_index_template/${index}`);
      await cleanUp();
      await Deno.remove(folder, { recursive: true });
    }
  });
}
