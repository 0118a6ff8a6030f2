import { assertEquals, assertStringIncludes } from "@std/assert";
import { copyWithout, withUsers } from "../../tools/_delete_feature.ts";
import { deno } from "../../tools/_run.ts";
import { type TestFile, testFiles } from "../../tools/_test_files.ts";
import { EXIT } from "../../src/cli/exit_codes.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { WEB_FEATURES } from "../../src/features/web.ts";
import { CORE } from "../architecture/rules.ts";
import { FEATURES } from "../architecture/features.ts";
import { IS_ALL } from "../long/mod.ts";

const NAMES = Object.keys(FEATURES);
/** Files that tests of the core start, and that no import names. */
const STARTED = [
  "benches/edge/ours.ts",
  "tests/runtime/child.ts",
  "tests/migrations/search/kill_child.ts",
];
const tracked = await outputLines("git", "ls-files");
/**
 * The hash of the commit chooses one of a sample, so that each of them is compiled at some time; the tests of the core
 * are left out.
 */
const [head = ""] = await outputLines("git", "rev-parse", "HEAD");
const chosen = IS_ALL ? NAMES : [NAMES[parseInt(head.slice(0, 8), 16) % NAMES.length]!];
const folders = new Set(CORE.map((layer) => `tests/${layer.replace(/\/.*/, "")}`));

for (const name of chosen) {
  Deno.test(`src/features/${name} can be deleted, with those that use it`, async () => {
    console.log(`without ${name}`);
    await without(withUsers(name), []);
  });
}

if (IS_ALL) {
  Deno.test("src/features can be deleted, and the tests of the core pass", async () => {
    const tests = await testFiles([...folders], true);
    await without(new Set(NAMES), tests.filter(({ needs }) => needs.size === 0));
  });
}

/** Compiles a copy of the sources without these features, and runs tests there. */
async function without(features: ReadonlySet<string>, tests: readonly TestFile[]): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori_without_" }));
  try {
    const started = tests.length > 0 ? await testFiles(STARTED, true) : [];
    const reached = [...tests, ...started].flatMap(({ reached }) => reached);
    const modules = await copyWithout(features, tracked, reached, folder);
    await succeed(folder, ["check", "--quiet", ...modules]);
    await isUnknown(features, folder);
    const paths = tests.map(({ path }) => path);
    if (paths.length === 0) return;
    await succeed(folder, ["test", "-A", "--no-check", "--reporter=dot", ...paths]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Checks that the deleted commands and settings are reported as unknown. */
async function isUnknown(features: ReadonlySet<string>, cwd: string): Promise<void> {
  await Deno.mkdir(`${cwd}/config`);
  for (const { name, commands = {}, moments } of [...MIGRATION_FEATURES, ...WEB_FEATURES]) {
    if (!features.has(name)) continue;
    for (const command of Object.keys(commands)) {
      await refuses(cwd, [command], `unknown command '${command}'`);
    }
    const { settings = {} } = (await moments?.())?.feature ?? {};
    for (const [list, { keys }] of Object.entries(settings)) {
      // Beside 'migrations' the application has settings of its own.
      for (const [, key] of keys.map((key) => /^migrations\.(.*)/.exec(key) ?? [])) {
        if (key === undefined) continue;
        const place = list === "search" ? "hosts: [http://127.0.0.1:1]" : "url: sqlite:a.db";
        const text =
          `${list}:\n  name: a\n  ${place}\n  migrations: { enabled: true, ${key}: x }\n`;
        await Deno.writeTextFile(`${cwd}/config/application.yml`, text);
        const type = list === "search" ? "search" : "sql";
        await refuses(cwd, ["status", "-m", type], `There is no setting '${key}'`);
      }
    }
  }
  await Deno.remove(`${cwd}/config`, { recursive: true });
}

async function refuses(cwd: string, args: readonly string[], message: string): Promise<void> {
  const { code, output } = await deno(["run", "-A", "--no-check", "cli.ts", ...args], { cwd });
  assertStringIncludes(output, message);
  assertEquals(code, EXIT.usage);
}

async function succeed(cwd: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await deno(args, { cwd });
  if (!ok) throw new Error(output.replace(/^(?:[.,]\n)+/, ""));
}

async function outputLines(
  command: string,
  ...args: readonly string[]
): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(command, { args: [...args] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}
