import { join } from "@std/path";
import { installed } from "./_npm.ts";

/** Small ones without dependencies of their own, whose code comes into the npm package. */
export const BUNDLED: readonly string[] = ["diff", "js-yaml", "jsonc-parser"];

/** Licences that what is shipped may have, by their SPDX identifiers. */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

/** A package whose code is in the modules. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** What its licence file says. */
  readonly text: string;
}

/** The packages of {@linkcode BUNDLED} and a folder that has them, in the versions that development has. */
export async function bundledPackages(): Promise<
  { readonly folder: string; readonly packages: readonly BundledPackage[] }
> {
  const versions = await lockedVersions();
  const folder = await installed(
    "bundled",
    BUNDLED.map((name) => {
      const version = versions.get(name);
      if (version === undefined) throw new Error(`No version of '${name}' is locked`);
      return `${name}@${version}`;
    }),
  );
  return { folder, packages: await Promise.all(BUNDLED.map((name) => packageOf(folder, name))) };
}

/** A package that is installed in a folder. @throws {Error} unless it has a licence that is allowed, and its text */
export async function packageOf(folder: string, name: string): Promise<BundledPackage> {
  const root = join(folder, "node_modules", name);
  const { version, license } = JSON.parse(await Deno.readTextFile(join(root, "package.json")));
  const [file] = Array.from(Deno.readDirSync(root), ({ name }) => name)
    .filter((name) => /^licen[sc]e/i.test(name));
  if (file === undefined) throw new Error(`'${name}' has no licence file`);
  if (!ALLOWED_LICENCES.has(license)) {
    throw new Error(`'${name}' has the licence '${license}', which is not allowed`);
  }
  const text = (await Deno.readTextFile(join(root, file))).trim();
  return { name, version, licence: license, text };
}

/**
 * @param inputs modules that came into the package, as esbuild names them
 * @throws {Error} for a module that is neither of this repository nor of {@linkcode BUNDLED}, and for what is bundled
 * of none
 */
export function checkOrigins(inputs: readonly string[]): void {
  const found = new Set<string>();
  for (const input of inputs) {
    const [, name] = /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (name !== undefined) found.add(name);
    else if (!/^(?:deno|entry):(?:\.\/)?(?:src\/|links\/|tools\/|mod\.ts$|cli\.ts$)/.test(input)) {
      throw new Error(`Nothing is known of the licence of '${input}', which is in the package`);
    }
  }
  const unknown = [...found].filter((name) => !BUNDLED.includes(name));
  if (unknown.length > 0) throw new Error(`'${unknown.join("', '")}' is bundled, and not listed`);
  const unused = BUNDLED.filter((name) => !found.has(name));
  if (unused.length > 0) throw new Error(`'${unused.join("', '")}' is listed, and not bundled`);
}

/** Whose code is in the modules, as their licences want it said. */
export function thirdParty(packages: readonly BundledPackage[]): string {
  return packages.map(({ name, version, licence, text }) =>
    `# ${name} ${version} (${licence})\n\n${text}\n`
  ).join("\n");
}

/** The newest version of each package of npm in `deno.lock`. */
export async function lockedVersions(): Promise<ReadonlyMap<string, string>> {
  const { npm } = JSON.parse(await Deno.readTextFile("deno.lock")) as {
    readonly npm: Readonly<Record<string, unknown>>;
  };
  const versions = new Map<string, string>();
  for (const key of Object.keys(npm)) {
    // After the version there may be those of its peers: `2.1.8_hono@4.13.19`.
    const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
    const known = versions.get(name);
    if (known === undefined || isNewer(version, known)) versions.set(name, version);
  }
  return versions;
}

function isNewer(a: string, b: string): boolean {
  return a.localeCompare(b, "en", { numeric: true }) > 0;
}
