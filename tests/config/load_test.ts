import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { loadConfig } from "../../src/config/load.ts";
import { SERVER_KEYS } from "../../src/app/settings.ts";
import { ConfigError } from "../../src/config/mod.ts";
import { NO_FEATURES } from "../../src/migrations/runner/mod.ts";
import { searchKeys } from "../../src/migrations/search/mod.ts";
import { datasourceKeys } from "../../src/migrations/sql/mod.ts";
import { fails, load, loadYaml } from "./support.ts";

Deno.test("loadConfig reads application.yml, nested and dotted keys alike", async () => {
  const config = await load({
    "config/application.yml": "server:\n  port: 81\nserver.address: 127.0.0.1\na:\n  b.c: [x, y]\n",
  });
  assertEquals(config.number("server.port"), 81);
  assertEquals(config.string("server.address"), "127.0.0.1");
  assertEquals(config.strings("a.b.c"), ["x", "y"]);
  assertEquals(config.string("a.b.c[1]"), "y");
  assertEquals(config.string("missing"), undefined);
});

Deno.test("loadConfig leaves what looks like a date or a time the text that it is", async () => {
  const config = await load({
    "config/application.yml": "a: 2024-01-01\nb: 12:30\nc: 2024-01-01T00:00:00Z\n",
  });
  assertEquals([config.get("a"), config.get("b"), config.get("c")], [
    "2024-01-01",
    "12:30",
    "2024-01-01T00:00:00Z",
  ]);
});

Deno.test("loadConfig lays profiles over the application: maps merge, lists replace, the last wins", async () => {
  const tree = {
    "config/application.yml": "a: { x: 1, y: 1 }\nlist: [1, 2]\nprofiles.active: one\n",
    "config/application-one.yml": "a: { y: 2 }\nlist: [3]\n",
    "config/application-two.yaml": "a: { y: 3 }\n",
  };
  assertEquals((await load(tree)).get("a"), { x: 1, y: 2 });
  assertEquals((await load(tree)).get("list"), [3]);
  assertEquals((await load(tree, { profiles: ["one", "two"] })).get("a"), { x: 1, y: 3 });
  const env = { PROFILES_ACTIVE: "two, one" };
  assertEquals((await load(tree, { env })).get("a"), { x: 1, y: 2 });
});

Deno.test("loadConfig fills placeholders from the environment, other keys and defaults", async () => {
  const config = await load({
    "config/application.yml": [
      "host: ${HOST:localhost}",
      "url: http://${host}:${PORT}/${PATH_:${NONE:a:b}}",
      "literal: $${host}",
      "list: ['${HOST:one}']",
      "zip: ${ZIP}",
    ].join("\n"),
  }, { env: { PORT: "99", ZIP: "00123" } });
  assertEquals(config.string("url"), "http://localhost:99/a:b");
  assertEquals(config.string("literal"), "${host}");
  assertEquals(config.get("list"), ["one"]);
  assertEquals(config.string("zip"), "00123");
});

Deno.test("loadConfig names file, line, key and variable of a placeholder that cannot be filled", async () => {
  const error = await fails({ "config/application.yml": "a: 1\nb:\n  c: ${NOPE}\n" });
  assertEquals([error.file, error.line, error.key], ["config/application.yml", 3, "b.c"]);
  assertMatch(error.message, /^config\/application\.yml:3: 'b\.c': .*\$\{NOPE\}/);
});

Deno.test("loadConfig refuses placeholders that need each other", async () => {
  const error = await fails({ "config/application.yml": "a: ${b}\nb: ${a}\n" });
  assertStringIncludes(error.message, "need each other: a → b → a");
});

Deno.test("loadConfig fills a connection only when it is read", async () => {
  const config = await load({
    "config/application.yml": "search:\n  - name: logs\n    password: ${NOT_SET}\n",
  });
  const [logs] = config.sections("search");
  assertEquals(logs!.string("name"), "logs");
  const error = assertThrows(() => logs!.string("password"), ConfigError);
  assertMatch(error.message, /application\.yml:3: 'search\[0\]\.password'/);
});

Deno.test("loadConfig lets the environment override known scalar keys by relaxed names", async () => {
  const config = await load({
    "config/application.yml": [
      "search:",
      "  - name: logs",
      "    password: x",
      "    ssl_verification: true",
      "component-scan: [./a]",
      "my-app: { max-size: 3 }",
    ].join("\n"),
  }, {
    env: {
      SERVER_PORT: "9000",
      SEARCH_0_PASSWORD: "secret",
      SEARCH_0_SSL_VERIFICATION: "false",
      MYAPP_MAXSIZE: "4",
      COMPONENTSCAN: "./b",
      UNKNOWN_KEY: "1",
    },
  });
  assertEquals(config.get("server.port"), 9000);
  assertEquals(config.get("search[0].password"), "secret");
  assertEquals(config.get("search[0].ssl_verification"), false);
  assertEquals(config.get("my-app.max-size"), 4);
  assertEquals(config.get("component-scan"), ["./a"]); // a list, so no scalar key
  assertEquals(config.get("unknown.key"), undefined);
});

Deno.test("loadConfig names the variable whose text does not convert", async () => {
  const error = await fails({ "config/application.yml": "a: 1\n" }, {
    env: { SERVER_PORT: "tcp://10.0.0.1:80" },
  });
  assertMatch(error.message, /environment variable SERVER_PORT: 'server\.port': Expected a number/);
});

Deno.test("loadConfig puts options over everything", async () => {
  const config = await load({ "config/application.yml": "server: { port: 1, address: a }\n" }, {
    env: { SERVER_PORT: "2" },
    overrides: { "server.port": 3 },
  });
  assertEquals(config.get("server"), { port: 3, address: "a" });
});

Deno.test("loadConfig takes search and datasource of module files and ignores the rest of them", async () => {
  const config = await load({
    "config/search-config.yml": "search:\n  - name: logs\nother: ${NOPE}\nserver: { port: 1 }\n",
    "config/helm.yaml": "{{- if .Values }}\n: broken",
  });
  assertEquals(config.sections("search").length, 1);
  assertEquals([config.get("other"), config.get("server")], [undefined, undefined]);
});

Deno.test("loadConfig refuses one key in two files and two connections of one name, naming both", async () => {
  const twice = await fails({
    "config/application.yml": "search: [{ name: a }]\n",
    "config/search.yml": "\nsearch: [{ name: b }]\n",
  });
  assertStringIncludes(twice.message, "application.yml:1 and ");
  assertStringIncludes(twice.message, "search.yml:2");
  const twins = await fails({
    "config/application.yml": "search:\n  - name: a\n    hosts: [x]\n  - name: a\n",
  });
  assertStringIncludes(twins.message, "'a'");
  assertMatch(twins.message, /application\.yml:2 and .*application\.yml:4/);
});

Deno.test("loadConfig accepts migrations.enabled nested and flattened", async () => {
  const config = await load({
    "config/application.yml":
      "search:\n  - name: a\n    migrations.enabled: true\n  - name: b\n    migrations: { enabled: true }\n",
  });
  const enabled = config.sections("search").map((section) => section.boolean("migrations.enabled"));
  assertEquals(enabled, [true, true]);
});

Deno.test("loadConfig refuses what is no configuration, naming file and place", async () => {
  const broken: [Record<string, string>, RegExp][] = [
    [{}, /no directory 'config'/],
    [{ "config/README.md": "" }, /no application\.yml/],
    [{ "config/application.yml": "a: 1\nb: ]\n" }, /config\/application\.yml:2:\d+: [^]*\^/],
    [{ "config/application.yml": "a: 1\na: 2\n" }, /config\/application\.yml:2/],
    [{ "config/application.yml": "- a\n" }, /application\.yml:1: Expected a map/],
    [{ "config/application.yml": "", "config/application.yaml": "" }, /Cannot choose between/],
  ];
  for (const [tree, message] of broken) assertMatch((await fails(tree)).message, message);
});

Deno.test("loadConfig takes <root>/config, or <root> where that is missing, or nothing at all", async () => {
  const nested = await load({ "config/application.yml": "a: 1" }, {
    directory: undefined,
    root: ".",
  });
  assertEquals(nested.get("a"), 1);
  const flat = await load({ "application.yml": "a: 2" }, { directory: undefined, root: "." });
  assertEquals(flat.get("a"), 2);
  const none = await load({ "x.txt": "" }, { directory: undefined, root: "." });
  assertEquals(none.keys(), []);
});

Deno.test("loadConfig's root is the parent of a directory named config, otherwise the directory", async () => {
  const parent = await load({ "app/config/application.yml": "a: 1" }, { directory: "app/config" });
  assertMatch(parent.root, /\/app$/);
  const same = await load({ "app/conf/application.yml": "a: 1" }, { directory: "app/conf" });
  assertMatch(same.root, /\/app\/conf$/);
});

Deno.test("loadConfig lays profiles over module files, too, and names the right file", async () => {
  const tree = {
    "config/search-config.yml": "search:\n  - name: a\n    timeout: 1\n",
    "config/application-prod.yml": "# prod\nsearch:\n  - name: a\n    timeout: x\n",
  };
  const config = await load(tree, { profiles: ["prod"] });
  assertEquals(config.get("search[0].timeout"), "x");
  const error = assertThrows(() => config.number("search[0].timeout"), ConfigError);
  assertEquals([error.file, error.line], ["config/application-prod.yml", 4]);
});

Deno.test("loadConfig fills placeholders in profiles.active, and takes lists", async () => {
  const tree = {
    "config/application.yml": "profiles.active: ${STAGE:one}\n",
    "config/application-one.yml": "a: 1\n",
    "config/application-two.yml": "a: 2\n",
  };
  assertEquals((await load(tree)).get("a"), 1);
  assertEquals((await load(tree, { env: { STAGE: "two" } })).get("a"), 2);
  const list = { ...tree, "config/application.yml": "profiles:\n  active: [two, one, none]\n" };
  assertEquals((await load(list)).get("a"), 1);
  assertEquals((await load(list, { profiles: [] })).get("a"), undefined);
});

Deno.test("loadConfig takes secrets of connections from the environment alone, and as they are", async () => {
  const yaml = "search:\n  - name: a\ndatasource:\n  name: b\n  password: 12345\n";
  const config = await loadYaml(yaml, {
    SEARCH_0_PASSWORD: "${x} $${y} ${",
    SEARCH_0_MIGRATIONS_ENABLED: "TRUE",
    SEARCH_0_TIMEOUT: "2.5",
    DATASOURCE_PASSWORD: "007",
    DATASOURCE_URL: "sqlite:a",
    SEARCH_1_PASSWORD: "of no connection",
  });
  assertEquals(config.string("search[0].password"), "${x} $${y} ${");
  assertEquals(config.get("search[0].migrations.enabled"), true);
  assertEquals(config.get("search[0].timeout"), 2.5);
  assertEquals(config.sections("search").length, 1);
  assertEquals(config.string("datasource.password"), "007");
  assertEquals(config.string("datasource.url"), "sqlite:a");
});

Deno.test("loadConfig takes each scalar key of the library from the environment", async () => {
  const keys = {
    server: SERVER_KEYS,
    search: searchKeys(NO_FEATURES),
    datasource: datasourceKeys(NO_FEATURES),
  };
  const exceptions = [
    // A variable of the application.
    "datasource.is_primary",
    // Lists and maps.
    ...["server.api-version.deprecated", "search.hosts"],
    ...["search.migrations.placeholders", "datasource.migrations.placeholders"],
  ];
  const yaml = "search: { name: a }\ndatasource: { name: b }\n";
  for (const [list, names] of Object.entries(keys)) {
    for (const key of names.map((name) => `${list}.${name}`)) {
      const variable = key.replaceAll("-", "").replaceAll(".", "_").toUpperCase();
      // A key of another kind refuses the text.
      const found = await Promise.allSettled(
        ["1", "true"].map(async (text) => (await loadYaml(yaml, { [variable]: text })).string(key)),
      );
      const isSet = found.some((one) =>
        one.status === "fulfilled" && /^(?:1|true)$/.test(`${one.value}`)
      );
      assertEquals(isSet, !exceptions.includes(key), key);
    }
  }
});

Deno.test("loadConfig keeps numbers as they were written where text is asked for", async () => {
  const config = await loadYaml([
    "password: 007",
    "versions: [1.10, 1.1, 0x1F, 1e3, 12345678901234567890]",
    "plain: ${password}",
    "port: 0080",
  ].join("\n"));
  assertEquals(config.string("password"), "007");
  const versions = ["1.10", "1.1", "0x1F", "1e3", "12345678901234567890"];
  assertEquals(config.strings("versions"), versions);
  assertEquals(config.string("plain"), "007");
  const yaml = "a: 007\nserver:\n  port: 0080\n";
  const overridden = await loadYaml(yaml, { A: "8", SERVER_PORT: "9" });
  assertEquals([overridden.string("a"), overridden.string("server.port")], ["8", "9"]);
});

Deno.test("loadConfig merges what '<<' names below the keys beside it", async () => {
  const config = await loadYaml([
    "base: &base { a: 1, b.c: 1 }",
    "other: &other { a: 2, d: 2 }",
    "one: { b: { c: 3 }, <<: *base }",
    "two: { <<: [*base, *other] }",
  ].join("\n"));
  assertEquals(config.get("one"), { a: 1, b: { c: 3 } });
  assertEquals(config.get("two"), { a: 1, b: { c: 1 }, d: 2 });
});

Deno.test("loadConfig refuses a key that is nested and dotted, naming both lines", async () => {
  const error = await fails({
    "config/application.yml":
      "search:\n  - name: a\n    migrations.enabled: true\n    migrations:\n      enabled: false\n",
  });
  assertEquals(error.key, "search[0].migrations.enabled");
  assertStringIncludes(error.message, "application.yml:3 and config/application.yml:5");
});

Deno.test("loadConfig refuses an alias inside of its own anchor", async () => {
  const error = await fails({ "config/application.yml": "a: &a\n  b: *a\n" });
  assertEquals(
    error.message,
    "config/application.yml: Expected at most 100 levels of nesting, found more",
  );
});

Deno.test("loadConfig reads nothing but module keys in module files", async () => {
  const config = await load({
    "config/a.yml": "datasource.url: sqlite:x\nother: ${NOPE}\n",
    "config/b.yml": '{"search": [{"name": "a"}], "other": "${NOPE}"}',
    "config/searching.yml": "searching: [broken\n",
    "config/nested.yml": "x:\n  search: 1\n",
  });
  assertEquals(config.keys(), ["datasource", "search"]);
  assertEquals(config.string("datasource.url"), "sqlite:x");
});

Deno.test("loadConfig compares names of connections when they are filled", async () => {
  const yaml = "datasource:\n  - name: ${NAME:a}\n    password: ${NOPE}\n  - { name: a }\n";
  const error = await fails({ "config/application.yml": yaml });
  assertStringIncludes(error.message, "'a' twice: config/application.yml:2 and ");
  assertEquals((await loadYaml(yaml, { NAME: "b" })).sections("datasource").length, 2);
});

Deno.test("loadConfig shows paths as people know them", async () => {
  const tree = { "app/config/application.yml": "a: ]\n" };
  const cases: [cwd: string, directory: string, shown: RegExp][] = [
    ["", "app/config", /^app\/config\/application\.yml:1/],
    ["app/config", ".", /^application\.yml:1/],
    ["app/other", "../config", /^\.\.\/config\/application\.yml:1/],
  ];
  for (const [cwd, directory, shown] of cases) {
    assertMatch((await fails(tree, { cwd, directory })).message, shown);
  }
});

Deno.test("loadConfig says what it cannot read", async () => {
  const yaml = { "config/application.yml": "a: 1\n" };
  const dangling = await fails(yaml, {
    prepare: (folder) => Deno.symlink(`${folder}/none`, `${folder}/config/search.yml`),
  });
  assertMatch(dangling.message, /^config\/search\.yml: Cannot read the file: /);
  const folder = await load(yaml, {
    prepare: (folder) => Deno.mkdir(`${folder}/config/folder.yml`),
  });
  assertEquals(folder.get("a"), 1);
  const none = await fails({}, { directory: undefined, root: "none" });
  assertMatch(none.message, /there is no directory 'none'/);
});

const BROKEN_SECRETS: readonly string[] = [
  'a:\n  password: "hunter2\n',
  "password: *hunter2\n",
  "password: !hunter2 x\n",
  "search:\n  - { name: a, password: hunter2 ]\n",
  "client_key: |\n  BEGIN\n hunter2\n",
  "tokens:\n  - hunter2\n  - *hunter2\n",
  "url: [postgres://u:hunter2@host/db\nb: 1\n",
  "url: *a postgres://u:hunter2@host/db\n",
  "password: hunter2\npassword: hunter2\n",
  "a: 1\n  api_key: hunter2: x\n",
];

Deno.test("loadConfig never shows a secret of broken YAML", async () => {
  for (const yaml of BROKEN_SECRETS) {
    const error = await fails({ "config/application.yml": yaml });
    assertMatch(error.message, /^config\/application\.yml:\d+:\d+: /, yaml);
    assertEquals(error.cause, undefined);
    assert(!error.message.includes("hunter2"), error.message);
  }
});

Deno.test("loadConfig never shows a secret that it cannot use", async () => {
  const cases: [yaml: string, env: Record<string, string>, read: string][] = [
    ["password: [hunter2]\n", {}, "password"],
    ["secrets: { a: { b: hunter2 } }\n", {}, "secrets.a"],
    ["url: { a: 1 }\nport: http://u:hunter2@h\n", {}, "port"],
    ["server: { port: 1 }\n", { SERVER_PORT: "http://u:hunter2@h/" }, "server.port"],
  ];
  for (const [yaml, env, key] of cases) {
    let message = "";
    try {
      (await loadYaml(yaml, env)).number(key);
    } catch (error) {
      message = (error as Error).message;
    }
    assertStringIncludes(message, `'${key}': Expected a number`);
    assert(!message.includes("hunter2"), message);
  }
});

Deno.test("loadConfig refuses a map over a list of connections, naming its file and line", async () => {
  const base = "datasource:\n  - name: main\n    url: d1:DB\n";
  const error = await assertRejects(
    () =>
      load({
        "config/application.yml": base,
        "config/application-remote.yml": "# Cloudflare\ndatasource:\n  url: d1:DB?remote\n",
      }, { profiles: ["remote"] }),
    ConfigError,
  );
  assertMatch(
    error.message,
    /application-remote\.yml:2: 'datasource': Expected a list, .*found a map: write a map there/,
  );
  const whole = await load({
    "config/application.yml": "datasource: { name: main, url: a }\n",
    "config/application-two.yml": "datasource: [{ name: a, url: a }, { name: b, url: b }]\n",
  }, { profiles: ["two"] });
  assertEquals(whole.sections("datasource").map((one) => one.string("name")), ["a", "b"]);
});

Deno.test("loadConfig says which profile has no file", async () => {
  const { warn } = console;
  const lines: string[] = [];
  console.warn = (line: string) => lines.push(line);
  try {
    await load({ "config/application.yml": "a: 1\n", "config/application-one.yml": "a: 2\n" }, {
      profiles: ["one", "tow"],
    });
  } finally {
    console.warn = warn;
  }
  assertEquals(lines, ["The profile 'tow' changes nothing: there is no application-tow.yml"]);
});

Deno.test("loadConfig() + rejects a root inside an executable without configuration files", async () => {
  const folder = await Deno.makeTempDir();
  const root = `${folder}/deno-compile-users`;
  await Deno.mkdir(`${root}/src`, { recursive: true });
  for (const inside of [root, `${root}/src`]) {
    await assertRejects(
      () => loadConfig({ root: inside }),
      ConfigError,
      "has no application.yml and no other YAML file. An executable contains no folders",
    );
  }
  assertEquals((await loadConfig({ root: folder })).keys(), []);
  await Deno.writeTextFile(`${root}/application.yml`, "a: 1\n");
  assertEquals((await loadConfig({ root })).get("a"), 1);
  await Deno.remove(folder, { recursive: true });
});
