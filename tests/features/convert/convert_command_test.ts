import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { EVERY_FIELD, manifest, stream } from "./manifests.ts";
import { CLI, irori, workspace } from "../../e2e/command_line.ts";

const ALL = stream(...EVERY_FIELD.map(({ yaml }) => yaml));
const ROLE = manifest("OpensearchRole", "clusterPermissions: [a]", "reader");

async function filesBelow(folder: string, prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = prefix + name;
    if (isDirectory) found.push(...await filesBelow(join(folder, name), `${path}/`));
    else found.push(path);
  }
  return found.sort();
}

Deno.test("cli convert writes files that validate takes, without a configuration", async () => {
  await using space = await workspace({ "all.yaml": ALL });
  const { code, stdout, stderr } = await space.run(
    "convert",
    join(space.path, "all.yaml"),
    "--connection",
    "logs",
  );
  assertEquals(code, 0, stderr);
  const folder = join(space.path, "migrations/logs");
  assertEquals(await filesBelow(folder), EVERY_FIELD.map(({ path }) => path).sort());
  for (const { path, body } of EVERY_FIELD) {
    assertStringIncludes(stdout, `written    ${join(folder, path)}`);
    assertEquals(JSON.parse(await Deno.readTextFile(join(folder, path))), body);
  }
  assertStringIncludes(
    stdout,
    `migrations:\n  placeholders:\n    USER_CV_ADA_PASSWORD: "\${USER_CV_ADA_PASSWORD}"  ` +
      "# key 'ada' of the Secret 'users' in namespace 'search'",
  );
  assertStringIncludes(stderr, "notice: A file replaces the whole mapping of a role");
  await space.write(
    "config/application.yml",
    "search:\n  - name: logs\n    hosts: [http://127.0.0.1:1]\n    migrations: { enabled: true }\n",
  );
  // Its password is not declared yet, and said to be so.
  const undeclared = await space.run("validate", "-m", "search");
  assertEquals(undeclared.code, 3);
  assertStringIncludes(undeclared.stderr, "USER_CV_ADA_PASSWORD");
  await space.remove("migrations/logs/86-users");
  const valid = await space.run("validate", "-m", "search");
  assertEquals([valid.code, valid.stdout, valid.stderr], [0, "logs: 8 files, valid\n", ""]);
});

Deno.test("cli convert replaces nothing without --yes, and then all or nothing", async () => {
  await using space = await workspace({
    "a.yaml": ROLE,
    "b.yaml": manifest("OpensearchTenant", "description: d"),
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: [http://127.0.0.1:1]\n    migrations: { enabled: true }\n",
    "migrations/logs/84-roles/reader-role.json": "{}\n",
  });
  const args = ["convert", join(space.path, "a.yaml"), join(space.path, "b.yaml")];
  const role = join(space.path, "migrations/logs/84-roles/reader-role.json");
  const refused = await space.run(...args);
  assertEquals([refused.code, refused.stdout], [2, `differs    ${role}\n`]);
  assertStringIncludes(
    refused.stderr,
    "error: Nothing was written: 1 file with other content would be replaced; add '--yes' to replace, " +
      "'--dry-run' to see",
  );
  const folder = join(space.path, "migrations/logs");
  assertEquals(await filesBelow(folder), ["84-roles/reader-role.json"]);
  const dry = await space.run(...args, "--dry-run");
  assertEquals(dry.code, 0);
  assertStringIncludes(
    dry.stdout,
    `differs    ${role}\n{\n  "cluster_permissions": [\n    "a"\n  ]\n}\n`,
  );
  assertEquals(await Deno.readTextFile(role), "{}\n");
  assertEquals((await space.run(...args, "--yes")).code, 0);
  assertEquals(JSON.parse(await Deno.readTextFile(role)), { cluster_permissions: ["a"] });
  const again = await space.run(...args, "--json");
  assertEquals(JSON.parse(again.stdout), {
    files: ["82-tenants/a-tenant.json", "84-roles/reader-role.json"].map((path) => ({
      file: join(folder, path),
      state: "unchanged",
    })),
    passwords: [],
    skipped: [],
    warnings: [],
  });
});

Deno.test("cli convert writes nothing where one resource cannot be converted", async () => {
  await using space = await workspace({
    "a.yaml": stream(ROLE, manifest("OpensearchTenant", "description: 1")),
  });
  const file = join(space.path, "a.yaml");
  const { code, stderr } = await space.run("convert", file, "--connection", "logs");
  assertEquals(code, 3);
  assertStringIncludes(
    stderr,
    `error: ${file}:18:3: document 2, OpensearchTenant 'a', spec.description: Expected a string, found the number 1`,
  );
  assertEquals(await filesBelow(space.path), ["a.yaml"]);
});

Deno.test("cli convert reads standard input, and writes below --out", async () => {
  await using space = await workspace();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, "convert", "-", "--out", "k8s"],
    cwd: space.path,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(ROLE));
  await writer.close();
  const { code } = await process.output();
  assertEquals(code, 0);
  assertEquals(await filesBelow(space.path), ["k8s/84-roles/reader-role.json"]);
});

Deno.test("cli convert says what it cannot do", async () => {
  await using space = await workspace({
    "a.yaml": stream(ROLE, ROLE.replace("name: logs", "name: shop")),
    "admins.yaml": manifest("OpensearchUserRoleBinding", "roles: [all_access]\nusers: [ada]"),
    "none.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n",
  });
  const at = (name: string) => join(space.path, name);
  const table: [args: string[], code: number, told: string][] = [
    [[], 2, "missing argument '<file...>' of 'convert'"],
    [[at("b.yaml"), "--connection", "logs"], 2, `error: There is no file '${at("b.yaml")}'`],
    [[space.path, "--connection", "logs"], 2, `Expected files, such as '${space.path}/*.yaml'`],
    [[at("a.yaml"), "--connection", "a/b"], 2, "Expected the name of a connection, found 'a/b'"],
    [
      [at("a.yaml"), "--connection", "a", "--out", "b"],
      2,
      "Expected one of '--out' and '--connection'",
    ],
    [[at("a.yaml"), "--connection", "logs"], 2, "name one of 'logs' and 'shop'"],
    [
      [at("admins.yaml"), "--connection", "logs"],
      0,
      "warning: The mapping of 'all_access' removes the administrators that it does not name",
    ],
    [[at("none.yaml"), "--connection", "logs"], 0, "ConfigMap 'c': skipped, it makes no file"],
  ];
  for (const [args, code, told] of table) {
    const outcome = await space.run("convert", ...args);
    assertEquals(outcome.code, code, outcome.stderr);
    assertStringIncludes(outcome.stderr, told);
    assertEquals(outcome.stderr.includes("    at "), false);
  }
  assertEquals((await irori(["convert", "--help"])).stdout.includes("OpensearchTenant"), true);
});

Deno.test("cli convert writes nothing where something else is in its place", async () => {
  await using space = await workspace({
    "a.yaml": stream(ROLE, manifest("OpensearchTenant", "description: d")),
    "one/84-roles": "a file",
    "two/84-roles/reader-role.json/x": "in a folder",
    "bad.yaml": "x",
  });
  const at = (path: string) => join(space.path, path);
  for (const out of ["a.yaml", "a.yaml/below", "one", "two"]) {
    const { code, stderr } = await space.run("convert", at("a.yaml"), "--out", at(out));
    assertEquals(code, 2, stderr);
    assertMatch(stderr, /^error: Cannot write '[^']+\.json': .*\. Nothing was written/);
    assertEquals(/^ {2,}at /m.test(stderr), false);
  }
  assertEquals(await filesBelow(join(space.path, "one")), ["84-roles"]);
  await Deno.writeFile(join(space.path, "bad.yaml"), new Uint8Array([0x61, 0x3a, 0xff]));
  const bad = await space.run("convert", at("bad.yaml"), "--out", at("three"));
  assertEquals(bad.code, 2);
  assertStringIncludes(bad.stderr, "bad.yaml' is not in UTF-8");
});
