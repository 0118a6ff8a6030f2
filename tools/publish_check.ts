import { copy } from "./_copy.ts";
import { deno } from "./_run.ts";

/**
 * `deno publish --dry-run` with `jsr.json`, on a temporary copy: it refuses links inside the package, so they lie
 * beside it there. Types are checked where the sources are, slow ones by the linter.
 */
export function publishCheck(): Promise<{ ok: boolean; output: string }> {
  return publish({ isDryRun: true, isLinked: true });
}

/** How to publish. */
interface Options {
  readonly isDryRun: boolean;
  /** Whether links stand for what JSR has. What is published for good has none. */
  readonly isLinked: boolean;
}

async function publish({ isDryRun, isLinked }: Options): Promise<{ ok: boolean; output: string }> {
  const manifest = JSON.parse(await Deno.readTextFile("jsr.json"));
  const folder = await Deno.makeTempDir({ prefix: "irori-publish-" });
  try {
    const root = `${folder}/package`;
    for (const name of manifest.publish.include) await copy(name, `${root}/${name}`);
    if (isLinked) {
      await copy("links", `${folder}/links`);
      const links = Array.from(Deno.readDirSync("links"), ({ name }) => `../links/${name}`);
      await Deno.writeTextFile(`${root}/jsr.json`, JSON.stringify({ ...manifest, links }));
    }
    const dryRun = isDryRun ? ["--dry-run", "--no-check"] : [];
    return await deno(["publish", ...dryRun, "--allow-dirty", "--config", "jsr.json"], {
      cwd: root,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const isDryRun = !Deno.args.includes("--publish");
  // '--jsr': by the packages that JSR has, as it is published.
  const isLinked = isDryRun && !Deno.args.includes("--jsr");
  const { ok, output } = await publish({ isDryRun, isLinked });
  console.log(output);
  Deno.exit(ok ? 0 : 1);
}
