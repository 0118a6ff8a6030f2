import { assert, assertEquals } from "@std/assert";
import { schemaFiles } from "../../tools/schemas.ts";
import { ENDINGS } from "../../tools/schemas/files.ts";
import { vscodeSettings } from "../../tools/schemas/vscode.ts";

const FOLDER = "schemas";
/** Bytes. An editor loads all of them, and a project installs them. */
const MAX_PACKED = 100_000;

Deno.test("deno task schemas + writes what is committed", async () => {
  const files = await schemaFiles();
  for (const [path, text] of files) {
    // Without a difference of megabytes.
    assert(await Deno.readTextFile(path) === text, `${path}: run 'deno task schemas'`);
  }
});

Deno.test("schemas + are one for each ending, for all other files, and for application.yml", async () => {
  const names = (await namesIn(FOLDER)).sort();
  const wanted = [...ENDINGS, "application", "search"].map((name) => `${name}.schema.json`);
  assertEquals(names, wanted.sort());
  for (const name of names) {
    const { $schema } = JSON.parse(await Deno.readTextFile(`${FOLDER}/${name}`));
    assertEquals($schema, "http://json-schema.org/draft-07/schema#", name);
  }
});

Deno.test("schemas + are small when packed", async () => {
  const texts = await Promise.all(
    (await namesIn(FOLDER)).map((name) => Deno.readTextFile(`${FOLDER}/${name}`)),
  );
  const packed = new Blob([texts.join("")]).stream().pipeThrough(new CompressionStream("gzip"));
  const { byteLength } = await new Response(packed).arrayBuffer();
  assert(byteLength <= MAX_PACKED, `${byteLength} bytes`);
});

Deno.test("vscodeSettings + are those of the template", async () => {
  const template = await Deno.readTextFile("templates/service/.vscode/settings.json");
  assertEquals(JSON.parse(template), vscodeSettings());
});

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}
