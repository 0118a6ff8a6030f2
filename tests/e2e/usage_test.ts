import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CLI, started, workspace } from "./command_line.ts";

Deno.test("cli --help tells commands, options, examples and exit codes", async () => {
  const { code, stdout, stderr } = await started(["--help"]);
  assertEquals([code, stderr], [0, ""]);
  for (const part of ["migrate", "--config <dir>", "--sqlPath <dir>", "Examples:", "Exit codes:"]) {
    assertStringIncludes(stdout, part);
  }
});

Deno.test("cli <command> --help tells its options, examples and exit codes", async () => {
  const calls = [["status", "--help"], ["--help", "status"], ["help", "status"], ["status", "-vh"]];
  for (const args of calls) {
    const { code, stdout, stderr } = await started(args);
    assertEquals([code, stderr], [0, ""], args.join(" "));
    assertStringIncludes(stdout, "Usage: irori status [options]");
    for (const part of ["--check", "--sqlPath <dir>", "$ irori status -m search", "Exit codes:"]) {
      assertStringIncludes(stdout, part);
    }
  }
  assertStringIncludes((await started(["openapi", "--help"])).stdout, "Creates no\nbean");
  // Other mistakes do not suppress the help.
  assertStringIncludes(
    (await started(["resolve", "--help"])).stdout,
    "irori resolve [options] <file>",
  );
});

Deno.test("cli --version prints the version of the manifest", async () => {
  const manifest = await import("../../deno.json", { with: { type: "json" } });
  assertEquals(await started(["--version"]), {
    code: 0,
    stdout: `${manifest.default.version}\n`,
    stderr: "",
  });
});

Deno.test("cli refuses unknown options and commands with a suggestion", async () => {
  const typos: [string[], RegExp][] = [
    [["--sqlpth", "x"], /unknown option '--sqlpth'[^]*Did you mean --sqlPath\?/],
    [["migrat"], /unknown command 'migrat'[^]*Did you mean migrate\?/],
    [["rollback"], /unknown command 'rollback'\n\(There are no down migrations: add a file/],
    [["info"], /unknown command 'info'\n\(Use 'status'\)/],
    [["adopt", "--from", "flywy"], /'flywy' is invalid\. Allowed choices are flyway, dbmate/],
    [["help", "migrat"], /unknown command 'migrat'[^]*Did you mean migrate\?/],
    [["migrat", "--help"], /unknown command 'migrat'[^]*Did you mean migrate\?/],
    [["status", "--chekc"], /unknown option '--chekc'[^]*Did you mean --check\?/],
    [
      ["plan", "--check"],
      /'plan' has no option '--check', which belongs to 'status', 'schema', 'types' and 'scan'/,
    ],
    [["-x"], /unknown option '-x'\n\(run/],
    [["--frobnicate"], /unknown option '--frobnicate'\n\(run/],
    [["-m", "searhc"], /'searhc' is invalid\. Allowed choices are sql, search/],
    [["-c"], /'-c, --config <dir>' argument missing/],
    [["migrate", "extra"], /too many arguments/],
    [["resolve"], /missing argument '<file>' of 'resolve'/],
    [["--wait", "5 days"], /'5 days' is invalid\. Expected a time such as 500ms, 30s or 2m/],
    [["-c", "a", "--config=b"], /'-c, --config <dir>' is given twice: 'a' and 'b'/],
  ];
  for (const [args, message] of typos) {
    const { code, stdout, stderr } = await started(args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertMatch(stderr, message);
    assertMatch(stderr, /--help/);
  }
});

Deno.test("cli --json prints one document for invalid arguments, too", async () => {
  const typos: [string[], string][] = [
    [["--sqlpth", "x", "--json"], "unknown option '--sqlpth'\n(Did you mean --sqlPath?)"],
    [["--json", "migrat"], "unknown command 'migrat'\n(Did you mean migrate?)"],
    [["plan", "--json", "-x"], "unknown option '-x'"],
    [
      ["--json", "resolve", "a.json"],
      "Expected a file and one of --applied (it was applied), --retry (it was not), --abandon (delete its unfinished copy) and --cancel (cancel its statement, which still runs)",
    ],
  ];
  for (const [args, error] of typos) {
    const { code, stdout, stderr } = await started(args);
    assertEquals([code, JSON.parse(stdout)], [2, { error }], args.join(" "));
    assertStringIncludes(stderr, `error: ${error}\n`);
    assertNoStack(stderr);
  }
});

Deno.test("cli names a missing configuration directory", async () => {
  await using space = await workspace();
  const { code, stderr } = await space.runStarted();
  assertEquals(code, 2);
  assertStringIncludes(stderr, `${space.path}/config`);
  assertNoStack(stderr);
});

Deno.test("cli names file, line and column of broken YAML", async () => {
  await using space = await workspace({
    "config/application.yml": "server:\n  port: 1\n  address: ]\n",
  });
  const { code, stderr } = await space.runStarted();
  assertEquals(code, 2);
  assertMatch(stderr, /application\.yml:3:\d+/);
  assertNoStack(stderr);
});

Deno.test("cli names what a connection lacks, with file and line", async () => {
  const broken: [string, string, RegExp][] = [
    ["search", "search:\n  - hosts: ['http://127.0.0.1:1']\n", /application\.yml:2.*name/],
    ["search", "search:\n  - name: logs\n", /application\.yml:2.*hosts/],
    [
      "search",
      "search:\n  - name: logs\n    hosts: ['http://127.0.0.1:1']\n    password: secret\n",
      /application\.yml:4: 'search\[0\]\.password': Expected 'username' to be set, too/,
    ],
    ["search", "search:\n  - name: logs\n    hosts: []\n", /application\.yml:3.*hosts/],
    ["sql", "datasource:\n  - url: 'sqlite:a.db'\n", /application\.yml:2.*name/],
    ["sql", "datasource:\n  - name: main\n", /application\.yml:2.*url/],
  ];
  for (const [type, yaml, message] of broken) {
    await using space = await workspace({ "config/application.yml": yaml });
    const { code, stderr } = await space.runStarted("-m", type);
    assertEquals(code, 2, yaml);
    assertMatch(stderr, message);
    assertNoStack(stderr);
  }
});

Deno.test("cli says in a sentence that no connection is enabled, whatever keys the application has", async () => {
  await using space = await workspace({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: ['http://127.0.0.1:1']\ndata:\n  folder: /var/data\n",
  });
  const sentences = {
    search: "no connection under 'search' has 'migrations.enabled: true' (found 'logs')",
    sql: "the configuration has no 'datasource' (found 'search', which '-m search' migrates)",
  };
  for (const [type, sentence] of Object.entries(sentences)) {
    const { code, stdout } = await space.runStarted("-m", type);
    assertEquals([code, stdout], [0, `Nothing to do: ${sentence}\n`]);
  }
});

const SWITCH = "'migrations.enabled: true'";

Deno.test("cli says that the chosen connection is not enabled, where another one is", async () => {
  const connection = (name: string, enabled: boolean) =>
    `  - name: ${name}\n    url: sqlite:${name}.db\n    migrations: { enabled: ${enabled} }\n`;
  await using space = await workspace({
    "config/application.yml": `datasource:\n${connection("a", true)}${connection("b", false)}`,
    "migrations/a/1.sql": "CREATE TABLE a (n INT);",
  });
  for (const command of ["migrate", "plan", "status"]) {
    const { code, stdout } = await space.runStarted(command, "--connection", "b");
    assertEquals(
      [code, stdout],
      [0, `Nothing to do: no connection 'b' under 'datasource' has ${SWITCH} (found 'b')\n`],
    );
  }
});

Deno.test("cli fails where a profile leaves a connection without 'migrations.enabled'", async () => {
  const base = "  name: main\n  url: sqlite:a.db\n  migrations: { enabled: true }\n";
  const profile = "datasource:\n  - name: main\n    url: sqlite:b.db\n";
  await using space = await workspace({
    "config/application.yml": `datasource:\n${base}`,
    "config/application-ci.yml": profile,
    "migrations/main/1.sql": "CREATE TABLE a (n INT);",
  });
  const env = { PROFILES_ACTIVE: "ci" };
  for (const args of [["migrate"], ["plan"], ["status", "--check"], ["validate"], ["drift"]]) {
    const { code, stderr } = await space.runWith(env, ...args);
    assertEquals(code, 2, args.join(" "));
    assertMatch(
      stderr,
      /application-ci\.yml:2: 'datasource\[0\]': Expected 'migrations\.enabled: true'/,
    );
    assertNoStack(stderr);
  }
  await space.write("config/application-ci.yml", `${profile}    migrations: { enabled: false }\n`);
  const { code, stdout } = await space.runWith(env, "migrate");
  assertEquals(code, 0);
  assertMatch(stdout, /^Nothing to do: no connection under 'datasource' has/);
});

Deno.test("cli refuses a misspelt list of connections, so that a run does not succeed without one", async () => {
  await using space = await workspace({
    "config/application.yml": "datasources:\n  - name: main\n    url: sqlite:a.db\n",
  });
  const { code, stderr } = await space.runStarted();
  assertEquals(code, 2);
  assertMatch(
    stderr,
    /application\.yml:1: 'datasources': Unknown setting: did you mean 'datasource'\?/,
  );
});

Deno.test("cli refuses a connection name that the configuration does not have", async () => {
  await using space = await workspace({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: ['http://127.0.0.1:1']\n    migrations: { enabled: true }\n",
  });
  const { code, stderr } = await space.runStarted("-m", "search", "--connection", "lgos");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "'lgos'");
  assertStringIncludes(stderr, "logs");
});

Deno.test("cli refuses an enabled connection without a folder", async () => {
  await using space = await workspace({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: ['http://127.0.0.1:1']\n    migrations: { enabled: true }\n",
  });
  const { code, stderr } = await space.runStarted("-m", "search");
  assertEquals(code, 2);
  assertStringIncludes(stderr, `${space.path}/migrations/logs`);
});

function assertNoStack(stderr: string): void {
  assertEquals(/^\s+at /m.test(stderr), false, stderr);
}

Deno.test("cli does its work to the end where its output cannot be written, and exits with 1", async () => {
  await using space = await workspace({
    "config/application.yml":
      "datasource: { name: main, url: 'sqlite:./app.db', migrations: { enabled: true } }",
    "migrations/main/1.sql": "CREATE TABLE a (id INT);",
    "migrations/main/2.sql": "CREATE TABLE b (id INT);",
  });
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", '"$0" run -A "$1" -c config >/dev/full', Deno.execPath(), CLI],
    cwd: space.path,
  }).output();
  assertEquals(code, 1);
  assertMatch(
    new TextDecoder().decode(stderr),
    /^error: Cannot write the output: No space left on device.*\n$/,
  );
  assertStringIncludes((await space.runStarted("status")).stdout, "main: 2 applied");
});

Deno.test("cli says which file it cannot write, without a stack", async () => {
  await using space = await workspace({
    "config/application.yml":
      "datasource:\n  - name: main\n    url: sqlite:a.db\n    migrations: { enabled: true }\n",
    "migrations/main": "a file",
  });
  const { code, stderr } = await space.runStarted("new", "add-users");
  assertEquals(code, 2);
  assertMatch(stderr, /^error: Cannot write '.*_add-users\.sql': /);
  assertNoStack(stderr);
});
