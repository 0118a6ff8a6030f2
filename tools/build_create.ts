import { build, stop } from "esbuild";
import { join, resolve } from "@std/path";
import manifest from "../jsr.json" with { type: "json" };
import { checkOrigins } from "./_bundled.ts";
import { Graph } from "./_graph.ts";
import { npm } from "./_npm.ts";

const NAME = "create-irori";
const ENTRY = "tools/_create_bin.ts";
/** As in `build_npm.ts`: without it npm does not publish. */
const REPOSITORY = Deno.env.get("IRORI_REPOSITORY");

/**
 * Makes the package of `npm create irori` in `<folder>/create-irori` and packs it: one file, which needs no other package.
 *
 * @returns the path of the tarball
 */
export async function buildCreate(folder: string): Promise<string> {
  const root = join(folder, NAME);
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.mkdir(root, { recursive: true });
  const graph = await Graph.of([ENTRY]);
  const { metafile } = await build({
    entryPoints: [ENTRY],
    outfile: join(root, "create.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    metafile: true,
    logLevel: "warning",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [graph.plugin()],
  });
  await stop();
  checkOrigins(Object.keys(metafile.inputs), []);
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
    .filter(({ path }) => !path.startsWith("node:")).map(({ path }) => path);
  if (imported.length > 0) throw new Error(`'${NAME}' imports ${imported.join(", ")}`);
  await Deno.copyFile("LICENSE", join(root, "LICENSE"));
  await Deno.writeTextFile(join(root, "README.md"), README);
  await Deno.writeTextFile(
    join(root, "package.json"),
    `${JSON.stringify(packageJson(), null, 2)}\n`,
  );
  const options = ["--json", "--ignore-scripts", "--pack-destination", resolve(folder)];
  return join(folder, JSON.parse(await npm(root, ["pack", ...options]))[0].filename);
}

const README = `# create-irori

Makes a REST service with a migrated database, tests and a Dockerfile, on Deno, Node or Bun.

\`\`\`sh
npm create irori my-app
\`\`\`
`;

function packageJson(): Record<string, unknown> {
  return {
    name: NAME,
    ...(REPOSITORY === undefined ? { private: true } : {
      homepage: `${REPOSITORY}#readme`,
      repository: { type: "git", url: `git+${REPOSITORY}.git` },
    }),
    version: manifest.version,
    description: "Makes a REST service with Irori, on Deno, Node or Bun",
    license: manifest.license,
    type: "module",
    engines: { node: ">=22.19.0" },
    bin: { [NAME]: "./create.js" },
    files: ["create.js"],
  };
}

if (import.meta.main) {
  await Deno.mkdir("dist", { recursive: true });
  console.log(await buildCreate("dist"));
}
