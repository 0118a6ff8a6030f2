import { join } from "@std/path";
import deno from "../deno.json" with { type: "json" };
import { installed } from "./_npm.ts";

const imports: Readonly<Record<string, string>> = deno.imports;
const lock: { readonly specifiers: Specifiers } = JSON.parse(
  await Deno.readTextFile(new URL("../deno.lock", import.meta.url)),
);

/** Small ones without dependencies of their own, whose code comes into the npm package. */
export const BUNDLED: readonly string[] = ["diff", "js-yaml", "jsonc-parser", "smol-toml"];

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
  /** The text of its licence file. */
  readonly text: string;
}

/** The packages of {@linkcode BUNDLED} and a folder that has them, in the versions that development has. */
export async function bundledPackages(): Promise<
  { readonly folder: string; readonly packages: readonly BundledPackage[] }
> {
  const folder = await installed(
    "bundled",
    BUNDLED.map((name) => `${name}@${lockedVersion(name)}`),
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
 * @param inputs modules that came into a package, as esbuild names them
 * @param bundled packages whose code is to be in it
 * @throws {Error} for a module that is neither of this repository nor of `bundled`, and for what is bundled of none
 */
export function checkOrigins(inputs: readonly string[], bundled: readonly string[]): void {
  const found = new Set<string>();
  for (const input of inputs) {
    const [, name] = /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (name !== undefined) found.add(name);
    else if (!/^(?:deno|entry):(?:\.\/)?(?:src\/|links\/|tools\/|mod\.ts$|cli\.ts$)/.test(input)) {
      throw new Error(`Nothing is known of the licence of '${input}', which is in the package`);
    }
  }
  const unknown = [...found].filter((name) => !bundled.includes(name));
  if (unknown.length > 0) throw new Error(`'${unknown.join("', '")}' is bundled, and not listed`);
  const unused = bundled.filter((name) => !found.has(name));
  if (unused.length > 0) throw new Error(`'${unused.join("', '")}' is listed, and not bundled`);
}

/** The notices that the licences of the bundled packages require. */
export function thirdParty(packages: readonly BundledPackage[]): string {
  return packages.map(({ name, version, licence, text }) =>
    `# ${name} ${version} (${licence})\n\n${text}\n`
  ).join("\n");
}

/**
 * The version of a package of npm that `deno.lock` has: of those that are imported directly, the one of the import map.
 *
 * @throws {Error} where there is none, or more than one and the import map does not say which
 */
export function lockedVersion(name: string, specifiers: Specifiers = lock.specifiers): string {
  const meant = specifiers[imports[name] ?? ""];
  const [version, ...others] = meant ? [withoutPeers(meant)] : lockedVersions(name, specifiers);
  if (version === undefined) throw new Error(`No version of '${name}' is locked`);
  if (others.length === 0) return version;
  throw new Error(`Locked of '${name}' are ${[version, ...others].join(", ")}, expected one`);
}

/** Whether a package of npm is imported directly, by whatever part of the repository. */
export function isLocked(name: string): boolean {
  return lockedVersions(name, lock.specifiers).length > 0;
}

/** Versions by what is imported: `npm:hono@^4.8.0`. */
type Specifiers = Readonly<Record<string, string>>;

function lockedVersions(name: string, specifiers: Specifiers): readonly string[] {
  const found = Object.entries(specifiers)
    .filter(([specifier]) => specifier.startsWith(`npm:${name}@`))
    .map(([, version]) => withoutPeers(version));
  return [...new Set(found)];
}

/** `2.1.8_hono@4.13.19` → `2.1.8` */
function withoutPeers(version: string): string {
  return version.replace(/_.*/, "");
}
