import { build, stop } from "esbuild";
import { join } from "@std/path";
import { checkOrigins } from "./_bundled.ts";
import { Graph } from "./_graph.ts";
import { emptyRoot, type Identity, identityOf, pack } from "./_package.ts";

const NAME = "create-irori";
const ENTRY = "tools/_create_bin.ts";

/**
 * Makes the package of `npm create irori` in `<folder>/create-irori` and packs it: one file, which needs no other package.
 *
 * @returns the path of the tarball
 */
export async function buildCreate(folder: string): Promise<string> {
  const root = await emptyRoot(folder, NAME);
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
  await Deno.writeTextFile(join(root, "README.md"), README);
  return await pack(root, folder, packageJson());
}

const README = `# create-irori

Makes a REST service with a migrated database, tests and a Dockerfile, on Deno, Node or Bun.

\`\`\`sh
npm create irori my-app
\`\`\`
`;

function packageJson(): Identity {
  return {
    ...identityOf(NAME, "Makes a REST service with Irori, on Deno, Node or Bun", ["rest", "hono"]),
    bin: { [NAME]: "./create.js" },
    files: ["create.js"],
  };
}

if (import.meta.main) {
  const [folder = "dist"] = Deno.args;
  await Deno.mkdir(folder, { recursive: true });
  console.log(await buildCreate(folder));
}
