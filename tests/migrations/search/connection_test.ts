import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ConfigError,
  type ConfigMap,
  type ConfigValue,
  createConfig,
} from "../../../src/config/mod.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { load } from "../../config/support.ts";

const WRONG: readonly (readonly [key: string, value: string, message: string])[] = [
  ["on_change", "ignore", "Expected 'fail' or 'reapply', found 'ignore'"],
  ["on_chnge", "fail", "There is no setting 'on_chnge': expected one of 'enabled'"],
];

for (const [key, value, message] of WRONG) {
  Deno.test(`readSearchConnections refuses ${key}: ${value}`, () => {
    const migrations = { [key]: value };
    const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
    const error = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(error.message, message);
    assertEquals(error.key, `search.migrations.${key}`);
  });
}

Deno.test("readSearchConnections refuses a misspelt setting of a connection", () => {
  const misspelt = { host: "hosts", pasword: "password", migration: "migrations" };
  for (const [key, meant] of Object.entries(misspelt)) {
    const others: ConfigMap = meant === "hosts" ? {} : { hosts: ["http://h"] };
    const config = createConfig({ search: [{ name: "logs", ...others, [key]: "x" }] });
    const { message } = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(message, `'search[0].${key}': Unknown setting: did you mean '${meant}'?`);
  }
});

Deno.test("readSearchConnections leaves settings of the application alone", () => {
  const own = { host: "x", timeouts: 1, timeout: 2, idle_timeout: 5, s: "y" };
  const config = createConfig({ search: [{ name: "logs", hosts: ["http://h"], ...own }] });
  assertEquals(readSearchConnections(config).length, 1);
  for (const research of ["x", { folder: "y" }, [{ name: "topic", title: "z" }]]) {
    assertEquals(readSearchConnections(createConfig({ research, s: "x" })), []);
  }
});

Deno.test("readSearchConnections names file, line and key of a wrong setting", async () => {
  const config = await load({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: [http://h]\n    migrations:\n      on_change: ignore\n",
  });
  const { message } = assertThrows(() => readSearchConnections(config), ConfigError);
  assertStringIncludes(message, "application.yml:5: 'search[0].migrations.on_change': Expected");
});

Deno.test("readSearchConnections keeps types of placeholders, and numbers as written", async () => {
  const yaml = `
search:
  name: logs
  hosts: [http://h]
  migrations:
    placeholders:
      replicas: 2
      factor: 1.0
      big: 12345678901234567890
      octal: 007
      env: "\${ENV}"
      on: true
      nothing:
      list: [1, a]
      index:
        shards: 3
      "index.codec": zstd
`;
  const config = await load({ "config/application.yml": yaml }, { env: { ENV: "7" } });
  const placeholders = readSearchConnections(config)[0]?.placeholders ?? {};
  const found = Object.entries(placeholders).map(([name, { json, text }]) => [name, json, text]);
  assertEquals(found, [
    ["replicas", "2", "2"],
    ["factor", "1.0", "1.0"],
    ["big", "12345678901234567890", "12345678901234567890"],
    ["octal", "7", "007"],
    ["env", '"7"', "7"],
    ["on", "true", "true"],
    ["nothing", "null", ""],
    ["list", '[1,"a"]', undefined],
    ["index", '{"shards":3,"codec":"zstd"}', undefined],
    ["index.shards", "3", "3"],
    ["index.codec", '"zstd"', "zstd"],
  ]);
});

Deno.test("readSearchConnections refuses invalid placeholders", () => {
  const table: readonly (readonly [ConfigValue, key: string, message: string])[] = [
    [["a"], "", "Expected a map"],
    [{ "a b": 1 }, ".a b", "Expected a name without blanks, quotes and braces"],
    [{ "a}": 1 }, ".a}", "Expected a name without blanks, quotes and braces"],
    [{ a: Infinity }, ".a", "Expected a JSON value, found a number that is not finite"],
    [{ a: { list: [NaN] } }, ".a", "Expected a JSON value, found a number that is not finite"],
  ];
  for (const [placeholders, key, message] of table) {
    const config = createConfig({
      search: { name: "logs", hosts: ["http://h"], migrations: { placeholders } },
    });
    const error = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(error.message, message);
    assertEquals(error.key, `search.migrations.placeholders${key}`);
  }
});

Deno.test("readSearchConnections has no placeholders by default", () => {
  for (const placeholders of [undefined, null, {}]) {
    const migrations: ConfigMap = placeholders === undefined ? {} : { placeholders };
    const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
    assertEquals(readSearchConnections(config)[0]?.placeholders, undefined);
  }
});

Deno.test("readSearchConnections says how to encode a password in a URL, and does not repeat it", () => {
  const read = (url: string) =>
    readSearchConnections(createConfig({ search: { name: "logs", hosts: [url] } }));
  for (const password of ["100%pass", "a?b", "a#b", "a/b", "1/b", "%"]) {
    const { message } = assertThrows(() => read(`http://admin:${password}@h:9200`), ConfigError);
    assertStringIncludes(message, "needs percent-encoded (% as %25");
    assertEquals(message.includes(`${password}@`), false);
  }
  const [connection] = read("http://admin:100%25p%3F%23%2F%40@h:9200/base");
  assertEquals(connection?.authorization, `Basic ${btoa("admin:100%p?#/@")}`);
  assertEquals(connection?.timeoutMs, 40_000);
});
