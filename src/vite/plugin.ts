import type { Loader } from "esbuild";
import { notInstalled } from "../runtime/mod.ts";

/** What Vite takes as a plugin; its own types are not needed for that. */
export interface IroriPlugin {
  /** How Vite names it in messages. */
  readonly name: string;
  /** Before Vite's own compiler, which leaves decorators in. */
  readonly enforce: "pre";
  /** Lets Vitest load the library itself, so that what the component scan imports is compiled, too. */
  config(this: unknown, config: object): object | undefined;
  /**
   * Compiles a module that has decorators.
   *
   * @throws {PackageNotFoundError} where `esbuild` is not installed
   * @throws {Error} where it cannot read the module
   */
  transform(
    this: unknown,
    code: string,
    id: string,
  ): Promise<{ readonly code: string; readonly map: string } | undefined>;
}

/**
 * A plugin for Vite 7 and 8 and Vitest 3 to 5, which compiles modules with standard decorators by `esbuild`: what Vite 8
 * compiles TypeScript with leaves decorators as they are, and no runtime but Bun can read them. It asks for `esbuild`
 * when the first module needs it.
 */
export function irori(): IroriPlugin {
  return {
    name: "irori",
    enforce: "pre",
    config: (config) => inlinesAll(config) ? undefined : INLINED,
    transform: async (code, id) => {
      const [path = "", query = ""] = id.split("?", 2);
      const loader = loaderOf(path);
      if (!loader || AS_IT_IS.test(query) || !DECORATOR.test(code)) return undefined;
      const { transform } = await import("esbuild").catch(notInstalled("esbuild"));
      return await transform(code, {
        loader,
        sourcefile: path,
        sourcemap: true,
        target: "es2022",
        // For Vite, which compiles it by the settings of the project.
        jsx: "preserve",
        // Beans are named after their classes, also in what Vite minifies.
        keepNames: true,
      });
    },
  };
}

const INLINED = { test: { server: { deps: { inline: ["irori", "@irori/irori"] } } } };

/** Vite joins settings of one name to a list, in which `true` would be a name. */
function inlinesAll(config: Settings): boolean {
  return config.test?.server?.deps?.inline === true;
}

interface Settings {
  readonly test?: { readonly server?: { readonly deps?: { readonly inline?: unknown } } };
}

/** Queries of Vite for what is no module of its own: `./page.ts?raw`. */
const AS_IT_IS = /(?:^|&)(?:raw|url)(?:&|=|$)/;

/** An `@` before a name, outside of comments that fill their lines. What has another meaning there is compiled in vain. */
const DECORATOR = /^(?!\s*(?:\*|\/\/)).*@[\p{ID_Start}$_(]/mu;

function loaderOf(path: string): Loader | undefined {
  if (path.startsWith("\0") || path.includes("/node_modules/")) return undefined;
  const [, extension] = /\.[cm]?(jsx?|tsx?)$/.exec(path) ?? [];
  return extension as Loader | undefined;
}
