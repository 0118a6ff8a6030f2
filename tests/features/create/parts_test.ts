/** Projects with a database and parts, which take the library from the sources of this repository. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { type Choices, DATABASES, PARTS, RUNTIMES } from "../../../src/features/create/choices.ts";
import { projectOf } from "../../../src/features/create/project.ts";
import { jobsSchema } from "../../../src/features/jobs/tables.ts";
import { SCHEDULES_SCHEMA } from "../../../src/features/scheduling/ticks_table.ts";
import { actionlint } from "../../tools/actionlint.ts";
import { IS_ALL } from "../../long/mod.ts";
import definition from "../../../deno.json" with { type: "json" };

/** PGlite, which takes each file of tests seconds, is left to where everything runs. */
const server = IS_ALL ? undefined : Deno.env.get("TEST_PG_URL");
const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

/** All that `create` makes, by the names of their folders. */
const CHOICES: ReadonlyMap<string, Choices> = new Map(
  DATABASES.flatMap((database) => {
    const possible = PARTS.filter((part) => database === "postgres" || part !== "jobs");
    return subsets(possible).map((parts) => {
      return [[database, ...parts].join("-"), { runtime: "deno", database, parts }] as const;
    });
  }),
);

/** For each database, the project without parts and the one with all of them. */
const ENDS = DATABASES.flatMap((database) => {
  const names = [...CHOICES.keys()].filter((name) => name.startsWith(database));
  return [names[0]!, names.at(-1)!];
});

Deno.test("projects with parts + are formatted, without a finding of the linter or the compiler", async () => {
  await using space = await written(IS_ALL ? CHOICES.keys() : ENDS);
  for (const args of [["fmt", "--check"], ["lint"], ["check", "."]]) {
    const { code, text } = await space.run(...args);
    assertEquals(code, 0, text);
  }
});

for (const folder of CHOICES.keys()) {
  Deno.test(`a project with parts + passes its tests: ${folder}`, async () => {
    await using space = await written([folder]);
    const { code, text } = await space.run("test", "--no-check", "-E", "-N", "-R", "-S", "-W");
    assertEquals(code, 0, text);
  });
}

Deno.test("projects with jobs + have the schemas that 'irori new' writes", async () => {
  const { files } = projectOf("app", CHOICES.get("postgres-jobs")!);
  assertEquals(files.get("migrations/main/003_jobs-schema.sql"), await jobsSchema());
  assertEquals(files.get("migrations/main/004_schedules-schema.sql"), SCHEDULES_SCHEMA.postgresql);
});

Deno.test("projects on PostgreSQL + close PGlite after the tests of a file, on Node alone", () => {
  const closing = RUNTIMES.filter((runtime) => {
    const { files } = projectOf("app", { runtime, database: "postgres", parts: [] });
    return /\bafter\b.*node:test|^after\(/m.test(files.get("tests/start.ts")!);
  });
  assertEquals(closing, ["node"]);
});

Deno.test("projects on PostgreSQL + have workflows that pass actionlint", async () => {
  const folder = await Deno.makeTempDir({ prefix: "irori-workflows-" });
  for (const runtime of RUNTIMES) {
    const { files } = projectOf("app", { runtime, database: "postgres", parts: [] });
    const workflow = files.get(".github/workflows/test.yml")!;
    assertStringIncludes(workflow, "TEST_DATABASE_URL: postgres://");
    await Deno.writeTextFile(join(folder, `${runtime}.yml`), workflow);
  }
  assertEquals(await actionlint(folder), { ok: true, output: "" });
  await Deno.remove(folder, { recursive: true });
});

function subsets<T>([first, ...rest]: readonly T[]): readonly (readonly T[])[] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]]);
}

/** Writes projects for Deno side by side, under a configuration that has the packages of all of them. */
async function written(folders: Iterable<string>) {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-parts-" }));
  const imports: Record<string, string> = {};
  for (const folder of folders) {
    const { files } = projectOf("app", CHOICES.get(folder)!);
    Object.assign(imports, JSON.parse(files.get("deno.json")!).imports);
    for (const [name, text] of files) {
      if (name === "deno.json") continue;
      const file = join(path, folder, name);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
  }
  const absolute = (target: string) => target.startsWith("./") ? join(ROOT, target) : target;
  for (const [name, target] of Object.entries({ ...definition.imports, ...imports })) {
    imports[name] = absolute(target);
  }
  for (const [name, target] of Object.entries(definition.exports)) {
    imports[`@irori/irori${name.slice(1)}`] = absolute(target);
  }
  const { compilerOptions } = definition;
  const config = { imports, compilerOptions, fmt: { lineWidth: 100 }, links: LINKS };
  await Deno.writeTextFile(join(path, "deno.json"), JSON.stringify(config, null, 2) + "\n");
  return {
    async run(...args: string[]) {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args,
        cwd: path,
        env: { NO_COLOR: "1", ...(server && { TEST_DATABASE_URL: server }) },
      }).output();
      const decoder = new TextDecoder();
      return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

const LINKS = Array.from(Deno.readDirSync(join(ROOT, "links")), ({ name }) => {
  return join(ROOT, "links", name);
});
