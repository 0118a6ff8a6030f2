import { dirname, fromFileUrl } from "@std/path";
import type { EmptyTarget, Program } from "./compare.ts";
import { ours } from "./ours.ts";
import type { Peers } from "./peers.ts";
import { countRoundTrips } from "./round_trips.ts";

/** Runners of SQL: a table, or a row in the last one. */
export function sqlPrograms(peers: Peers): readonly Program[] {
  return [
    {
      name: "bare script",
      isBare: true,
      file: (number) => [`${stamp(number)}_file.sql`, sql(number)],
      command: (url, folder, phase) => [...BARE, phase, url, dirname(folder)],
    },
    ...ours("sql", peers.irori, (url) => ({ url }), (number) => [
      `${stamp(number)}_file.sql`,
      sql(number),
    ]),
    {
      name: "dbmate",
      file: (number) => [
        `${stamp(number)}_file.sql`,
        `-- migrate:up\n${sql(number)}-- migrate:down\n`,
      ],
      command: (url, folder) => [
        ...[peers.dbmate, "-u", `${url}?sslmode=disable`, "-d", folder],
        ...["--no-dump-schema", "migrate"],
      ],
    },
    {
      name: "Flyway",
      file: (number) => [`V${stamp(number)}__file.sql`, sql(number)],
      command: (url, folder) => {
        const { host, pathname, username, password } = new URL(url);
        const jdbc = `jdbc:postgresql://${host}${pathname}?sslmode=disable`;
        return ["java", "-cp", peers.classPath, "Fly", jdbc, username, password, folder];
      },
    },
    {
      name: "node-pg-migrate",
      file: (number) => [`${stamp(number)}_file.sql`, `-- Up Migration\n${sql(number)}`],
      command: (url, folder) => [
        ...["env", `DATABASE_URL=${url}`, "node", peers.nodePgMigrate],
        ...["up", "-m", folder],
      ],
    },
  ];
}

const BARE = [
  ...[Deno.execPath(), "run", "-A", "--no-check", "--quiet"],
  fromFileUrl(new URL("../sql/sql_bare.ts", import.meta.url)),
];

/** A fresh database. */
export async function openDatabase(server: string, isCounted: boolean): Promise<EmptyTarget> {
  const name = `irori_bench_${crypto.randomUUID().replaceAll("-", "")}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const counter = isCounted
    ? countRoundTrips({ hostname: url.hostname, port: Number(url.port) })
    : undefined;
  if (counter) url.port = String(counter.port);
  return {
    url: url.href,
    requests: () => counter?.count ?? 0,
    async [Symbol.asyncDispose]() {
      await counter?.[Symbol.asyncDispose]();
      await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const { default: pg } = await import("npm:pg@^8.23.0");
  const client = new pg.Client(server);
  await client.connect();
  await client.query(statement);
  await client.end();
}

function sql(number: number): string {
  return number % 10 === 0
    ? `CREATE TABLE t${number} (id INTEGER PRIMARY KEY, name VARCHAR(40));\n`
    : `INSERT INTO t${number - number % 10} (id, name) VALUES (${number}, 'name ${number}');\n`;
}

function stamp(number: number): string {
  return String(20_260_101_000_000 + number);
}
