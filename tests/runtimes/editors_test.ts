/** A new project in an editor: with the packed library, and the settings that `create` writes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { projectOf } from "../../src/features/create/project.ts";
import { FIXTURES } from "../features/file_schemas/fixtures.ts";
import { apply, type Mistake } from "../features/file_schemas/mutations.ts";
import { jsonMarks, yamlMarks } from "./editors.ts";
import { Project } from "./project.ts";

const created = (async () => {
  const project = await Project.fromTarball();
  const { files } = projectOf("app", { runtime: "node", database: "sqlite", parts: [] });
  for (const path of [".vscode/settings.json", "config/application.yml"]) {
    await project.write(path, files.get(path)!);
  }
  return project;
})();
Deno.test.afterAll(async () => await (await created)[Symbol.asyncDispose]());

const FOLDER = "migrations/logs/001";

Deno.test("the settings of a new project name files that are in the package", async () => {
  const project = await created;
  const settings = JSON.parse(await Deno.readTextFile(project.file(".vscode/settings.json")));
  const urls: string[] = [
    ...settings["json.schemas"].map(({ url }: { readonly url: string }) => url),
    ...Object.keys(settings["yaml.schemas"]),
  ];
  assertEquals(urls.length, 16);
  for (const url of urls) JSON.parse(await Deno.readTextFile(project.file(url)));
});

Deno.test("VS Code marks no file of any kind that has no mistake", async () => {
  const { path } = await created;
  const files = Object.fromEntries(
    Object.entries(FIXTURES).map(([name, value]) => [
      `${FOLDER}/${name}`,
      JSON.stringify(value, null, 2),
    ]),
  );
  const marks = await jsonMarks(path, files);
  assertEquals(marks, Object.fromEntries(Object.keys(files).map((name) => [name, []])));
});

Deno.test("VS Code marks at least 170 of 200 mistakes in their lines", async () => {
  const { path } = await created;
  const rows = await Deno.readTextFile("tests/features/file_schemas/mistakes.jsonl");
  const mistakes = rows.trim().split("\n").map((row): Mistake => JSON.parse(row));
  const made = mistakes.map((mistake, index) => {
    const { text, offsets } = apply(FIXTURES, mistake);
    const lines = offsets.map((offset) => text.slice(0, offset).split("\n").length);
    return { name: `${FOLDER}/${index}/${mistake.file}`, text, lines, mistake };
  });
  const marks = await jsonMarks(
    path,
    Object.fromEntries(made.map(({ name, text }) => [name, text])),
  );
  const missed = made.filter(({ name, lines }) =>
    !marks[name]!.some(({ line }) => lines.includes(line))
  );
  const told = missed.map(({ name, mistake }) => JSON.stringify([mistake, marks[name]]));
  assert(missed.length <= 30, `${missed.length} missed:\n${told.join("\n")}`);
});

Deno.test("the YAML language server marks mistakes in application.yml", async () => {
  const project = await created;
  assertEquals(await yamlMarks(project.path, "config/application.yml"), []);
  await project.write(
    "config/application-dev.yml",
    `server:
  prot: 9000
search:
  - name: logs
    hosts: [http://127.0.0.1:9200]
    usernam: ada
    migrations: { enabled: maybe, placeholders: { own: 1 } }
own: { key: 1 }
`,
  );
  const marks = await yamlMarks(project.path, "config/application-dev.yml");
  assertEquals([...new Set(marks.map(({ line }) => line))], [2, 6, 7]);
  assertMatch(marks[0]!.message, /prot/);
  assertEquals(marks.some(({ message }) => /did you mean 'username'/.test(message)), true);
});
