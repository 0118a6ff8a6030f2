/** The tutorial of migrations, followed as it stands. */
import { assert, assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { actionlint } from "../tools/actionlint.ts";
import { ask, clusterTest, PLAIN } from "../servers/real.ts";
import { cleanUp, create, postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { urlOf } from "../features/adopt/adopt_support.ts";
import { bun, node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { assertShown, stepsOf } from "./steps.ts";

/** Servers, names and the packed package replace these texts of the page. */
type Replaced = readonly (readonly [page: string, test: string])[];

const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));

const ENV = {
  NO_COLOR: "1",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};

/** Where a runtime is, and what stands for the registry. */
const RUNTIMES: Readonly<
  Record<string, (folder: string) => Promise<{ readonly bin: string; readonly replaced: Replaced }>>
> = {
  Node: async (folder) => ({
    bin: dirname((await node(24))[0]!),
    replaced: [
      ["npm install irori ", `npm install ${await packLibrary(folder)} `],
      ["npx irori ", "node_modules/.bin/irori "], // The test runs the program that npx would start.
    ],
  }),
  Bun: async (folder) => ({
    bin: dirname((await bun())[0]!),
    replaced: [
      ["bun add irori ", `bun add ${await packLibrary(folder)} `],
      ["bunx irori ", "bun node_modules/irori/bin.js "],
    ],
  }),
  Deno: () =>
    Promise.resolve({
      bin: dirname(Deno.execPath()),
      replaced: [
        ["deno add jsr:@irori/irori npm:pg npm:libpg-query", "true"],
        [
          "deno run -A jsr:@irori/irori/cli",
          `${Deno.execPath()} run -A --quiet --config ${CONFIG} ${CLI}`,
        ],
      ],
    }),
};

for (const [runtime, prepare] of Object.entries(RUNTIMES)) {
  clusterTest(PLAIN, `tutorial-migrations.md + is followed on ${runtime}`, async (cluster) => {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-tutorial-" }));
    const datasource = await create();
    const { bin, replaced } = await prepare(folder);
    const own = crypto.randomUUID().replaceAll("-", "");
    // As long as those of the page, so that columns stay where they are.
    const [index, connection, role] = [`p${own.slice(0, 7)}`, `c${own.slice(0, 6)}`, `r${own}`];
    try {
      await follow(runtime, folder, bin, [
        ...replaced,
        ["postgres://postgres:secret@localhost:5432/shop", urlOf(datasource, "postgres")],
        ["http://localhost:9200", cluster.url],
        ["products", index],
        ["catalog", connection],
        ["plan_reader", role],
      ]);
      const workflows = join(folder, "shop/.github/workflows");
      assertEquals(await actionlint(workflows), { ok: true, output: "" });
    } finally {
      await ask(cluster, "DELETE", `/${index}*`);
      await ask(cluster, "DELETE", `/_index_template/${index}`);
      await cleanUp();
      await Deno.remove(folder, { recursive: true });
    }
  }, postgresqlMissing);
}

/** Writes the files of the page, runs its commands and compares what they print. */
async function follow(
  runtime: string,
  folder: string,
  bin: string,
  replaced: Replaced,
): Promise<void> {
  const change = (text: string) =>
    replaced.reduce((text, [page, test]) => text.replaceAll(page, test), text);
  const restore = (text: string) =>
    replaced.reduceRight((text, [page, test]) => text.replaceAll(test, page), text);
  const [at, variables] = [join(folder, ".at"), join(folder, ".variables")];
  await Deno.writeTextFile(at, folder);
  await Deno.writeTextFile(variables, "");
  for (const { place, file, code, output } of stepsOf("tutorial-migrations.md", runtime)) {
    if (file !== undefined) {
      const path = join((await Deno.readTextFile(at)).trim(), change(file));
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, change(code.slice(code.indexOf("\n") + 1)));
      continue;
    }
    // One terminal: folder and variables stay from block to block.
    const script = `cd "$(cat "${at}")"; . "${variables}"
exec 2>&1; set -eo pipefail
${change(code)}
pwd > "${at}"; export -p > "${variables}"`;
    const env = { ...ENV, PATH: `${bin}:${Deno.env.get("PATH")}` };
    const command = new Deno.Command("bash", { args: ["-c", script], env, stdin: "null" });
    const { success, stdout } = await command.output();
    const printed = new TextDecoder().decode(stdout);
    assert(success, `${place}\n${printed}`);
    if (output) assertShown(output, restore(printed));
  }
}
