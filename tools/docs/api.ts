import { join } from "@std/path";
import { walk } from "@std/fs/walk";
import manifest from "../../deno.json" with { type: "json" };
import { helpOf } from "../../src/cli/help.ts";
import { programOf } from "../../src/cli/program.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { WEB_FEATURES } from "../../src/features/web.ts";
import { writeTypes } from "../_package.ts";

/** The entry point that is a program, and exports nothing. */
const PROGRAM = "./cli";
const INNER = "inner-types";

/** A page of the reference. */
export interface ApiPage {
  /** On the site: `api/paging/index.md`. */
  readonly path: string;
  /** As it is in the side bar: `@irori/irori/paging`. */
  readonly title: string;
  /** Whether it has the types that signatures name, and no code imports. */
  readonly isInner: boolean;
}

/**
 * Writes the reference into `<site>/api`: a page for each entry point, by TypeDoc from the comments of the sources, and
 * the command line's own help.
 *
 * @param site folder of the site's sources
 * @param work folder for what is needed on the way
 * @param packages folder that has TypeDoc in `node_modules`
 */
export async function writeApi(
  site: string,
  work: string,
  packages: string,
): Promise<readonly ApiPage[]> {
  const entries = Object.entries(manifest.exports).filter(([name]) => name !== PROGRAM);
  const types = join(work, "types");
  await writeTypes(types, entries.map(([, path]) => path));
  for await (const { path } of walk(types, { includeDirs: false })) await change(path, withKinds);
  for (const [name, path] of entries) {
    const [, comment = ""] = /^(\/\*\*[^]*?)@module\n \*\/\n/.exec(await Deno.readTextFile(path)) ??
      [];
    await change(join(types, path.replace(/\.ts$/, ".d.ts")), (text) =>
      // It goes with the import that it stands above, where types need none of that.
      `${comment}@module ${moduleOf(name)}\n */\n${
        text.replace(/^\/\*\*[^]*?@module\n *\*\/\n/, "")
      }`);
  }
  const api = join(site, "api");
  await typedoc(types, entries.map(([, path]) => path.replace(/\.ts$/, ".d.ts")), api, packages);
  await Deno.remove(join(api, "index.md"));
  const pages: ApiPage[] = [];
  for (const [name] of entries) {
    const title = titleOf(name);
    // A folder where there are types behind it, else a file.
    for (
      const path of [
        `${moduleOf(name)}.md`,
        `${moduleOf(name)}/index.md`,
        `${moduleOf(name)}/${INNER}.md`,
      ]
    ) {
      const markdown = await Deno.readTextFile(join(api, path)).catch(() => undefined);
      if (markdown === undefined) continue;
      const isInner = path.endsWith(`/${INNER}.md`);
      const heading = isInner ? `Types behind \`${title}\`` : `\`${title}\``;
      await Deno.writeTextFile(join(api, path), tidy(markdown, heading, isInner));
      pages.push({ path: `api/${path}`, title, isInner });
    }
  }
  await Deno.writeTextFile(join(api, "cli.md"), await commandLine());
  return [{ path: "api/cli.md", title: "Command line", isInner: false }, ...pages];
}

/** `./paging` → `@irori/irori/paging` */
function titleOf(name: string): string {
  return manifest.name + name.slice(1);
}

/** The folder of an entry point's page. */
function moduleOf(name: string): string {
  return name === "." ? "irori" : name.slice(2);
}

/** TypeDoc shows no class of `@throws`; as code it does. */
function withKinds(text: string): string {
  return text.replace(/(@throws) \{([^}]+)\}/g, "$1 `$2`");
}

function tidy(markdown: string, heading: string, isInner: boolean): string {
  const said = isInner
    ? "\n\nNamed by signatures of the entry point, and imported by no code: what they have in them is shown\nhere."
    : "";
  return markdown
    .replace(/^# .+$/m, `# ${heading}${said}`)
    .replace(
      /^## Modules\n\n(?:\|.*\n)+?\| \[inner-types\]\(([^)]+)\) \| - \|\n/m,
      "[Types that signatures name]($1), and that no application imports, have a page of their own.\n",
    )
    // Members that an error class overrides say nothing about it.
    .replace(/^#+ (?:Overrides|Inherited from)\n\n.+\n+/gm, "");
}

async function typedoc(
  types: string,
  entryPoints: readonly string[],
  out: string,
  packages: string,
): Promise<void> {
  const tsconfig = join(types, "tsconfig.json");
  const compilerOptions = {
    target: "es2023",
    lib: ["esnext", "dom", "dom.iterable"],
    module: "nodenext",
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  await Deno.writeTextFile(tsconfig, JSON.stringify({ compilerOptions, include: ["**/*.d.ts"] }));
  // Plugins are looked for from there.
  await Deno.symlink(join(packages, "node_modules"), join(types, "node_modules"));
  const options = join(types, "typedoc.json");
  await Deno.writeTextFile(
    options,
    JSON.stringify({
      name: "irori",
      entryPoints,
      out,
      tsconfig,
      plugin: ["typedoc-plugin-markdown", "typedoc-plugin-missing-exports"],
      internalModule: INNER,
      excludeExternals: true,
      // Types of other packages do not exist here, and are not needed.
      skipErrorChecking: true,
      logLevel: "Warn",
      disableSources: true,
      readme: "none",
      router: "module",
      entryFileName: "index",
      hideBreadcrumbs: true,
      hidePageHeader: true,
      // Its own count of equal headings is not always that of the headings.
      useHTMLAnchors: true,
      useCodeBlocks: true,
      expandParameters: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      // Nearly all are read alone.
      tableColumnSettings: { hideModifiers: true },
      indexFormat: "table",
    }),
  );
  const bin = join(packages, "node_modules/typedoc/bin/typedoc");
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [bin, "--options", options],
    cwd: types,
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (!success) throw new Error(`TypeDoc: ${text}`);
}

/** The output of `irori --help` and `irori <command> --help`. */
async function commandLine(): Promise<string> {
  const style = { columns: 96, heading: (text: string) => text };
  const block = (text: string) => "```text\n" + text.trim() + "\n```\n";
  const program = programOf([...MIGRATION_FEATURES, ...WEB_FEATURES]);
  const syntax = await program.syntax(program.names, await program.additions());
  const names = program.names.filter((name) => name !== "help");
  return [
    "# Command line",
    "`irori` is the command of the npm package, `deno run -A jsr:@irori/irori/cli` the same on Deno. This\n" +
    "is what `irori --help` and `irori help <command>` print.",
    block(helpOf(undefined, syntax, style)),
    ...names.flatMap((name) => [`## ${name}`, block(helpOf(name, syntax, style))]),
  ].join("\n\n");
}

async function change(path: string, by: (text: string) => string): Promise<void> {
  await Deno.writeTextFile(path, by(await Deno.readTextFile(path)));
}
