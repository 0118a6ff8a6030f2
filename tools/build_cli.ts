import { build, stop } from "esbuild";
import { join, resolve } from "@std/path";
import { bunExecutable, npmInstall } from "./_npm.ts";
import { buildNpm } from "./build_npm.ts";

/**
 * Makes the command line in one file, `<folder>/irori.mjs`, for Deno, Bun and Node. Drivers of databases other than
 * SQLite stay outside.
 *
 * @returns the path of the file
 */
export async function buildCli(folder: string): Promise<string> {
  const temporary = await Deno.makeTempDir({ prefix: "irori-cli-" });
  const outfile = resolve(folder, "irori.mjs");
  try {
    await npmInstall(temporary, [await buildNpm(temporary)]);
    await build({
      entryPoints: [join(temporary, "node_modules/irori/bin.js")],
      outfile,
      absWorkingDir: temporary,
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      target: "es2022",
      legalComments: "eof",
      logLevel: "warning",
      banner: { js: REQUIRE },
      external: SERVER,
    });
    await stop();
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
  await Deno.chmod(outfile, 0o755);
  return outfile;
}

/**
 * Makes the command line in one executable, `<folder>/irori`, that needs no runtime beside it.
 *
 * @returns the path of the executable
 */
export async function buildBinary(folder: string): Promise<string> {
  const outfile = join(folder, "irori");
  const { success, stderr } = await new Deno.Command(await bunExecutable(), {
    args: [
      "build",
      "--compile",
      await buildCli(folder),
      ...SERVER.map((name) => `--external=${name}`),
      `--outfile=${outfile}`,
    ],
    stdout: "null",
    stdin: "null",
  }).output();
  if (!success) throw new Error(`bun build: ${new TextDecoder().decode(stderr)}`);
  return outfile;
}

/** The command line serves nothing. */
const SERVER = ["@hono/node-server"];

/** What modules of the older kind load each other with. */
const REQUIRE = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`;

if (import.meta.main) {
  await Deno.mkdir("dist", { recursive: true });
  console.log(await (Deno.args.includes("--binary") ? buildBinary : buildCli)("dist"));
}
