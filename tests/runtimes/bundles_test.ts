/**
 * The conformance suite in bundles: on `decorate()` alone, and with decorator syntax that the plugin of `./vite` compiles.
 */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { installed } from "../../tools/_npm.ts";
import { UNPLUGIN } from "../../src/features/vite/plugin.ts";
import { withoutSyntax } from "./_without_syntax.ts";
import { buildWith } from "./building.ts";
import { checkConformance, conformanceProject, SERVER } from "./conformance_project.ts";
import { bun, node, run } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { type Project, testsOn } from "./project.ts";

const COMPILERS = [
  ...["@babel/core@8", "@babel/plugin-proposal-decorators@8", "@babel/preset-typescript@8"],
  ...["@swc/core@1", "typescript@7"],
];
const BUNDLERS = [
  ...["@rollup/plugin-node-resolve@16", "@rollup/plugin-terser@1", "@rspack/core@2", "@swc/core@1"],
  ...["esbuild@0.28", "rolldown@1", "rollup@4", "swc-loader@0.2", "tsdown@0.22", "vite@8"],
  // 5.113.0 makes `z.coerce.number()` of zod `z.number()`.
  ...["webpack@~5.112.2", `${UNPLUGIN.name}@${UNPLUGIN.range}`],
];

const undecorated = conformanceProject(withoutSyntax);
const test = testsOn("decorate", undecorated);
const testSyntax = testsOn("irori/vite", undecorated.then(() => conformanceProject()));

test("the conformance suite passes in a bundle of tsc", async (project) => {
  const compilerOptions = {
    ...{ target: "es2022", module: "nodenext", strict: true, types: [], skipLibCheck: true },
    lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    ...{ rewriteRelativeImportExtensions: true, rootDir: ".", outDir: "built/tsc" },
  };
  await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [SERVER] }));
  const tsc = join(await compilers(), "node_modules/typescript/bin/tsc");
  await run([...await node(24), tsc, "-p", "."], { cwd: project.path });
  await checkConformance(
    [...await node(24), project.file(`built/tsc/${compiled(SERVER)}`)],
    project.path,
  );
});

test("the conformance suite passes in a bundle of Bun, minified", async (project) => {
  const outfile = project.file("built/bun.mjs");
  const build = ["build", SERVER, "--target=node", "--minify", `--outfile=${outfile}`];
  await run([...await bun(), ...build], { cwd: project.path });
  await checkConformance([...await node(24), outfile], project.path);
});

/** Scripts that compile each module of the application. */
const COMPILING: Readonly<Record<string, string>> = {
  "SWC by its default": swc({}),
  "SWC, 2022-03": swc({ decoratorVersion: "2022-03" }),
  "SWC, 2023-11": swc({ decoratorVersion: "2023-11" }),
  Babel: eachModule(
    'import { transformFileAsync } from "@babel/core"',
    `transformFileAsync(path, {
      presets: ["@babel/preset-typescript"],
      plugins: [["@babel/plugin-proposal-decorators", { version: "2023-11" }]],
      configFile: false,
    })`,
  ),
};
for (const [name, script] of Object.entries(COMPILING)) {
  test(`the conformance suite passes in a bundle of ${name}`, async (project) => {
    await buildWith(await compilers(), project, script);
    await checkConformance(
      [...await node(24), project.file(`built/each/${compiled(SERVER)}`)],
      project.path,
    );
  });
}

/** Scripts that write a minified bundle of the application; `PLUGINS` are those of `./vite`, or none. */
const BUNDLING: Readonly<Record<string, string>> = {
  esbuild: `import { build } from "esbuild";
await build({ entryPoints: [input], bundle: true, minify: true, platform: "node", format: "esm",
  target: "esnext", outfile: folder + "/main.mjs",
  plugins: [await irori?.esbuild()].filter(Boolean) });`,
  tsdown: `import { build } from "tsdown";
await build({ entry: { main: input }, config: false, platform: "node", format: "esm", minify: true, dts: false,
  deps: { alwaysBundle: [/./] }, outDir: folder, plugins, logLevel: "error" });`,
  "Vite 8": `import { build } from "vite";
await build({ configFile: false, plugins, ssr: { noExternal: true }, logLevel: "error",
  build: { ssr: input, minify: true, outDir: folder, rolldownOptions: { output: { entryFileNames: "main.mjs" } } } });`,
  Rolldown: `import { rolldown } from "rolldown";
await (await rolldown({ input, platform: "node", plugins }))
  .write({ dir: folder, format: "esm", minify: true, entryFileNames: "main.mjs" });`,
  Rollup: `import { rollup } from "rollup";
import { transform } from "esbuild";
import resolve from "@rollup/plugin-node-resolve";
import terser from "@rollup/plugin-terser";
import { isBuiltin } from "node:module";
const types = { name: "types", transform: (code, id) => id.endsWith(".ts") && !id.includes("node_modules")
  ? transform(code, { loader: "ts", target: "esnext", sourcemap: true }) : undefined };
const bundle = await rollup({ input, external: isBuiltin, onwarn() {},
  plugins: [...plugins, types, resolve({ exportConditions: ["node"] }), terser()] });
await bundle.write({ dir: folder, format: "esm", entryFileNames: "main.mjs" });`,
  webpack: `import webpack from "webpack";
${
    packed(
      "webpack",
      '{ loader: "swc-loader", options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } } }',
    )
  }`,
  Rspack: `import { rspack } from "@rspack/core";
${
    packed(
      "rspack",
      '{ loader: "builtin:swc-loader", options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } } }',
    )
  }`,
};
for (const [name, script] of Object.entries(BUNDLING)) {
  test(`the conformance suite passes in a bundle of ${name}, minified`, async (project) => {
    await bundleAndCheck(project, script, "const irori = undefined; const plugins = [];");
  });

  testSyntax(`the conformance suite passes in a bundle of ${name}, minified`, async (project) => {
    await bundleAndCheck(
      project,
      script,
      'import { irori } from "irori/vite";\nconst plugins = [irori()];',
    );
  });
}

test("the guide's configuration of webpack bundles its example", async (project) => {
  await takeGuide("without-decorator-syntax.md", project);
  const script = `import webpack from "webpack";
import { promisify } from "node:util";
import config from "./webpack.config.mjs";
const stats = await promisify(webpack)(config);
if (stats.hasErrors()) throw new Error(stats.toString());`;
  await buildWith(await bundlers(), project, script);
  const printed = await run([...await node(24), "dist/main.mjs"], { cwd: project.path });
  assertEquals(printed, "{ id: 7, name: 'Ada' }\n");
});

test("the plugins have the types of their bundlers", async (project) => {
  await project.write(
    "plugins.ts",
    `import { irori } from "irori/vite";
import type { Plugin as Esbuild } from "esbuild";
import type { Plugin as Rolldown } from "rolldown";
import type { Plugin as Rollup } from "rollup";
import type { Configuration as Rspack } from "@rspack/core";
import type { Plugin as Vite } from "vite";
import type { Configuration as Webpack } from "webpack";
export const plugins: [Esbuild, Rolldown, Rollup, Vite] = [await irori.esbuild(), irori(), irori(), irori()];
export const rspack: Rspack = { plugins: [await irori.rspack()] };
export const webpack: Webpack = { plugins: [await irori.webpack()] };
`,
  );
  await buildWith(await bundlers(), project, "");
  const tsc = join(await compilers(), "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
  const lib = ["--target", "es2022", "--lib", "esnext,dom,dom.iterable,dom.asynciterable"];
  await run([...await node(24), tsc, ...options, ...lib, "--ignoreConfig", "plugins.ts"], {
    cwd: project.path,
  });
});

async function bundleAndCheck(project: Project, script: string, head: string): Promise<void> {
  await Deno.remove(project.file("built/bundle"), { recursive: true }).catch(() => {});
  const paths =
    `const input = process.cwd() + "/${SERVER}", folder = process.cwd() + "/built/bundle";`;
  await buildWith(await bundlers(), project, `${head}\n${paths}\n${script}`);
  await checkConformance([...await node(24), project.file("built/bundle/main.mjs")], project.path);
}

function packed(name: string, loader: string): string {
  return `import { promisify } from "node:util";
const stats = await promisify(${name})({
  mode: "production", target: "node", entry: input, experiments: { outputModule: true },
  output: { path: folder, filename: "main.mjs", module: true, chunkFormat: "module" },
  resolve: { extensions: [".ts", ".js"] },
  module: { parser: { javascript: { importMeta: false } }, rules: [{ test: /\\.ts$/, exclude: /node_modules/, use: ${loader} }] },
  plugins: [await irori?.${name}()].filter(Boolean),
});
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());`;
}

function swc(transform: object): string {
  return eachModule(
    'import { transformFile } from "@swc/core"',
    `transformFile(path, { minify: true, jsc: {
      parser: { syntax: "typescript", decorators: true }, target: "es2022", minify: { mangle: true, compress: true },
      transform: ${JSON.stringify(transform)},
    } })`,
  );
}

function eachModule(head: string, transform: string): string {
  return `${head};
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
for (const path of [...globSync("tests/conformance/**/*.ts"), "${SERVER}"]) {
  const { code } = await ${transform};
  const target = "built/each/" + path.replace(/\\.ts$/, ".js");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replace(/(["'])(\\.[^"']*)\\.ts\\1/g, "$1$2.js$1"));
}`;
}

function compiled(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

const compilers = () => installed("compilers", COMPILERS);
const bundlers = () => installed("bundlers", BUNDLERS);
