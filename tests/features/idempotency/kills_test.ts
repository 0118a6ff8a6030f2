/** Requests with one key on three replicas, which are killed meanwhile. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { IDEMPOTENCY_SCHEMA } from "../../../src/features/idempotency/keys_table.ts";
import { depth } from "../../long/mod.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

const SCRIPT = fromFileUrl(new URL("./replica.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));

interface Replica {
  readonly process: Deno.ChildProcess;
  readonly url: string;
}

async function start(url: string): Promise<Replica> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", CONFIG, SCRIPT],
    env: { KILLS_URL: url },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const found = /at (http:\S+)\n/.exec(text)?.[1];
    if (found) {
      await reader.cancel();
      return { process, url: found };
    }
    assert(!done, `the replica has ended: ${text}`);
  }
}

async function end({ process }: Replica): Promise<void> {
  process.kill("SIGKILL");
  await process.status;
}

/** As the client of the library does: again after a lost connection and after 409. */
async function pay(replicas: readonly Replica[], index: number, round: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const { url } = replicas[(index + tries) % replicas.length]!;
    const response = await fetch(`${url}/payments`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": `"round-${round}"` },
      body: JSON.stringify({ round }),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 200 && text) return text;
    assert(
      response === undefined || [200, 409, 503].includes(response.status),
      `${response?.status} ${text}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no answer after 100 tries");
}

async function rounds(url: string, count: number, paymentsOf: (round: number) => Promise<number>) {
  const replicas = await Promise.all([1, 2, 3].map(() => start(url)));
  try {
    for (let round = 0; round < count; round++) {
      const sent = Array.from({ length: 20 }, (_, index) => pay(replicas, index, round));
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 120));
      const victim = round % 3;
      await end(replicas[victim]!);
      replicas[victim] = await start(url);
      const answers = await Promise.all(sent);
      assertEquals(new Set(answers).size, 1);
      assertEquals(await paymentsOf(round), 1);
    }
  } finally {
    await Promise.all(replicas.map(end));
  }
}

const COUNT = depth(3, 10, 100);

Deno.test({
  name: "@Idempotent + has one effect and one answer, though replicas are killed: PostgreSQL",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    const datasource = await postgresql.create();
    const query = (sql: string) => postgresql.query(datasource, sql);
    await query(IDEMPOTENCY_SCHEMA.postgresql);
    await query("CREATE TABLE payments (id TEXT, round INTEGER)");
    const url = Object.assign(new URL(Deno.env.get("TEST_PG_URL")!), {
      pathname: `/${datasource.database}`,
    });
    try {
      await rounds(
        url.href,
        COUNT,
        async (round) => (await query(`SELECT id FROM payments WHERE round = ${round}`)).length,
      );
    } finally {
      await postgresql.cleanUp();
    }
  },
});

Deno.test({
  name: "@Idempotent + has one effect and one answer, though replicas are killed: MariaDB",
  ignore: mariadb.mysqlMissing !== undefined,
  async fn() {
    const datasource = await mariadb.create();
    const admin = await mariadb.connect(datasource);
    for (const sql of IDEMPOTENCY_SCHEMA.mysql.split(/;\n/)) if (sql.trim()) await admin.query(sql);
    await admin.query("CREATE TABLE payments (id VARCHAR(40), round INTEGER)");
    const url = Object.assign(new URL(Deno.env.get("TEST_MYSQL_URL")!), {
      pathname: `/${datasource.database}`,
    });
    try {
      await rounds(url.href, COUNT, async (round) => {
        const [rows] = await admin.query(`SELECT id FROM payments WHERE round = ${round}`);
        return (rows as unknown[]).length;
      });
    } finally {
      await admin.end();
      await mariadb.cleanUp();
    }
  },
});
