import { copy } from "./_copy.ts";
import { deno } from "./_run.ts";

/**
 * `deno publish --dry-run` with `jsr.json`, on a temporary copy: it refuses links inside the package, so they lie
 * beside it there.
 */
export function publishCheck(): Promise<{ ok: boolean; output: string }> {
  return publish(true);
}

/** The same copy, or published for good: then without links, as JSR has what they stand for. */
async function publish(isDryRun: boolean): Promise<{ ok: boolean; output: string }> {
  const manifest = JSON.parse(await Deno.readTextFile("jsr.json"));
  const folder = await Deno.makeTempDir({ prefix: "irori-publish-" });
  try {
    const root = `${folder}/package`;
    for (const name of manifest.publish.include) await copy(name, `${root}/${name}`);
    if (!isDryRun) {
      return await deno(["publish", "--allow-dirty", "--config", "jsr.json"], { cwd: root });
    }
    await copy("links", `${folder}/links`);
    const links = Array.from(Deno.readDirSync("links"), ({ name }) => `../links/${name}`);
    await Deno.writeTextFile(`${root}/jsr.json`, JSON.stringify({ ...manifest, links }));
    const dryRun = ["publish", "--dry-run", "--allow-dirty", "--config", "jsr.json"];
    return await deno(dryRun, { cwd: root });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { ok, output } = await publish(!Deno.args.includes("--publish"));
  console.log(output);
  Deno.exit(ok ? 0 : 1);
}
