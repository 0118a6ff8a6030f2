import { assertEquals, assertMatch } from "@std/assert";
import { bootstrap } from "../../mod.ts";
import { actuator } from "../../src/actuator/mod.ts";
import {
  datasourceHealth,
  migrateSql,
  searchHealth,
  searchMigrationStatus,
  sqlMigrationStatus,
} from "../../src/migrations/mod.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { workspace } from "../e2e/command_line.ts";

const SHOW = `
management:
  endpoints: { include: "*" }
  endpoint: { health: { show-details: always } }
`;

Deno.test("health and migrations of connections show in the actuator", async () => {
  const double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": `${SHOW}
datasource:
  - { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }
search:
  - { name: logs, hosts: ["${double.url}"], migrations: { enabled: true } }
`,
    "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/logs/a-template.json": '{"index_patterns":["a-*"],"priority":1}',
  });
  await using app = await bootstrap({
    root: space.path,
    startup: [migrateSql()],
    extensions: [
      actuator({
        health: [datasourceHealth(), searchHealth()],
        migrations: [sqlMigrationStatus(), searchMigrationStatus()],
      }),
    ],
  });
  const up = await app.request("/actuator/health");
  assertEquals([up.status, (await up.json()).components], [200, {
    ping: { status: "UP" },
    main: { status: "UP", details: { type: "sql" } },
    logs: { status: "UP", details: { type: "search" } },
  }]);

  const { contexts: { application: { migrations } } } =
    await (await app.request("/actuator/migrations")).json();
  const states = (files: { file: string; state: string }[]) =>
    files.map(({ file, state }) => [file, state]);
  assertEquals(states(migrations.main), [["1.sql", "applied"]]);
  assertEquals(states(migrations.logs), [["a-template.json", "pending"]]);

  await double.stop();
  const down = await app.request("/actuator/health");
  const { logs } = (await down.json()).components;
  assertEquals([down.status, logs.status], [503, "DOWN"]);
  assertMatch(logs.details.error, /connection (refused|reset)/);
});
