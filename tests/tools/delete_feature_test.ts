import { assertEquals } from "@std/assert";
import { copyWithout, withUsers } from "../../tools/_delete_feature.ts";
import { deno } from "../../tools/_run.ts";
import { testFiles } from "../../tools/_test_files.ts";
import { CORE } from "../architecture/rules.ts";
import { FEATURES } from "../architecture/features.ts";
import { IS_ALL } from "../long/mod.ts";

const NAMES = Object.keys(FEATURES);
const tracked = await textOf("git", "ls-files");
/** Of a sample the hash of the commit chooses one, so that all have their turn. */
const [head = ""] = await textOf("git", "rev-parse", "HEAD");
const chosen = IS_ALL ? NAMES : [NAMES[parseInt(head.slice(0, 8), 16) % NAMES.length]!];
const testsOfCore = (await testFiles(
  [...new Set(CORE.map((layer) => `tests/${layer.replace(/\/.*/, "")}`))],
  true,
)).filter(({ needs }) => needs.size === 0);

for (const name of chosen) {
  Deno.test({
    name: `src/features/${name} can be deleted, with those that use it`,
    async fn() {
      const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori_without_" }));
      try {
        const features = withUsers(name);
        const isOfMigrations = FEATURES[name]!.half === "migrations";
        const isOfHalf = (path: string) =>
          IS_ALL || isOfMigrations === /^tests\/(?:migrations|cli)\//.test(path);
        const reached = testsOfCore.flatMap(({ reached }) => reached);
        const modules = await copyWithout(features, tracked, reached, folder);
        await succeed(folder, ["check", "--quiet", ...modules]);
        await succeed(folder, [
          ...["test", "-A", "--no-check", "--reporter=dot", "--parallel"],
          ...testsOfCore.map(({ path }) => path).filter(isOfHalf),
        ]);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

async function succeed(cwd: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await deno(args, { cwd });
  assertEquals(ok ? "" : output, "");
}

async function textOf(command: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(command, { args: [...args] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}
