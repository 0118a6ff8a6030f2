import type { BuildFailure, Metafile, Plugin } from "esbuild";
import { choice, command, flag, text, UsageError } from "../../cli/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { elementsOf, errorOf } from "../../text/mod.ts";
import {
  BUNDLE_PARTS,
  type BundlePart,
  conditionWithout,
  PARTS_OF_PACKAGES,
  TARGETS,
  TRACES,
} from "./bundles.ts";

export const declared = command({
  name: "build",
  operands: ["<entry>"],
  description: "bundle an application and its packages into one minified file",
  options: {
    target: {
      ...choice("target", ["edge", "node", "bun", "deno"], "what runs the bundle"),
      fallback: "edge",
    },
    out: text("path", "folder of the bundle (dist)"),
    with: text("parts", "parts to keep in any case: xml,versions"),
    external: text("names", "packages to leave in node_modules: pg,zod"),
    dryRun: flag("only print the size"),
  },
  examples: [
    ["build worker.ts", "dist/worker.js for an edge isolate"],
    ["build main.ts --target node", "dist/main.js for Node"],
  ],
  epilogue: `
For an edge isolate, parts of the library that no module of the application mentions are left out:
${BUNDLE_PARTS.join(", ")}. What needs a missing part after all fails with a
message that names it; '--with' keeps it. Needs the package 'esbuild'. A bundle has no folders to scan: import the
components from components.gen.ts, which 'irori scan' writes.
`,
  worked: `
$ irori build worker.ts
dist/worker.js: 226,311 bytes, 77,452 gzipped; left out: proxies, versions, xml
`,
  async run(context, given) {
    const { operands: [entry = ""], runtime, screen } = context;
    const { target, dryRun = false } = given;
    const kept = neededParts(given.with);
    const { basename, resolve } = await import("../../runtime/path.ts");
    const { notInstalled } = await import("../../runtime/mod.ts");
    const esbuild = await import("esbuild").catch(notInstalled("esbuild"));
    const { external = [], conditions = [], ...platform } = TARGETS[target];
    const texts = new Map<string, string>();
    const bundle = async (leftOut: readonly BundlePart[]) => {
      const result = await esbuild.build({
        ...platform,
        entryPoints: [entry],
        absWorkingDir: runtime.cwd(),
        conditions: [...conditions, ...leftOut.map(conditionWithout)],
        external: [...external, ...elementsOf(given.external)],
        bundle: true,
        format: "esm",
        // As of `esnext`, decorators would be left as they are.
        target: "es2022",
        minify: true,
        plugins: [reader(runtime, texts)],
        legalComments: "none",
        logLevel: "silent",
        metafile: true,
        write: false,
      });
      return { ...result, text: result.outputFiles[0]!.text };
    };
    try {
      const whole = await bundle([]);
      const leftOut = target === "edge"
        ? unusedParts(whole.metafile, (path) => texts.get(resolve(runtime.cwd(), path)) ?? path)
          .filter((part) => !kept.includes(part))
        : [];
      const { text, warnings } = leftOut.length === 0 ? whole : await bundle(leftOut);
      for (const warning of warnings) screen.log(`warning: ${placed(warning)}\n`);
      const name = `${basename(entry).replace(SCRIPT, "")}.js`;
      const file = resolve(runtime.cwd(), given.out ?? "dist", name);
      if (texts.has(file)) throw new UsageError(`Cannot write ${file}: it is part of the bundle`);
      if (!dryRun) await runtime.files.writeTextFile(file, text, { overwrite: true });
      const bytes = new TextEncoder().encode(text).length;
      const gzipped = await gzippedBytes(text);
      const sizes = `${bytes.toLocaleString("en")} bytes, ${gzipped.toLocaleString("en")} gzipped`;
      const without = leftOut.length === 0 ? "" : `; left out: ${leftOut.join(", ")}`;
      screen.write(`${file}: ${sizes}${without}${dryRun ? "; not written" : ""}\n`);
      context.printJson({ file, bytes, gzipped, leftOut, written: !dryRun });
    } catch (error) {
      throw unbundled(entry, error);
    } finally {
      await esbuild.stop();
    }
  },
});

/** Compiles decorators, and keeps only the class names that beans and models need: all names would be a tenth of the bundle. */
function reader({ files }: Runtime, texts: Map<string, string>): Plugin {
  return {
    name: "irori",
    setup: (build) =>
      build.onLoad({ filter: /.*/, namespace: "file" }, async ({ path, suffix }) => {
        const text = await files.readTextFile(path);
        texts.set(path + suffix, text);
        if (!SCRIPT.test(path)) return undefined;
        const { irori } = await import("../vite/mod.ts");
        const isBuilt = /\.[cm]?jsx?$/.test(path) && IMPORTS_LIBRARY.test(text);
        const compiled = await irori().transform(text, path) ??
          (isBuilt ? await build.esbuild.transform(text, NAMED) : undefined);
        return compiled && { contents: compiled.code, loader: "jsx" };
      }),
  };
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

const IMPORTS_LIBRARY = /\b(?:from|require\()\s*["'](?:@irori\/)?irori["'/]/;
const NAMED = { loader: "jsx", target: "es2022", jsx: "preserve", keepNames: true } as const;

function neededParts(text: string | undefined): readonly string[] {
  const parts = elementsOf(text);
  const unknown = parts.find((part) => !(BUNDLE_PARTS as readonly string[]).includes(part));
  if (unknown === undefined) return parts;
  throw new UsageError(`Expected some of ${BUNDLE_PARTS.join(", ")} in --with, found '${unknown}'`);
}

/** Searches what the entry reaches, but for this library and Hono. An external package may use what any package may. */
function unusedParts(
  { inputs, outputs }: Metafile,
  readText: (path: string) => string,
): readonly BundlePart[] {
  const unused = new Set(BUNDLE_PARTS);
  const reached = new Set(Object.values(outputs).map(({ entryPoint = "" }) => entryPoint));
  for (const path of reached) {
    const { imports } = inputs[path]!;
    const others = imports.filter(({ path, original = path }) => !LIBRARY.test(original));
    for (const { path, external } of others) {
      if (!external) reached.add(path);
      else if (!BUILT_IN.test(path)) PARTS_OF_PACKAGES.forEach((part) => unused.delete(part));
    }
    const isForeign = others.length === imports.length && path.includes("node_modules/");
    for (const part of isForeign ? PARTS_OF_PACKAGES : BUNDLE_PARTS) {
      if (TRACES[part].test(readText(path))) unused.delete(part);
    }
  }
  return [...unused];
}

const LIBRARY = /^(?:(?:@irori\/)?irori|hono)(?:\/|$)/;
/** Modules of the runtime, and `<runtime>`, which has the helpers of esbuild. */
const BUILT_IN = /^(?:node:|cloudflare:|<)/;

async function gzippedBytes(text: string): Promise<number> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

function unbundled(entry: string, error: unknown): unknown {
  const { errors } = errorOf(error) as Partial<BuildFailure>;
  if (errors === undefined) return error;
  const listed = errors.map((one) => `\n  ${placed(one)}`).join("");
  return new UsageError(`Cannot bundle '${entry}':${listed}`, { cause: error });
}

function placed({ location, text }: BuildFailure["errors"][number]): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}
