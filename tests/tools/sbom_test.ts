import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { walk } from "@std/fs/walk";
import { join } from "@std/path";
import { BUNDLED, checkOrigins, lockedVersion, packageOf } from "../../tools/_bundled.ts";
import { buildPackage } from "../../tools/build_npm.ts";
import { outsidePackages, sbomOf, sbomProblems } from "../../tools/sbom.ts";

interface Bom {
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version?: string;
    readonly scope: string;
    readonly licenses?: readonly { readonly license: { readonly id: string } }[];
    readonly properties: readonly { readonly name: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: string[] }[];
}

Deno.test({
  name:
    "sbomOf + names all that the packed package has in it and asks for, and licence texts go with it",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "irori-sbom-" });
    try {
      const built = await buildPackage(folder);
      const text = sbomOf(built, await outsidePackages(built.manifest));
      assertEquals(await sbomProblems(text), null);

      const bom: Bom = JSON.parse(text);
      assertEquals(bom.metadata.component.version, built.manifest.version);
      const named = (has: (component: Bom["components"][number]) => boolean) =>
        bom.components.filter(has)
          .map(({ group, name }) => group === undefined ? name : `${group}/${name}`).sort();
      const bundled = named(({ properties }) =>
        properties.some(({ name }) => name === "cdx:npm:package:bundled")
      );
      // Not from what the build says of itself: esbuild names each module in the output.
      const found = await packagesIn(join(folder, "npm"));
      assert(found.size > 0);
      assertEquals(bundled, [...found].sort());
      const { dependencies, peerDependencies } = built.manifest;
      const asked = Object.keys({ ...dependencies, ...peerDependencies });
      assertEquals(named(() => true), [...bundled, ...asked].sort());
      const required = [...bundled, ...Object.keys(dependencies), "hono"].sort();
      assertEquals(named(({ scope }) => scope === "required"), required);
      assertEquals(named(({ licenses }) => licenses !== undefined), required);
      assertEquals(
        bom.dependencies.find(({ ref }) => ref.startsWith("pkg:npm/irori@"))?.dependsOn?.length,
        bom.components.length,
      );

      const licences = await Deno.readTextFile(join(folder, "npm/THIRD_PARTY.md"));
      assertEquals(
        licences.match(/^# .*/gm),
        bom.components.filter(({ name }) => found.has(name)).map(({ name, version, licenses }) =>
          `# ${name} ${version} (${licenses?.[0]?.license.id})`
        ),
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("sbomProblems finds what the schema does not have", async () => {
  const text = `{ "bomFormat": "CycloneDX", "specVersion": "1.6", "made": "up" }`;
  assert(JSON.stringify(await sbomProblems(text)).includes("made"));
});

Deno.test("checkOrigins refuses code that is not listed", () => {
  const known = [
    "deno:src/http/mod.ts",
    "deno:links/path/posix.ts",
    "deno:mod.ts",
    "entry:./src/app/files.ts",
  ];
  const bundled = BUNDLED.map((name) => `node_modules/${name}/index.js`);
  checkOrigins([...known, ...bundled], BUNDLED);
  checkOrigins(known, []);
  const table: [inputs: string[], message: string][] = [
    [
      [...bundled, "../cache/node_modules/@scope/left-pad/index.js"],
      "'@scope/left-pad' is bundled, and not listed",
    ],
    [[...bundled.slice(1)], `'${BUNDLED[0]}' is listed, and not bundled`],
    [
      [...bundled, "deno:elsewhere/@std/path/1.1.2/mod.ts"],
      "Nothing is known of the licence of 'deno:elsewhere/",
    ],
  ];
  for (const [inputs, message] of table) {
    assertThrows(() => checkOrigins([...known, ...inputs], BUNDLED), Error, message);
  }
});

Deno.test("lockedVersion gives the version that is imported, and guesses none", () => {
  const specifiers = {
    "npm:hono@4.8.0": "4.8.0",
    "npm:hono@^4.8.0": "4.13.19",
    "npm:@scope/adapter@2": "2.1.8_hono@4.13.19",
    "npm:left-pad@1": "1.3.0",
    "npm:left-pad@2": "2.0.0",
  };
  assertEquals(lockedVersion("hono", specifiers), "4.13.19");
  assertEquals(lockedVersion("@scope/adapter", specifiers), "2.1.8");
  assertThrows(
    () => lockedVersion("left-pad", specifiers),
    Error,
    "Locked of 'left-pad' are 1.3.0, 2.0.0, expected one",
  );
  assertThrows(() => lockedVersion("left", specifiers), Error, "No version of 'left' is locked");
});

Deno.test("packageOf refuses a licence outside of the list, and a package without its text", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const root = join(folder, "node_modules/@scope/left-pad");
    await Deno.mkdir(root, { recursive: true });
    const write = (license: string) =>
      Deno.writeTextFile(join(root, "package.json"), JSON.stringify({ version: "1.2.3", license }));
    await write("MIT");
    await assertRejects(() => packageOf(folder, "@scope/left-pad"), Error, "has no licence file");
    await Deno.writeTextFile(join(root, "LICENCE.txt"), "Do as you like.\n");
    assertEquals(await packageOf(folder, "@scope/left-pad"), {
      name: "@scope/left-pad",
      version: "1.2.3",
      licence: "MIT",
      text: "Do as you like.",
    });
    await write("AGPL-3.0-only");
    await assertRejects(
      () => packageOf(folder, "@scope/left-pad"),
      Error,
      "'AGPL-3.0-only', which is not allowed",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Packages of npm of which there is code in these modules. */
async function packagesIn(root: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { path } of walk(root, { includeDirs: false })) {
    if (!path.endsWith(".js")) continue;
    const text = await Deno.readTextFile(path);
    for (const [, name = ""] of text.matchAll(/^\/\/ .*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//gm)) {
      names.add(name);
    }
  }
  return names;
}
