import { VERSION } from "../../cli/version.ts";
import type { Choices, RuntimeName } from "./choices.ts";
import TEMPLATE from "./template.json" with { type: "json" };

/** `options.from` is the absolute path of a tarball or folder that replaces the published package. */
export function projectOf(
  name: string,
  { runtime, database, parts, from }: Choices & { readonly from?: string | undefined },
) {
  const { library, replaced, commands: published, schemas } = DIALECTS[runtime];
  const isPostgres = database === "postgres";
  const layers = [...(isPostgres ? ["postgres" as const] : []), ...parts];
  const commands = {
    ...published,
    ...(runtime === "deno" && from !== undefined && { install: "npm install" }),
    ...(isPostgres && { start: `docker compose up -d --wait && ${published.start}` }),
  };
  const words: Record<string, string> = {
    name: packageName(name),
    library,
    schemas: from === undefined ? schemas : `./node_modules/${library}/schemas`,
    ...commands,
    test: [commands.install, commands.test].filter((command) => command !== undefined).join(" && "),
  };
  const files = new Map<string, string>();
  const added = (layers.length > 0 ? ["any" as const, ...layers] : []).map((one) => TEMPLATE[one]);
  const sources = Object.assign({}, TEMPLATE.service, TEMPLATE[runtime], ...added);
  for (const [path, text] of Object.entries<string>(sources)) {
    const lines = onlyChosen(text, [runtime, ...layers]);
    const full = lines.replace(/{{(\w+)}}/g, (whole, word) => words[word] ?? whole);
    const own = path.endsWith(".ts") ? replaced : [];
    files.set(path, own.reduce((text, [pattern, by]) => text.replace(pattern, by), full));
  }
  // npm would link a folder, and resolve its imports beside it.
  if (from !== undefined && !isTarball(from)) files.set(".npmrc", "install-links=true\n");
  for (const [path, manifest] of manifests(files, words.name!, from)) {
    files.set(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  return { files, commands };
}

/** Leaves out a line that ends with `{{?jobs}}` if jobs are not chosen, and one with `{{!jobs}}` if they are. */
function onlyChosen(text: string, chosen: readonly string[]): string {
  return text.replace(
    /^(.*?) *(?:(?:\/\/|#) )?\{\{([?!])(\w+)\}\}\n/gm,
    (_, line, sign, name) => (sign === "?") === chosen.includes(name) ? `${line}\n` : "",
  );
}

export function isTarball(path: string): boolean {
  return /\.(?:tgz|tar\.gz)$/.test(path);
}

export function packageName(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return name === "" ? "app" : name;
}

interface Dialect {
  readonly library: string;
  /** Where editors find the JSON Schemas. */
  readonly schemas: string;
  readonly replaced: readonly (readonly [pattern: RegExp, text: string])[];
  readonly commands: ReturnType<typeof tasksBy> & {
    readonly install?: string;
    readonly needs: string;
  };
}

const LIBRARY = "irori";
const INSTALLED = { library: LIBRARY, schemas: `./node_modules/${LIBRARY}/schemas` };

/** Deno and Bun end after the tests, whatever timers there are. */
const CLOSED_FOR_NODE = /^(?:import \{ after \} from "node:test";|after\(.*)\n/gm;

const DIALECTS: Readonly<Record<RuntimeName, Dialect>> = {
  deno: {
    library: "@irori/irori",
    // Deno keeps packages outside of the project.
    schemas: `https://jsr.io/@irori/irori/${VERSION}/schemas`,
    replaced: [
      [/(?<=from ")irori(?=["/])/g, "@irori/irori"],
      [CLOSED_FOR_NODE, ""],
      [/^import \{ test \} from "node:test";\n/m, ""],
      [/^test\(/gm, "Deno.test("],
    ],
    commands: { ...tasksBy("deno task"), needs: "Deno 2.9 or later" },
  },
  node: {
    ...INSTALLED,
    replaced: [],
    commands: {
      install: "npm install",
      ...tasksBy("npm run", "npm"),
      start: "npm start",
      needs: "Node 22.19 or later",
    },
  },
  bun: {
    ...INSTALLED,
    replaced: [[CLOSED_FOR_NODE, ""], [/"node:test"/g, '"bun:test"']],
    commands: { ...tasksBy("bun run", "bun"), install: "bun install", needs: "Bun 1.4 or later" },
  },
};

function tasksBy(run: string, runner = run) {
  return {
    test: `${runner} test`,
    start: `${run} start`,
    dev: `${run} dev`,
    check: `${run} check`,
    irori: `${run} irori`,
  };
}

function* manifests(
  files: ReadonlyMap<string, string>,
  name: string,
  from: string | undefined,
): Iterable<readonly [path: string, manifest: Manifest]> {
  const own = files.get("package.json");
  const file = `file:${from}`;
  if (own !== undefined) {
    const manifest: Manifest = { ...JSON.parse(own), name };
    if (from !== undefined) manifest.dependencies = { ...manifest.dependencies, [LIBRARY]: file };
    yield ["package.json", manifest];
  } else if (from !== undefined) {
    // Deno installs packages only from registries: npm installs the tarball and its dependencies.
    const { imports, tasks, ...others }: Manifest = JSON.parse(files.get("deno.json")!);
    const packages = Object.entries(imports ?? {}).filter(([, from]) => from.startsWith("npm:"));
    const dependencies = Object.fromEntries(
      packages.map(([key, target]) => [key, target.slice(target.lastIndexOf("@") + 1)]),
    );
    const irori = "deno run -A node_modules/@irori/irori/bin.js";
    yield ["deno.json", { ...others, tasks: { ...tasks, irori }, nodeModulesDir: "manual" }];
    yield ["package.json", {
      name,
      private: true,
      type: "module",
      // Types of packages refer to those of Node, which Deno otherwise downloads.
      dependencies: { ...dependencies, [DIALECTS.deno.library]: file, "@types/node": "^22.19.0" },
    }];
  }
}

interface Manifest {
  readonly [key: string]: unknown;
  readonly imports?: Readonly<Record<string, string>>;
  readonly tasks?: Readonly<Record<string, string>>;
  dependencies?: Readonly<Record<string, string>>;
}
