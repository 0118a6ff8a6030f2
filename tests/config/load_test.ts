import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import {
  type Config,
  ConfigError,
  loadConfig,
  type LoadConfigOptions,
} from "../../src/config/mod.ts";
import { loadRuntime, type Runtime } from "../../src/runtime/mod.ts";

const deno = await loadRuntime();

/** Writes the files, loads the configuration with these environment variables, and cleans up. */
async function load(
  tree: Record<string, string>,
  options: Partial<Omit<LoadConfigOptions, "runtime">> & { env?: Record<string, string> } = {},
): Promise<Config> {
  const { env = {}, ...rest } = options;
  const path = await Deno.makeTempDir();
  const variables = { get: (name: string) => env[name], names: () => Object.keys(env) };
  const runtime: Runtime = { ...deno, cwd: () => path, env: variables };
  try {
    for (const [name, text] of Object.entries(tree)) {
      await deno.files.writeTextFile(join(path, name), text);
    }
    return await loadConfig({ runtime, directory: "config", ...rest });
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

function fails(
  tree: Record<string, string>,
  options: Parameters<typeof load>[1] = {},
): Promise<ConfigError> {
  return assertRejects(() => load(tree, options), ConfigError);
}

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
  assertMatch(error.message, /need each other: a → b|need each other/);
});

Deno.test("loadConfig fills a connection only when it is read", async () => {
  const config = await load({
    "config/application.yml": "search:\n  - name: logs\n    password: ${NOT_SET}\n",
  });
  const [logs] = config.sections("search");
  assertEquals(logs!.string("name"), "logs");
  let error: unknown;
  try {
    logs!.string("password");
  } catch (thrown) {
    error = thrown;
  }
  assert(error instanceof ConfigError);
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
