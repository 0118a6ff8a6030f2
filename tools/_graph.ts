import { isBuiltin } from "node:module";
import type { Loader, Plugin } from "esbuild";
import { fromFileUrl, resolve, toFileUrl } from "@std/path";
import { dirname } from "@std/path/posix";

const ROOT = new URL("..", import.meta.url).href;

/** The modules that entry points reach, as Deno resolves them: import map, links, JSR. */
export class Graph {
  readonly #modules = new Map<string, GraphModule>();

  /** Reads the graph of these files, which are paths. */
  static async of(entries: readonly string[]): Promise<Graph> {
    const graph = new Graph();
    for (const entry of entries) {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["info", "--json", "--config", fromFileUrl(`${ROOT}deno.json`), entry],
        env: { NO_COLOR: "1" },
      }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
      const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
      for (const module of modules) {
        if (module.error !== undefined) throw new Error(`${module.specifier}: ${module.error}`);
        graph.#modules.set(module.specifier, module);
      }
    }
    return graph;
  }

  /**
   * Files of this repository that a module reaches, itself included; all are paths from the root.
   *
   * @param atOnce leaves out what it imports by `import()`
   */
  reachedBy(path: string, atOnce = false): ReadonlySet<string> {
    const seen = new Set([path]);
    for (const one of seen) {
      for (const imported of this.importsOf(one, atOnce)) seen.add(imported);
    }
    return seen;
  }

  /** Files of this repository that a module imports itself. */
  importsOf(path: string, atOnce = false): readonly string[] {
    const { dependencies = [] } = this.#modules.get(new URL(path, ROOT).href) ?? {};
    return dependencies.flatMap(({ code, isDynamic }) =>
      code?.specifier.startsWith(ROOT) && !(atOnce && isDynamic)
        ? [code.specifier.slice(ROOT.length)]
        : []
    );
  }

  /** The npm packages that its modules import, types included: names and ranges, as `hono` and `^4.13.19`. */
  get packages(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { dependencies = [] } of this.#modules.values()) {
      for (const { code, type } of dependencies) {
        for (const { specifier } of [code, type].filter((target) => target !== undefined)) {
          const [, name, range] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(specifier) ?? [];
          if (name !== undefined && range !== undefined) found.set(name, range);
        }
      }
    }
    return found;
  }

  /**
   * Lets esbuild resolve as Deno does. Packages of npm and built-in modules stay outside.
   *
   * @param options.outside modules, by their paths, that stay outside under another name, unless they are entry points
   * @param options.joined modules, by their paths, that entry points of these names export together
   * @param options.replaced texts in place of modules, by their paths
   * @param options.chosen modules in place of modules, by their paths
   * @param options.layers modules, by their paths: what loads a file of their folders at once loads all of one layer, so
   * that a layer is one chunk
   * @param options.packages a folder where packages of npm are installed, which then come in
   */
  plugin(
    { outside = {}, joined = {}, replaced = {}, chosen = {}, layers = [], packages }: {
      readonly outside?: Readonly<Record<string, string>>;
      readonly joined?: Readonly<Record<string, readonly string[]>>;
      readonly replaced?: Readonly<Record<string, string>>;
      readonly chosen?: Readonly<Record<string, string>>;
      readonly layers?: readonly (readonly string[])[];
      readonly packages?: string;
    } = {},
  ): Plugin {
    const namespace = "deno";
    const entry = "entry";
    const modulesOf = (path: string) => joined[path] ?? [path];
    const headsOf = (path: string): readonly string[] => {
      const reached = modulesOf(path).flatMap((one) => [...this.reachedBy(one, true)]);
      const reaches = (head: string) => reached.some((one) => one.startsWith(`${dirname(head)}/`));
      return layers.filter((layer) => layer.some(reaches)).flat();
    };
    // Paths show in the output: there they must not be those of this machine.
    const urls = new Map<string, string>();
    const found = (url: string) => {
      const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : url.replace(/^.*:\/+/, "");
      urls.set(path, url);
      return { path, namespace, sideEffects: false };
    };
    return {
      name: "deno",
      setup: (build) => {
        build.onResolve({ filter: /.*/ }, ({ path, importer, namespace: from, kind }) => {
          if (from === "file" && kind !== "entry-point") return undefined; // From package to package.
          if (path in joined) return { path, namespace: entry };
          if (from === entry) {
            return { ...found(new URL(path, ROOT).href), sideEffects: path === importer };
          }
          const target = kind === "entry-point"
            ? toFileUrl(resolve(path)).href
            : importer in replaced
            ? undefined
            : this.#target(path, urls.get(importer) ?? importer);
          if (target === undefined || /^(?:npm|node):/.test(target)) {
            return packages === undefined || isBuiltin(path) ? { path, external: true } : undefined;
          }
          const { path: wanted } = found(target);
          // A chosen module may import the one that it stands for.
          const module = wanted in chosen && importer !== chosen[wanted]
            ? found(new URL(chosen[wanted]!, ROOT).href)
            : found(target);
          const name = outside[module.path];
          if (name !== undefined && kind !== "entry-point") {
            return { path: name, external: true };
          }
          const isLoaded = kind === "entry-point" || kind === "dynamic-import";
          return isLoaded && headsOf(module.path).length > 0
            ? { path: module.path, namespace: entry }
            : module;
        });
        build.onLoad({ filter: /.*/, namespace: entry }, ({ path }) => ({
          contents: [
            ...headsOf(path).map((head) => `import {} from ${JSON.stringify(head)};`),
            ...modulesOf(path).map((one) => `export * from ${JSON.stringify(one)};`),
          ].join("\n"),
        }));
        build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
          const contents = replaced[path] ??
            await Deno.readTextFile(this.#fileOf(urls.get(path) ?? path));
          return { contents, loader: loaderOf(path), resolveDir: packages };
        });
      },
    };
  }

  #target(specifier: string, importer: string): string | undefined {
    const { dependencies = [] } = this.#modules.get(importer) ?? {};
    const found = dependencies.find((dependency) => dependency.specifier === specifier);
    if (found?.code) return found.code.specifier;
    if (isBuiltin(specifier)) return undefined;
    throw new Error(`Cannot resolve '${specifier}' of '${importer}'`);
  }

  #fileOf(url: string): string {
    return this.#modules.get(url)?.local ?? fromFileUrl(url);
  }
}

function loaderOf(url: string): Loader {
  return /\.m?js$/.test(url) ? "js" : url.endsWith(".json") ? "json" : "ts";
}

interface Info {
  readonly modules: readonly GraphModule[];
}

interface GraphModule {
  readonly specifier: string;
  readonly local?: string;
  readonly error?: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier: string };
    readonly type?: { readonly specifier: string };
  }[];
}
