import { assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { bootstrap } from "../../../mod.ts";
import { actuator } from "../../../src/features/actuator/mod.ts";
import {
  datasourceHealth,
  driftHealth,
  migrateSql,
  searchHealth,
  searchMigrationStatus,
  sqlMigrationStatus,
} from "../../../src/migrations/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { workspace } from "../../e2e/command_line.ts";

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

Deno.test("driftHealth() + tells of changes by hand, without a request that waits for them", async () => {
  await using space = await workspace({
    "config/application.yml": `${SHOW}
datasource:
  - { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }
  - { name: off, url: "sqlite:./off.db" }
`,
    "migrations/main/1.sql": "CREATE TABLE t (n INTEGER);",
  });
  const application = (intervalMs?: number) =>
    bootstrap({
      root: space.path,
      startup: [migrateSql()],
      extensions: [
        actuator({ health: [driftHealth({ ...(intervalMs === 0 && { intervalMs }) })] }),
      ],
    });
  type App = Awaited<ReturnType<typeof application>>;
  const asked = async (app: App) => {
    const response = await app.request("/actuator/health");
    const { ping: _, ...components } = (await response.json()).components;
    assertEquals(Object.keys(components), ["mainDrift"]);
    const { status, details } = components.mainDrift;
    assertMatch(details.checked ?? "2026Z", /^20.*Z$/);
    return [response.status, status, details.differences ?? details.error];
  };
  const after = async (app: App, status: string, text = "") => {
    for (let tries = 0; tries < 400; tries++) {
      const found = await asked(app);
      if (found[1] === status && `${found[2]}`.includes(text)) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return await asked(app);
  };
  const changeByHand = (sql: string) => {
    const database = new DatabaseSync(`${space.path}/app.db`);
    database.exec(sql);
    database.close();
  };

  await using hourly = await application();
  assertEquals(await asked(hourly), [200, "UNKNOWN", "The first comparison goes on"]);
  assertEquals(await after(hourly, "UP"), [200, "UP", undefined]);
  changeByHand("CREATE INDEX by_hand ON t (n)");
  await using always = await application(0);
  const [status, found, differences] = await after(always, "DOWN");
  assertEquals([status, found, differences.at(-1)], [
    503,
    "DOWN",
    "+CREATE INDEX by_hand ON t (n);",
  ]);
  assertEquals(await asked(hourly), [200, "UP", undefined]);
  changeByHand("DROP INDEX by_hand");
  assertEquals(await after(always, "UP"), [200, "UP", undefined]);
  await Deno.writeTextFile(`${space.path}/migrations/main/1.sql`, "CREATE TABLE t (m INTEGER);");
  assertEquals(await after(always, "UNKNOWN", "1.sql"), [
    200,
    "UNKNOWN",
    "Cannot tell which schema 'main' should have: '1.sql' is changed: 'status' and 'validate' say more",
  ]);
});
