import type { Loader } from "esbuild";
import { notInstalled, PackageNotFoundError } from "../../runtime/mod.ts";

/** A plugin for Vite, Rolldown and Rollup, without their types. */
export interface IroriPlugin {
  /** How bundlers name it in messages. */
  readonly name: string;
  /** Before Vite's own compiler, which leaves decorators in. */
  readonly enforce: "pre";
  /** Lets Vitest load the library itself, so that what the component scan imports is compiled, too. */
  config(this: unknown, config: object): object | undefined;
  /** Compiles a module that has decorators or subclasses. @throws {PackageNotFoundError} where `esbuild` is not installed */
  transform(
    this: unknown,
    code: string,
    id: string,
  ): Promise<{ readonly code: string; readonly map: string } | undefined>;
}

/** `irori()`, and `await irori.webpack()` for what needs `unplugin`, else a {@linkcode PackageNotFoundError}. */
export type IroriPlugins = {
  (): IroriPlugin;
  webpack(): Promise<CompilerPlugin>;
  rspack(): Promise<CompilerPlugin>;
  esbuild(): Promise<EsbuildPlugin>;
};

/** A plugin for webpack and Rspack, without their types. */
export type CompilerPlugin = { apply(compiler: object): void };

/** A plugin for esbuild, without its types. */
export type EsbuildPlugin = { name: string; setup(build: object): void | Promise<void> };

/**
 * Compiles modules with decorators or subclasses by `esbuild`, loaded for the first one, and keeps the names of their
 * classes: Vite 8 and Rolldown leave decorators as they are, and minifiers shorten names.
 */
export const irori: IroriPlugins = Object.assign((): IroriPlugin => ({ ...plugin }), {
  webpack: async () => (await adapters()).webpack(),
  rspack: async () => (await adapters()).rspack(),
  esbuild: async () => (await adapters()).esbuild() as EsbuildPlugin,
});

const plugin: IroriPlugin = {
  name: "irori",
  enforce: "pre",
  // Vite joins settings of one name to a list, in which `true` would be a name.
  config: (config: Settings) => config.test?.server?.deps?.inline === true ? undefined : INLINED,
  transform: async (code, id) => {
    const [path = "", query = ""] = id.split("?", 2);
    const loader = loaderOf(path);
    if (!loader || AS_IT_IS.test(query) || !CANDIDATE.test(code)) return undefined;
    const { transform } = await import("esbuild").catch(notInstalled("esbuild"));
    const compiled = await transform(code, {
      loader,
      sourcefile: path,
      sourcemap: true,
      target: "es2022",
      supported: { "import-attributes": true },
      // For Vite, which compiles it by the settings of the project and by comments, which esbuild removes.
      jsx: "preserve",
      banner: (code.match(JSX_COMMENT) ?? []).join(" "),
      // Beans and schemas of models are named after their classes, also in what Vite minifies.
      keepNames: true,
    });
    return /__decoratorStart\(|\bextends\b/.test(compiled.code) ? compiled : undefined;
  },
};

export const UNPLUGIN = { name: "unplugin", range: "^3.7.0" } as const;

async function adapters() {
  const { createUnplugin } = await import("unplugin").catch((cause) => {
    throw new PackageNotFoundError(UNPLUGIN.name, UNPLUGIN.range, { cause });
  });
  const { name, enforce, transform } = plugin;
  const transformInclude = (id: string) => loaderOf(id.split("?")[0]!) !== undefined;
  return createUnplugin(() => ({ name, enforce, transform, transformInclude }));
}

const INLINED = { test: { server: { deps: { inline: ["irori", "@irori/irori"] } } } };

interface Settings {
  readonly test?: { readonly server?: { readonly deps?: { readonly inline?: unknown } } };
}

/** Queries of Vite for what is no module of its own: `./page.ts?raw`. */
const AS_IT_IS = /(?:^|&)(?:raw|url)(?:&|=|$)/;

const JSX_COMMENT = /\/\*+\s*@jsx\w*\s[^*]*\*\//g;

/** An `@` outside of comments that fill their lines, or a class that may be a model. The compiler tells what they are. */
const CANDIDATE = /^(?!\s*(?:\*|\/\/)).*(?:@|\bclass\b[^{}]*\bextends\b)/m;

function loaderOf(path: string): Loader | undefined {
  if (path.startsWith("\0") || /[\\/]node_modules[\\/]/.test(path)) return undefined;
  const [, extension] = /\.[cm]?(jsx?|tsx?)$/.exec(path) ?? [];
  return (extension === "js" ? "jsx" : extension) as Loader | undefined;
}
