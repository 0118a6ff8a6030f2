import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { changedSince, filesOf } from "../../tools/_changes.ts";
import { Chooser } from "../../tools/_choose.ts";
import { isServer } from "../../tools/_groups.ts";
import { testFiles } from "../../tools/_test_files.ts";
import { FEATURES } from "../architecture/features.ts";

const all = await testFiles(["tests", "examples"], false);
const chooser = await Chooser.of(all, await filesOf());

/** What is chosen, and the servers that start for it. */
function chosenBy(...changed: readonly string[]) {
  const { chosen, all: reason = "", unreached } = chooser.choose(changed);
  const paths = chosen.map(({ file }) => file.path);
  const servers = new Set(chosen.flatMap(({ needs }) => [...needs].filter(isServer)));
  return { paths, servers: [...servers].sort(), reason, unreached };
}

/** Checks for a change that it reaches some files of tests, and others not. */
function assertChosen(
  change: string,
  { has, hasNot = [] }: { readonly has: readonly string[]; readonly hasNot?: readonly string[] },
): void {
  const { paths } = chosenBy(change);
  const isIn = (one: string) => paths.some((path) => path === one || path.startsWith(`${one}/`));
  assertEquals(has.filter((one) => !isIn(one)), [], `${change} has to reach these`);
  assertEquals(hasNot.filter(isIn), [], `${change} must not reach these`);
  assert(paths.length < all.length, change);
}

Deno.test("--changed + a feature starts the servers that its own tests need", () => {
  const change = "src/features/paging/page.ts";
  assertChosen(change, {
    has: [
      "tests/features/paging/page_test.ts",
      "tests/conformance/conformance_test.ts",
      "tests/runtimes/web_test.ts",
      "tests/features/client/contract_test.ts",
      "tests/architecture_test.ts",
    ],
    hasNot: [
      "tests/web/binding_test.ts",
      "tests/migrations/runner",
      "tests/features/jobs",
      "tests/e2e",
    ],
  });
  assertEquals(chosenBy(change).servers, []);
  assertEquals(chosenBy("src/features/jobs/mod.ts").servers, ["sql"]);
  assertEquals(chosenBy("src/features/lint/lint.ts").servers, ["sql"]);
  assertEquals(chosenBy("src/features/reindex/rounds.ts").servers, ["search"]);
  assertEquals(chosenBy("src/features/drift/command.ts").servers, ["search", "sql"]);
  assertEquals(chosenBy(change, "tests/migrations/sql/locks_test.ts").servers, ["sql"]);
});

Deno.test("--changed + a change of a feature reaches its tests, and those of features that use it", () => {
  for (const name of Object.keys(FEATURES)) {
    const { paths } = chosenBy(`src/features/${name}/gone.ts`);
    const own = all.filter(({ path }) => path.startsWith(`tests/features/${name}/`));
    assertEquals(own.filter(({ path }) => !paths.includes(path)), [], name);
  }
  assertChosen("src/features/transactions/mod.ts", {
    has: [
      ...["jobs", "scheduling", "idempotency"].map((name) => `tests/features/${name}`),
      "tests/runtimes/pages_test.ts",
      "tests/features/create/parts_test.ts",
    ],
    hasNot: ["tests/features/reindex", "tests/features/paging"],
  });
  assertChosen("src/features/schema/checks.ts", {
    has: ["tests/features/drift", "tests/features/types", "tests/runtimes/unavailable_test.ts"],
    hasNot: ["tests/web/binding_test.ts", "tests/features/sigv4/sign_test.ts"],
  });
});

Deno.test("--changed + what a feature does in each run reaches all runs, what is behind it those that name it", () => {
  const runs = ["tests/migrations/search/contract_test.ts", "tests/e2e/search_test.ts"];
  const hasNot = ["tests/migrations/sql/locks_test.ts", "tests/features/types/rows"];
  assertChosen("src/features/reindex/feature.ts", { has: [...runs, "tests/features/reindex"] });
  assertChosen("src/features/reindex/rounds.ts", { has: ["tests/features/reindex"], hasNot });
});

Deno.test("--changed + a command reaches the tests of all commands, and pages that call it", () => {
  const help = "tests/recorded/help_test.ts";
  for (const name of ["drift", "adopt", "build", "contract", "pull", "schema", "types"]) {
    assertChosen(`src/features/${name}/command.ts`, { has: [help] });
  }
  const created = "tests/runtimes/create_test.ts";
  assertChosen("src/features/openapi/command.ts", { has: [help, created] });
  assertChosen("src/features/build/command.ts", {
    has: [
      ...["build", "serverless", "unavailable"].map((name) => `tests/runtimes/${name}_test.ts`),
      "tests/examples/starters_test.ts",
    ],
    hasNot: ["tests/runtimes/web_test.ts"],
  });
  assertChosen("src/features/actuator/health.ts", { has: [created] });
  const tutorial = "tests/runtimes/tutorial_test.ts";
  assertChosen("src/cli/commands/routes.ts", { has: [tutorial] });
  assertChosen("src/features/security/api_key.ts", { has: [tutorial] });
});

Deno.test("--changed + the web core reaches the web and the runtimes", () => {
  assertChosen("src/web/mod.ts", {
    has: [
      "tests/web/binding_test.ts",
      "tests/features/security",
      "tests/conformance",
      "tests/runtimes/web_test.ts",
      "tests/runtimes/sockets_test.ts",
    ],
    hasNot: [
      "tests/migrations/runner",
      "tests/migrations/sql/locks_test.ts",
      "tests/features/adopt",
    ],
  });
});

Deno.test("--changed + the core of migrations reaches migrations and the command line on each runtime", () => {
  const has = [
    "tests/migrations/secrets_test.ts",
    "tests/runtimes/command_line_test.ts",
    "tests/e2e",
  ];
  assertChosen("src/migrations/runner/run.ts", {
    has: [...has, "tests/migrations/sql/locks_test.ts", "tests/migrations/search/contract_test.ts"],
    hasNot: [
      "tests/web/binding_test.ts",
      "tests/container",
      "tests/runtimes/sockets_test.ts",
      "tests/features/paging",
    ],
  });
  assertChosen("src/migrations/sql/engines/postgresql/dialect.ts", {
    has: [...has, "tests/migrations/sql/postgresql_test.ts"],
    hasNot: ["tests/web/binding_test.ts", "tests/container"],
  });
});

Deno.test("--changed + files that a test starts or reads reach it", () => {
  assertChosen("tests/migrations/search/kill_child.ts", {
    has: ["tests/migrations/search/kill_test.ts"],
    hasNot: ["tests/web", "tests/migrations/sql"],
  });
  assertChosen("tests/runtimes/app/jwks.ts", {
    has: ["tests/runtimes/jwks_test.ts"],
    hasNot: ["tests/runtimes/lane_test.ts"],
  });
  assertChosen("tests/features/adopt/recorded/unknown.bin", {
    has: ["tests/features/adopt/recorded_test.ts"],
    hasNot: ["tests/web"],
  });
  assertChosen("tests/servers/sql.sh", {
    has: ["tests/migrations/sql/locks_test.ts"],
    hasNot: ["tests/features/sigv4", "tests/migrations/search/contract_test.ts"],
  });
  assertChosen("examples/orders/config/application.yml", {
    has: ["tests/examples/services_test.ts"],
    hasNot: ["tests/web"],
  });
  assertChosen(".github/workflows/test.yml", {
    has: ["tests/tools/workflows_test.ts"],
    hasNot: ["tests/web"],
  });
});

Deno.test("--changed + what packs the library, runs the tests or starts the servers reaches tests", () => {
  for (const tool of ["build_npm", "_bundled", "_source_map"]) {
    assertChosen(`tools/${tool}.ts`, {
      has: ["tests/runtimes/web_test.ts", "tests/tools/build_npm_test.ts"],
      hasNot: ["tests/web", "tests/migrations/sql/locks_test.ts"],
    });
  }
  for (const tool of ["test", "_tests", "_sample", "_definition", "_finish", "_pack"]) {
    const has = ["tests/tools/test_command_test.ts"];
    assertChosen(`tools/${tool}.ts`, { has, hasNot: ["tests/web", "tests/runtimes"] });
  }
  assertChosen("tools/_servers.ts", {
    has: ["tests/migrations/sql/locks_test.ts", "tests/migrations/search/contract_test.ts"],
    hasNot: ["tests/web/binding_test.ts"],
  });
  assertChosen("src/web/mod.ts", { has: [], hasNot: ["tests/tools/test_command_test.ts"] });
});

Deno.test("--changed + a page of the documentation reaches the tests of documents", () => {
  assertChosen("docs/guide/paging.md", {
    has: ["tests/docs/pages_test.ts", "tests/documents_test.ts"],
    hasNot: ["tests/docs/tutorial_migrations_test.ts", "tests/web", "tests/migrations/sql"],
  });
  assertEquals(chosenBy("docs/guide/paging.md").servers, []);
  assertChosen("docs/guide/tutorial.md", { has: ["tests/runtimes/tutorial_test.ts"] });
});

Deno.test("--changed + chooses all tests where it cannot know less, and says why", () => {
  const rows = {
    "src/text/mod.ts": "'src/text/mod.ts' is of the foundation, which everything stands on",
    "src/container/mod.ts":
      "'src/container/mod.ts' is of the foundation, which everything stands on",
    "deno.json": "'deno.json' decides how everything runs",
    "settings.toml": "'settings.toml' is of an unknown kind",
  };
  for (const [path, expected] of Object.entries(rows)) {
    const { paths, servers, reason } = chosenBy("CHANGELOG.md", path);
    assertEquals([paths.length, servers, reason], [all.length, ["search", "sql"], expected]);
  }
  const { paths, unreached } = chosenBy("tools/soak_reindex.ts");
  assertEquals([paths.includes("tests/web/binding_test.ts"), unreached.length <= 1], [false, true]);
});

Deno.test("changedSince() + has what is committed, uncommitted, new and gone", async () => {
  const folder = await Deno.makeTempDir({ prefix: "irori-changes-" });
  const git = async (...args: readonly string[]) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    const command = new Deno.Command("git", { args: [...identity, ...args], cwd: folder });
    assert((await command.output()).success, args.join(" "));
  };
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  try {
    await git("init", "--quiet", "--initial-branch=main");
    for (const name of ["same", "committed", "edited", "gone"]) await write(name, "a");
    await git("add", ".");
    await git("commit", "--quiet", "--message=a");
    await git("checkout", "--quiet", "-b", "branch");
    await write("committed", "b");
    await git("commit", "--quiet", "--all", "--message=b");
    await write("edited", "b");
    await write("new file", "b");
    await Deno.remove(join(folder, "gone"));
    const names = ["committed", "edited", "gone", "new file"];
    const { files, since } = await changedSince(undefined, folder);
    assertEquals([...files], names);
    assertMatch(since, /^[\da-f]{10}, where this branch left 'main'$/);
    assertEquals([...(await changedSince("HEAD", folder)).files], names.slice(1));
    assertEquals(await filesOf(folder), ["committed", "edited", "new file", "same"]);
    const error = await assertRejects(() => changedSince("nothing", folder), Error);
    assertStringIncludes(error.message, "Git knows no commit 'nothing'");
    await git("branch", "--quiet", "-D", "main");
    const alone = await changedSince(undefined, folder);
    assertEquals([...alone.files], names.slice(1));
    assertStringIncludes(alone.since, "there is no 'main'");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
