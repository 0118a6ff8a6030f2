import { build, stop } from "esbuild";
import { resolve } from "@std/path";
import { DRIVERS } from "../src/migrations/sql/connect/drivers.ts";
import { Graph } from "./_graph.ts";
import { bunExecutable, npmInstall } from "./_npm.ts";

/**
 * Makes the command line in one file, `<folder>/irori.mjs`, for Deno, Bun and Node. Drivers of databases other than
 * SQLite stay outside.
 *
 * @returns the path of the file
 */
export async function buildCli(folder: string): Promise<string> {
  const outfile = resolve(folder, "irori.mjs");
  await bundle(outfile);
  await Deno.chmod(outfile, 0o755);
  return outfile;
}

/**
 * Makes the command line in one executable, `<folder>/irori`, that needs no runtime beside it and has the drivers in it.
 *
 * @returns the path of the executable
 */
export async function buildBinary(folder: string): Promise<string> {
  const temporary = await Deno.makeTempDir({ prefix: "irori-cli-" });
  const outfile = resolve(folder, "irori");
  try {
    const source = resolve(temporary, "irori.mjs");
    await bundle(source, DRIVERS);
    const external = OUTSIDE.map((name) => `--external=${name}`);
    const { success, stderr } = await new Deno.Command(await bunExecutable(), {
      args: [
        "build",
        "--compile",
        "--compile-autoload-package-json",
        ...QUICK,
        source,
        `--outfile=${outfile}`,
        ...external,
      ],
      stdout: "null",
      stdin: "null",
    }).output();
    if (!success) throw new Error(`bun build: ${new TextDecoder().decode(stderr)}`);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
  return outfile;
}

async function bundle(
  outfile: string,
  drivers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const graph = await Graph.of([BIN]);
  const packages = await Deno.makeTempDir({ prefix: "irori-packages-" });
  try {
    const ranges = [...graph.packages, ...Object.entries(drivers)];
    await npmInstall(packages, ranges.map(([name, range]) => `${name}@${range}`));
    await build({
      entryPoints: [resolve(BIN)],
      outfile,
      // Paths show in the output: from here they are the same on every machine.
      absWorkingDir: packages,
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      target: "es2022",
      legalComments: "eof",
      logLevel: "warning",
      banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
      external: OUTSIDE,
      plugins: [graph.plugin({
        packages,
        replaced: Object.keys(drivers).length > 0
          ? { "src/migrations/sql/connect/import_driver.ts": IMPORT }
          : {},
      })],
    });
    await stop();
  } finally {
    await Deno.remove(packages, { recursive: true });
  }
}

const BIN = "tools/_bin.ts";

/** In place of `src/migrations/sql/connect/import_driver.ts`: names that are literals, which bundlers follow. */
const IMPORT = `
const known = { "pg": () => import("pg"), "mysql2/promise": () => import("mysql2/promise") };
export const importDriver = (name) => known[name]?.() ?? import(name);
export const resolveDriver = (name) => import.meta.resolve(name);
`;

/** The command line does not need these: it serves nothing, and `pg` does without its native part. */
const OUTSIDE = ["@hono/node-server", "pg-native", "unplugin"];

/** Parses the sources here and not at each start, which then takes a quarter of the time. */
const QUICK = ["--bytecode", "--format=esm"];

/** CommonJS modules load each other by `require()`. */
const REQUIRE = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`;

if (import.meta.main) {
  await Deno.mkdir("dist", { recursive: true });
  console.log(await (Deno.args.includes("--binary") ? buildBinary : buildCli)("dist"));
}
