import { Enums, Models, Serialize, Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { join } from "@std/path";
import { type BundledPackage, isLocked, lockedVersion, packageOf } from "./_bundled.ts";
import { installed } from "./_npm.ts";
import { buildPackage, type Built } from "./build_npm.ts";

/**
 * The CycloneDX 1.6 bill of materials of the npm package: what is bundled into it, its dependencies and its peers, in
 * the versions that it is tested with. The same package gives the same text.
 *
 * @param outside the packages that it does not contain, by their names: their versions and, of those that every
 * application installs, their licences
 */
export function sbomOf(
  { manifest, bundled }: Pick<Built, "manifest" | "bundled">,
  outside: ReadonlyMap<string, OutsidePackage>,
): string {
  const bom = new Models.Bom();
  const root = componentOf({ name: manifest.name, version: manifest.version });
  root.licenses.add(new Models.SpdxLicense(manifest.license));
  bom.metadata.component = root;
  const components = [
    ...bundled.map(bundledComponent),
    ...Object.entries(manifest.dependencies).map(([name, range]) =>
      rangedComponent(name, range, outside.get(name), false)
    ),
    ...Object.entries(manifest.peerDependencies).map(([name, range]) => {
      const { optional = false } = manifest.peerDependenciesMeta[name] ?? {};
      return rangedComponent(name, range, outside.get(name), optional);
    }),
  ];
  for (const component of components) {
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** A package that the npm package depends on. */
export interface OutsidePackage {
  readonly version?: string;
  /** SPDX identifier. */
  readonly licence?: string;
}

/**
 * The packages of `deno.lock`, with the licences of those that every application installs. @throws {Error} for one that
 * is not allowed
 */
export async function outsidePackages(
  { dependencies, peerDependencies, peerDependenciesMeta }: Built["manifest"],
): Promise<ReadonlyMap<string, OutsidePackage>> {
  const isOptional = (name: string) => peerDependenciesMeta[name]?.optional === true;
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  const required = names.filter((name) => !isOptional(name));
  const folder = await installed(
    "required",
    required.map((name) => `${name}@${lockedVersion(name)}`),
  );
  const known = await Promise.all(required.map((name) => packageOf(folder, name)));
  // Deno locks no version of an optional package that it does not need, such as 'ws'.
  const optional = names.filter((name) => isOptional(name) && isLocked(name));
  return new Map<string, OutsidePackage>([
    ...optional.map((name) => [name, { version: lockedVersion(name) }] as const),
    ...known.map((found) => [found.name, found] as const),
  ]);
}

/** The errors of a bill of materials by the schema of CycloneDX 1.6; `null` where there are none. */
export async function sbomProblems(text: string): Promise<unknown> {
  return await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
}

function bundledComponent({ name, version, licence }: BundledPackage): Models.Component {
  const component = componentOf({ name, version });
  component.scope = Enums.ComponentScope.Required;
  component.licenses.add(new Models.SpdxLicense(licence));
  component.properties.add(new Models.Property("cdx:npm:package:bundled", "true"));
  return component;
}

function rangedComponent(
  name: string,
  range: string,
  { version, licence }: OutsidePackage = {},
  isOptional: boolean,
): Models.Component {
  const component = componentOf({ name, version });
  if (licence !== undefined) component.licenses.add(new Models.SpdxLicense(licence));
  component.scope = isOptional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
  component.properties.add(new Models.Property("irori:range", range));
  return component;
}

function componentOf(
  { name, version }: { readonly name: string; readonly version: string | undefined },
): Models.Component {
  const [, group, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const at = version === undefined ? "" : `@${version}`;
  const purl = `pkg:npm/${name.replace("@", "%40")}${at}`;
  return new Models.Component(Enums.ComponentType.Library, plain, {
    bomRef: purl,
    purl,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
  });
}

/** Builds the npm package in `dist` and writes its bill of materials beside it. */
async function main(): Promise<void> {
  const folder = "dist";
  await Deno.mkdir(folder, { recursive: true });
  const built = await buildPackage(folder);
  const text = sbomOf(built, await outsidePackages(built.manifest));
  const problems = await sbomProblems(text);
  if (problems !== null) throw new Error(`No CycloneDX: ${JSON.stringify(problems)}`);
  const file = join(folder, "sbom.cdx.json");
  await Deno.writeTextFile(file, text);
  console.log(file);
}

if (import.meta.main) await main();
