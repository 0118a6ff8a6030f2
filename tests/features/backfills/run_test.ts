import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import {
  backfillHealth,
  backfillSql,
  type BackfillState,
  ConfigError,
  FeatureError,
  loadConfig,
  type RunEvent,
} from "../../../src/migrations/mod.ts";
import { connect } from "../../migrations/sql/postgresql_support.ts";
import { type Engine, ENGINES, filled, type Scene, serversTest, sleep } from "./support.ts";

Deno.test.afterAll(async () => {
  for (const engine of ENGINES) if (!engine.ignore) await engine.cleanUp();
});

const TABLE = "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, quantity INT, total INT);\n";
const TOTALS = `-- irori: batches of 100 by id
UPDATE orders SET total = quantity * 2 WHERE \${irori.batch} AND total IS NULL;
`;

async function succeed(scene: Scene, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await scene.run(...args);
  assertEquals(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

async function fail(scene: Scene, code: number, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, ...outcome } = await scene.run(...args);
  assertEquals(outcome.code, code, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout + stderr;
}

serversTest("backfill run + changes each row once, and 'migrate' never runs it", async (engine) => {
  await using scene = await engine.scene({
    "01_orders.sql": TABLE,
    "02_totals_backfill.sql": TOTALS,
  });
  assertStringIncludes(
    await fail(scene, 2, "backfill", "run"),
    "Cannot run '02_totals_backfill.sql': '01_orders.sql' is pending: run 'irori migrate' first",
  );
  await succeed(scene, "migrate");
  await scene.query(filled(engine, "orders", 1234));
  assertMatch(
    await succeed(scene, "backfill", "plan"),
    /pending {2}about [\d,]+ rows in [\d.]+ s\n$/,
  );
  assertEquals(await scene.query("SELECT id FROM orders WHERE total IS NOT NULL"), []);
  assertEquals(
    await succeed(scene, "backfill", "run"),
    "main: 02_totals_backfill.sql  done     1,234 rows changed\n",
  );
  const [sum] = await scene.query(
    "SELECT SUM(total - 2 * quantity) AS off, COUNT(total) AS n FROM orders",
  );
  assertEquals([Number(sum!.off), Number(sum!.n)], [0, 1234]);
  const { connections } = JSON.parse(await succeed(scene, "--json", "backfill", "status"));
  assertEquals(connections, [{
    connection: "main",
    backfills: [{
      file: "02_totals_backfill.sql",
      state: "done",
      round: 2,
      keys: 2468,
      rows: 1234,
    }],
  }]);
  await succeed(scene, "migrate");
  assertEquals((await succeed(scene, "status")).includes("02_totals"), false);
  await scene.write("migrations/main/02_totals_backfill.sql", TOTALS.replace("* 2", "* 3"));
  for (const action of ["run", "status"]) {
    const told = await succeed(scene, "backfill", action);
    assertStringIncludes(told, "1,234 rows changed, and the file was edited since it began\n");
  }
  await succeed(scene, "validate");
});

const KEYS: readonly (readonly [type: string, mysqlType: string, key: string])[] = [
  ["BIGINT", "BIGINT", "9007199254740992 + n"],
  ["NUMERIC(30, 3)", "DECIMAL(30, 3)", "n * -1.5"],
  ["UUID", "UUID", "UUID()"],
  ['TEXT COLLATE "C"', "VARCHAR(60) COLLATE utf8mb4_bin", "CONCAT('Zürich''\\\\', MD5(n))"],
  ["VARCHAR(60)", "VARCHAR(60) COLLATE utf8mb4_unicode_ci", "CONCAT('ä ', MD5(n), '%')"],
  ["BYTEA", "VARBINARY(20)", "UNHEX(MD5(n))"],
  ["TIMESTAMPTZ", "DATETIME(6)", "TIMESTAMP"],
  ["VARCHAR(60) COLLATE folded", "VARCHAR(60) COLLATE utf8mb4_general_ci", "CONCAT('aBäÅ', n)"],
  ["DOUBLE PRECISION", "DOUBLE", "n / 7.0"],
  ["REAL", "DOUBLE", "n / 9.0"],
];

const FOLDED = "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', " +
  "deterministic = false);\n";

serversTest("backfill run + goes through keys of many types, each once", async (engine) => {
  for (const [plain, ofMysql, key] of KEYS) {
    const type = engine.isMysql ? ofMysql : plain;
    await using scene = await engine.scene({
      "01_t.sql": `${
        /folded/.test(type) ? FOLDED : ""
      }CREATE TABLE t (k ${type} NOT NULL, n INT NOT NULL DEFAULT 0, UNIQUE (k));`,
      "02_n_backfill.sql":
        "-- irori: batches of 7 by k\nUPDATE t SET n = n + 1 WHERE ${irori.batch};",
    });
    await succeed(scene, "migrate");
    const [value, numbers] = engine.isMysql
      ? [
        key === "TIMESTAMP" ? "TIMESTAMPADD(MICROSECOND, n, '2026-01-01')" : key,
        "SELECT seq AS n FROM seq_1_to_100",
      ]
      : [
        key === "TIMESTAMP"
          ? "timestamptz '2026-01-01' + n * interval '1 microsecond'"
          : key.replace("UNHEX(MD5(n))", "decode(MD5(n::text), 'hex')")
            .replace("MD5(n)", "MD5(n::text)").replace("\\\\", "\\")
            .replace("UUID()", "gen_random_uuid()"),
        "SELECT n FROM generate_series(1, 100) n",
      ];
    await scene.query(`INSERT INTO t (k) SELECT ${value} FROM (${numbers}) numbers`);
    await succeed(scene, "backfill", "run");
    const rows = await scene.query("SELECT n, COUNT(*) AS c FROM t GROUP BY n");
    assertEquals(rows.map(({ n, c }) => [Number(n), Number(c)]), [[1, 100]], type);
  }
});

serversTest("backfill run + DELETE, and INSERT … SELECT by a qualified key", async (engine) => {
  await using scene = await engine.scene({
    "01_orders.sql": TABLE + "CREATE TABLE copies (id BIGINT PRIMARY KEY, quantity INT);\n",
    "02_copy_backfill.sql": "-- irori: batches of 10 by o.id, pause 1ms\n" +
      "INSERT INTO copies (id, quantity) SELECT o.id, o.quantity FROM orders AS o WHERE o.quantity > 5 AND ${irori.batch};",
    "03_delete_backfill.sql":
      "-- irori: batches of 10 by id\nDELETE FROM orders WHERE ${irori.batch} AND quantity <= 90;",
  });
  await succeed(scene, "migrate");
  await scene.query(filled(engine, "orders", 100));
  await succeed(scene, "backfill", "run");
  const [counts] = await scene.query(
    "SELECT (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM copies) AS copies",
  );
  assertEquals([Number(counts!.orders), Number(counts!.copies)], [10, 95]);
});

serversTest(
  "backfill run + a second run waits for the first one and finds nothing to do",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_n_backfill.sql":
        "-- irori: batches of 20 by id, pause 5ms\nUPDATE orders SET total = COALESCE(total, 0) + 1 WHERE ${irori.batch};",
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 1000));
    const [one, other, third] = await Promise.all([
      scene.run("backfill", "run"),
      scene.run("backfill", "run"),
      scene.run("backfill", "run", "--lock-timeout", "1ms"),
    ]);
    const codes = [one!.code, other!.code, third!.code].sort();
    assert(`${codes}` === "0,0,6" || `${codes}` === "0,0,0", `${codes}`);
    const rows = await scene.query("SELECT total, COUNT(*) AS n FROM orders GROUP BY total");
    assertEquals(rows.map(({ total, n }) => [Number(total), Number(n)]), [[1, 1000]]);
  },
);

serversTest(
  "backfill pause + stops a run behind its batch; resume lets it go on",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("by id", "by id, pause 50ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 2000));
    assertStringIncludes(
      await fail(scene, 2, "backfill", "pause", "02_totals_backfill.sql"),
      "Cannot pause '02_totals_backfill.sql': it has not begun",
    );
    const running = scene.run("backfill", "run");
    while (
      (await scene.query("SELECT progress FROM irori_backfills").catch(() => [])).length === 0
    ) {
      await sleep(10);
    }
    await succeed(scene, "backfill", "pause", "02_totals_backfill.sql");
    const { code, stdout } = await running;
    assertEquals(code, 4, stdout);
    assertStringIncludes(stdout, "02_totals_backfill.sql  paused   ");
    assertStringIncludes(await fail(scene, 4, "backfill", "run"), "paused");
    assertStringIncludes(
      await succeed(scene, "backfill", "resume", "02_totals_backfill.sql"),
      "begun",
    );
    await succeed(scene, "backfill", "run");
  },
);

serversTest("backfill run + stops where its change leaves the condition true", async (engine) => {
  await using scene = await engine.scene({
    "01_orders.sql": TABLE,
    "02_totals_backfill.sql": TOTALS.replace("quantity * 2", "quantity + NULL"),
  });
  await succeed(scene, "migrate");
  await scene.query(filled(engine, "orders", 250));
  const told = await fail(scene, 8, "backfill", "run");
  assertMatch(told, /rows still match after they were changed: .* The key of the first is 3\n/);
  const [recorded] = await scene.query("SELECT progress FROM irori_backfills");
  assertEquals(JSON.parse(`${recorded!.progress}`).rows, 500);
  await scene.write("migrations/main/02_totals_backfill.sql", TOTALS);
  assertStringIncludes(
    await fail(scene, 2, "backfill", "run"),
    "it was changed since it began: undo that; under a new name it begins again",
  );
  await scene.remove("migrations/main/02_totals_backfill.sql");
  await scene.write("migrations/main/03_totals_backfill.sql", TOTALS);
  await succeed(scene, "backfill", "run");
});

serversTest(
  "after + holds a migration back until the backfill is done, or has no rows",
  async (engine) => {
    const after = "-- irori: after 02_totals_backfill.sql\nCREATE TABLE later (id INT);\n";
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS,
      "03_later.sql": after,
      "04_last.sql": "CREATE TABLE last_one (id INT);\n",
    });
    await using empty = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS,
      "03_later.sql": after,
    });
    await succeed(empty, "migrate");
    await scene.write(
      "migrations/main/03_later.sql",
      "-- irori: after 02_total_backfill.sql\nSELECT 1;\n",
    );
    assertMatch(
      await fail(scene, 3, "validate"),
      /main\/03_later.sql:1:1: There is no backfill '02_total_backfill.sql'/,
    );
    await scene.write(
      "migrations/main/01_0.sql",
      "-- irori: after 02_totals_backfill.sql\nSELECT 1;\n",
    );
    await scene.remove("migrations/main/03_later.sql");
    assertMatch(
      await fail(scene, 3, "validate"),
      /main\/01_0.sql:1:1: The backfill '02_totals_backfill.sql' waits for this file, as its name sorts behind it/,
    );
    await scene.write(
      "migrations/main/01_0.sql",
      "/*\n-- irori: after 1.sql\n*/\n-- irori: after 3.sql\n SELECT '\n-- irori: after 2.sql\n';\n",
    );
    const told = await fail(scene, 3, "validate");
    assertStringIncludes(told, "main/01_0.sql:4:1: There is no backfill '3.sql'");
    assertEquals(told.match(/There is no backfill/g)?.length, 1);
    await scene.write("migrations/main/01_0.sql", "SELECT 1;\n-- irori: after 3.sql\n");
    assertStringIncludes(
      await fail(scene, 3, "validate"),
      "main/01_0.sql:2:1: A directive must come before the first statement of the file",
    );
    await scene.remove("migrations/main/01_0.sql");
    await scene.write(
      "migrations/main/03_later.sql",
      `-- irori: after 02_totals_backfill.sql\nSELECT 1;\n`,
    );
    await scene.remove("migrations/main/03_later.sql");
    await scene.remove("migrations/main/04_last.sql");
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 10));
    await scene.write("migrations/main/03_later.sql", after);
    assertStringIncludes(
      await fail(scene, 2, "migrate"),
      "'03_later.sql' comes after the backfill '02_totals_backfill.sql', which is not done: run 'irori backfill run 02_totals_backfill.sql' first",
    );
    await succeed(scene, "backfill", "run");
    await succeed(scene, "migrate");
    await scene.write(
      "migrations/main/05_totals_backfill.sql",
      TOTALS.replace("total IS NULL", "total IS NULL AND id > 0"),
    );
    await scene.write(
      "migrations/main/06_last.sql",
      "-- irori: after 02_totals_backfill.sql\n-- irori: after 05_totals_backfill.sql\nDROP TABLE orders;\n",
    );
    assertStringIncludes(
      await fail(scene, 2, "migrate"),
      "the backfill '05_totals_backfill.sql', which is not done",
    );
    await scene.write(
      "migrations/main/05_totals_backfill.sql",
      TOTALS.replace("orders", "missing"),
    );
    assertStringIncludes(
      await fail(scene, 2, "migrate"),
      "the backfill '05_totals_backfill.sql', whose table 'missing' cannot be read: ",
    );
    await scene.write("migrations/main/07_backfill.sql", TOTALS);
    for (
      const [name, message] of [
        ["07_backfill.sql", "whose name sorts behind it: rename either"],
        ["04_backfill.sql", "which is not in the folder of the connection"],
      ] as const
    ) {
      await scene.write("migrations/main/06_last.sql", `-- irori: after ${name}\nSELECT 1;\n`);
      assertStringIncludes(
        await fail(scene, 2, "migrate"),
        `'06_last.sql' comes after the backfill '${name}', ${message}`,
      );
    }
  },
);

serversTest(
  "backfill run + takes an edit before its first batch, and of its numbers at any time",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("total =", "wrong =").replace(
        "total IS",
        "id IS NOT",
      ),
    });
    const path = "migrations/main/02_totals_backfill.sql";
    await succeed(scene, "migrate");
    assertStringIncludes(await succeed(scene, "backfill", "plan"), "about 0 rows");
    await scene.query(filled(engine, "orders", 250));
    await fail(scene, 8, "backfill", "run");
    await scene.query("INSERT INTO orders (id, quantity) VALUES (100000, 7)");
    await scene.write(
      path,
      TOTALS.replace("total IS NULL", "quantity > 0").replace("by id", "by id, pause 30s"),
    );
    const running = scene.start("backfill", "run");
    const rows = async () =>
      Number((await scene.query("SELECT COUNT(total) AS n FROM orders"))[0]!.n);
    while (await rows() === 0) await sleep(20);
    running.kill("SIGKILL");
    await running.status;
    const edited = TOTALS.replace("total IS NULL", "quantity > 0").replace("100 by", "50 by");
    await scene.write(path, edited.replaceAll("\n", "\r\n"));
    assertStringIncludes(await succeed(scene, "backfill", "run"), "251 rows changed");
    assertEquals(await rows(), 251);
  },
);

serversTest(
  "backfill run + refuses a key that may be NULL, is not unique, or is one of several columns",
  async (engine) => {
    await using scene = await engine.scene({
      "01_t.sql":
        "CREATE TABLE t (a INT UNIQUE, b INT NOT NULL, c INT NOT NULL, d INT, UNIQUE (c, b));",
    });
    await succeed(scene, "migrate");
    await scene.write(
      "migrations/main/02_d_backfill.sql",
      "-- irori: batches of 10 by a\nUPDATE missing SET d = 1 WHERE ${irori.batch};",
    );
    assertStringIncludes(
      await fail(scene, 2, "backfill", "run"),
      "a unique key of 'missing' by itself: it is not, or there is no such table",
    );
    for (const column of ["a", "b", "c", "missing"]) {
      await scene.write(
        "migrations/main/02_d_backfill.sql",
        `-- irori: batches of 10 by ${column}\nUPDATE t SET d = 1 WHERE \${irori.batch};`,
      );
      assertStringIncludes(
        await fail(scene, 2, "backfill", "run"),
        `'${column}' must be NOT NULL and a unique key of 't' by itself: it is not`,
      );
    }
  },
);

Deno.test({
  name: "backfill run + takes a column for its key whose name is a function (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    for (const [column, name] of [['"user"', "user"], ['"order"', "order"], ["id", "id"]]) {
      await using scene = await ENGINES[0]!.scene({
        "01_t.sql":
          `CREATE TABLE t (${column} TEXT PRIMARY KEY, n INT, batch XID);\nCREATE TABLE u (id INT);\n` +
          "INSERT INTO t SELECT n::text FROM generate_series(1, 100) n;\nINSERT INTO u VALUES (1);",
        "02_n_backfill.sql": `-- irori: batches of 10 by ${name}\n` +
          "UPDATE t SET n = COALESCE(n, 0) + 1, batch = pg_current_xact_id()::xid FROM u WHERE ${irori.batch};",
      });
      await succeed(scene, "migrate");
      assertStringIncludes(await succeed(scene, "backfill", "run"), "100 rows changed");
      const rows = await scene.query("SELECT COUNT(*) AS n FROM t WHERE n = 1 GROUP BY batch");
      assertEquals(rows.every(({ n }) => Number(n) <= 10), true);
    }
  },
});

for (const table of ["t", "copy"]) {
  Deno.test({
    name: `backfill run + refuses a table without transactions: ${table} (MariaDB)`,
    ignore: ENGINES[1]!.ignore,
    async fn() {
      await using scene = await ENGINES[1]!.scene({
        "01_t.sql": "CREATE TABLE t (id INT PRIMARY KEY);\nCREATE TABLE copy (id INT);\n" +
          `ALTER TABLE ${table} ENGINE = MyISAM;`,
        "02_copy_backfill.sql":
          "-- irori: batches of 10 by id\nINSERT INTO copy SELECT id FROM t WHERE ${irori.batch};",
      });
      await succeed(scene, "migrate");
      await scene.query("INSERT INTO t VALUES (1)");
      for (const action of ["plan", "run"]) {
        assertStringIncludes(await fail(scene, 2, "backfill", action), "tables with transactions");
      }
      assertEquals(await scene.query("SELECT * FROM copy"), []);
    },
  });
}

serversTest(
  "backfill run + waits for locks of other sessions, with smaller batches",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("100", "1000"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 100));
    await using other = await engine.client(scene.datasource);
    await other.query("BEGIN");
    await other.query("SELECT * FROM orders WHERE id = 90 FOR UPDATE");
    const running = scene.run("backfill", "run");
    while (!/[1-9] rows/.test(await succeed(scene, "backfill", "status"))) await sleep(50);
    const [changed] = await scene.query("SELECT COUNT(total) AS n FROM orders");
    assertEquals(Number(changed!.n) < 30, true);
    await other.query("COMMIT");
    const { code, stdout, stderr } = await running;
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "done     100 rows changed");
    assertStringIncludes(stderr, "waiting for locks of other sessions");
  },
);

serversTest(
  "backfill run + refuses an edit that it finds behind another run",
  async (engine) => {
    const path = "migrations/main/02_totals_backfill.sql";
    const text = TOTALS.replace("by id", "by id, pause 30s");
    await using scene = await engine.scene({ "01_orders.sql": TABLE });
    await succeed(scene, "migrate");
    await scene.write(path, text);
    await scene.query(filled(engine, "orders", 250));
    await using other = await engine.client(scene.datasource);
    await other.query("BEGIN");
    await other.query("SELECT * FROM orders FOR UPDATE");
    const first = scene.start("backfill", "run");
    while (!(await succeed(scene, "backfill", "status")).includes("begun")) await sleep(50);
    await scene.write(path, text.replace("* 2", "* 3"));
    const second = scene.run("backfill", "run");
    await sleep(2000);
    await other.query("COMMIT");
    while (!/[1-9]\d* rows/.test(await succeed(scene, "backfill", "status"))) await sleep(50);
    first.kill("SIGKILL");
    await first.status;
    const { code, stderr } = await second;
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, "it was changed since it began");
    await scene.write(path, TOTALS);
    await succeed(scene, "backfill", "run");
  },
);

serversTest(
  "backfill run + takes back a batch that a constraint refuses, and names its rows",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE.replace("total INT", "total INT CHECK (total <> 150)"),
      "02_totals_backfill.sql": TOTALS.replace("* 2", "").replace("100", "40"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 200));
    const told = await fail(scene, 8, "backfill", "run");
    assertStringIncludes(told, "The database refused a batch: ");
    assertMatch(
      told,
      /Its rows: SELECT \* FROM orders WHERE id > '?375'? ORDER BY id LIMIT 40/,
    );
    const [changed] = await scene.query("SELECT COUNT(total) AS n FROM orders");
    assertEquals(Number(changed!.n), 125);
    await scene.query("UPDATE orders SET quantity = 1 WHERE quantity = 150");
    await succeed(scene, "backfill", "run");
  },
);

serversTest(
  "backfill run + keeps question marks, comments and quotes of its statement",
  async (engine) => {
    const quote = engine.isMysql ? "`" : '"';
    const quoted = (name: string) => quote + name.replaceAll(quote, quote + quote) + quote;
    const [table, key] = [quoted(`a.b ${quote}c?`), quoted(`the ${quote}Key${quote}`)];
    await using scene = await engine.scene({
      "01_t.sql": `CREATE TABLE ${table} (${key} INT NOT NULL PRIMARY KEY, note VARCHAR(20));\n`,
      "02_note_backfill.sql": `-- irori: batches of 10 by ${key}\n` +
        `UPDATE ${table} SET note = 'why? -- ''so' /* ? */ WHERE \${irori.batch} AND note IS NULL -- last`,
    });
    await succeed(scene, "migrate");
    await scene.query(
      filled(engine, table, 35).replace("(id, quantity)", `(${key})`).replace("* 3, n", "* 3"),
    );
    await succeed(scene, "backfill", "run");
    const rows = await scene.query(`SELECT note, COUNT(*) AS n FROM ${table} GROUP BY note`);
    assertEquals(rows.map(({ note, n }) => [note, Number(n)]), [["why? -- 'so", 35]]);
  },
);

serversTest("backfill run + waits while more sessions run than 'load' lets", async (engine) => {
  await using scene = await engine.scene({
    "01_orders.sql": TABLE,
    "02_totals_backfill.sql": TOTALS.replace("by id", "by id, load 2"),
  });
  await succeed(scene, "migrate");
  await scene.query(filled(engine, "orders", 250));
  let asleep = 3;
  const sql = engine.isMysql ? "SELECT SLEEP(6)" : "SELECT pg_sleep(6)";
  const sleeping = Array.from({ length: asleep }, async () => {
    await using client = await engine.client(scene.datasource);
    await client.query(sql).finally(() => asleep--);
  });
  // Each of them has to be at work when the run looks.
  while (await sessions(engine, scene) < 3) await sleep(20);
  const running = scene.run("backfill", "run");
  while ((await scene.query("SELECT path FROM irori_backfills").catch(() => [])).length === 0) {
    await sleep(10);
  }
  await succeed(scene, "backfill", "pause", "02_totals_backfill.sql");
  assertEquals([(await running).code, asleep], [4, 3]);
  await succeed(scene, "backfill", "resume", "02_totals_backfill.sql");
  const told = await scene.run("backfill", "run");
  assertEquals([told.code, asleep < 3], [0, true], told.stdout + told.stderr);
  await Promise.all(sleeping);
});

async function sessions(engine: Engine, { query }: Scene): Promise<number> {
  const [row] = await query(
    engine.isMysql
      ? "SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE '%SLEEP(6)'"
      : "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(6)' AND state = 'active'",
  );
  return Number(row!.n);
}

serversTest(
  "backfill run + works beside triggers and generated columns, and in partitions",
  async (engine) => {
    const trigger = engine.isMysql
      ? "CREATE TRIGGER note BEFORE UPDATE ON orders FOR EACH ROW SET NEW.noted = NEW.noted + 1;"
      : "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS " +
        "'BEGIN NEW.noted = NEW.noted + 1; RETURN NEW; END';\n" +
        "CREATE TRIGGER note BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION note();";
    const half = engine.isMysql ? "PARTITION one VALUES LESS THAN (150)," : "";
    const parts = "(" + half + " PARTITION others VALUES LESS THAN MAXVALUE)";
    await using scene = await engine.scene({
      "01_orders.sql": TABLE.replace(
        "total INT);",
        "total INT, noted INT NOT NULL DEFAULT 0, double_id BIGINT GENERATED ALWAYS AS (id * 2) STORED) " +
          `PARTITION BY RANGE (id)${engine.isMysql ? parts : ""};`,
      ) + (engine.isMysql
        ? ""
        : "CREATE TABLE one PARTITION OF orders FOR VALUES FROM (0) TO (150);\n" +
          "CREATE TABLE others PARTITION OF orders DEFAULT;\n") +
        trigger,
      "02_totals_backfill.sql": TOTALS.replace("100", "7"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 100));
    if (!engine.isMysql) await scene.query("ANALYZE orders");
    assertMatch(await succeed(scene, "backfill", "plan"), /about (?:9\d|1\d\d) rows/);
    await succeed(scene, "backfill", "run");
    const rows = await scene.query("SELECT noted, COUNT(total) AS n FROM orders GROUP BY noted");
    assertEquals(rows.map(({ noted, n }) => [Number(noted), Number(n)]), [[1, 100]]);
  },
);

serversTest(
  "backfill run + begins another round for a row that is committed behind its place",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("100 by id", "20 by id, pause 20ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 400));
    await using late = await engine.client(scene.datasource);
    await late.query("BEGIN");
    await late.query("INSERT INTO orders (id, quantity) VALUES (1, 5)");
    const running = scene.run("backfill", "run");
    let keys = 0;
    while (keys < 100) {
      const [row] = await scene.query("SELECT progress FROM irori_backfills").catch(() => []);
      keys = row ? JSON.parse(`${row.progress}`).keys : 0;
      await sleep(10);
    }
    await late.query("COMMIT");
    const { code, stdout, stderr } = await running;
    assertEquals(code, 0, stdout + stderr);
    assertStringIncludes(stdout, "401 rows changed");
  },
);

serversTest(
  "backfill run + goes on while new rows match, and finds those that still do among them",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_delete_backfill.sql": "-- irori: batches of 50 by id, pause 5ms\n" +
        "DELETE FROM orders WHERE ${irori.batch} AND total IS NULL;",
      "03_totals_backfill.sql": TOTALS.replace("100 by id", "50 by id, pause 5ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 400));
    await scene.query("UPDATE orders SET total = 0 WHERE id > 60");
    await using client = await engine.client(scene.datasource);
    const beside = async (count: number, ...args: string[]) => {
      const running = scene.run("backfill", "run", ...args);
      let isOver = false;
      running.finally(() => isOver = true);
      for (let n = 0; n < count && !isOver; n++) {
        const id = (n * 7919 % 1000) * 3 + 1;
        await client.query(
          `INSERT INTO orders (id, quantity) SELECT ${id}, 1 FROM orders ` +
            `WHERE NOT EXISTS (SELECT 1 FROM orders WHERE id = ${id}) LIMIT 1`,
        );
        await sleep(20);
      }
      const { code, stdout, stderr } = await running;
      return [code, stdout + stderr] as const;
    };
    const [code, told] = await beside(80, "02_delete_backfill.sql");
    assertEquals(code, 0, told);
    assertEquals((await beside(80, "03_totals_backfill.sql"))[0], 0);
    // One row without a quantity is never filled.
    await scene.query("INSERT INTO orders (id) VALUES (2)");
    await scene.write(
      "migrations/main/04_totals_backfill.sql",
      TOTALS.replace("100 by id", "50 by id, pause 5ms"),
    );
    const [failure, message] = await beside(200, "04_totals_backfill.sql");
    assertEquals(failure, 8, message);
    assertMatch(message, /The key of the first is 2\n/);
  },
);

serversTest(
  "backfillSql() + ends behind a batch when it is aborted, and goes on",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("by id", "by id, pause 30s"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 250));
    const config = await loadConfig({ directory: join(scene.path, "config") });
    const options = { sqlPath: join(scene.path, "migrations"), file: "02_totals_backfill.sql" };
    const run = async () => {
      const stop = new AbortController();
      const onEvent = (event: RunEvent) => {
        if (event.type !== "progress") return;
        assert(Number.isFinite(event.progress.leftMs ?? 0));
        stop.abort();
      };
      return await backfillSql({ ...options, onEvent, signal: stop.signal })(config);
    };
    const file = "02_totals_backfill.sql";
    const state: BackfillState = { file, state: "begun", round: 1, keys: 0, rows: 0 };
    await assertRejects(run, DOMException, "aborted");
    const health = async () =>
      await (await backfillHealth(options)(config)).mainBackfills!.health();
    assertEquals(await health(), { status: "UNKNOWN", details: { backfills: [state] } });
    await assertRejects(run, DOMException, "aborted");
    const [row] = await scene.query("SELECT COUNT(total) AS n FROM orders");
    assertEquals(Number(row!.n), 7);
    await assertRejects(
      () => backfillSql({ ...options, file: "03.sql" })(config),
      ConfigError,
      "No enabled connection has a backfill '03.sql'",
    );
    await scene.write("migrations/main/02_totals_backfill.sql", TOTALS);
    await scene.query("DELETE FROM irori_backfills");
    await succeed(scene, "backfill", "run");
    assertEquals((await health()).status, "UP");
  },
);

/** A scene that leads to its database as a user of its own, who has the rights of the guide. */
async function withUser(
  files: Record<string, string>,
  work: (scene: Scene, user: string) => Promise<void>,
): Promise<void> {
  await using scene = await ENGINES[0]!.scene(files);
  await succeed(scene, "migrate");
  await succeed(scene, "backfill", "run", "02_totals_backfill.sql");
  await scene.query(filled(ENGINES[0]!, "orders", 10));
  const user = `bf_${crypto.randomUUID().slice(0, 8)}`;
  await scene.query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
  try {
    await scene.query("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    await scene.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${user}`);
    const url = new URL(Deno.env.get("TEST_PG_URL")!);
    Object.assign(url, {
      pathname: scene.datasource.database,
      username: user,
      password: "secret",
    });
    await scene.write(
      "config/application.yml",
      `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true } }]\n`,
    );
    await work(scene, user);
  } finally {
    await scene.query(`DROP OWNED BY ${user}`);
    await scene.query(`DROP ROLE ${user}`);
  }
}

const FIRST = { "01_orders.sql": TABLE, "02_totals_backfill.sql": TOTALS };

Deno.test({
  name: "backfill run + needs no right to create its table where that is there (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  fn: () =>
    withUser({ ...FIRST, "03_totals_backfill.sql": TOTALS }, async (scene) => {
      assertStringIncludes(await succeed(scene, "backfill", "run"), "10 rows changed");
      await scene.query("DROP TABLE irori_backfills");
      assertMatch(
        await fail(scene, 2, "backfill", "run"),
        /permission denied for schema public: create the table yourself, or grant CREATE .*: CREATE TABLE/,
      );
    }),
});

Deno.test({
  name: "backfill run + wants the rights of the guide, and creates its table with them (MariaDB)",
  ignore: ENGINES[1]!.ignore,
  async fn() {
    await using scene = await ENGINES[1]!.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS,
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[1]!, "orders", 10));
    const { database } = scene.datasource;
    const user = `bf_${crypto.randomUUID().slice(0, 8)}`;
    const grant = (rights: string, table: string) =>
      scene.query(`GRANT ${rights} ON ${database}.${table} TO ${user}`);
    await scene.query(`CREATE USER ${user} IDENTIFIED BY 'secret'`);
    try {
      await grant("SELECT, UPDATE", "orders");
      await grant("SELECT", "framework_migrations");
      const url = new URL(Deno.env.get("TEST_MYSQL_URL")!);
      Object.assign(url, { pathname: database, username: user, password: "secret" });
      await scene.write(
        "config/application.yml",
        `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true } }]\n`,
      );
      assertStringIncludes(await fail(scene, 7, "backfill", "run"), "irori_backfills");
      await grant("CREATE, SELECT, INSERT, UPDATE", "irori_backfills");
      assertStringIncludes(await succeed(scene, "backfill", "run"), "10 rows changed");
    } finally {
      await scene.query(`DROP USER ${user}`);
    }
  },
});

for (const limit of ["load 25", "lag 5s"]) {
  Deno.test({
    name: `backfill run + refuses '${limit}' where the user cannot see it (PostgreSQL)`,
    ignore: ENGINES[0]!.ignore,
    fn: () =>
      withUser({
        ...FIRST,
        "03_totals_backfill.sql": TOTALS.replace("by id", `by id, ${limit}`),
      }, async (scene, user) => {
        assertStringIncludes(
          await fail(scene, 2, "backfill", "run"),
          "Cannot run '03_totals_backfill.sql': the user cannot see the load and the lag",
        );
        assertEquals(await scene.query("SELECT 1 FROM orders WHERE total IS NOT NULL"), []);
        await scene.query(`GRANT pg_monitor TO ${user}`);
        assertStringIncludes(await succeed(scene, "backfill", "run"), "10 rows changed");
      }),
  });
}

Deno.test({
  name: "backfill run + leaves no row out that a policy hides from the user (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  fn: () =>
    withUser({ ...FIRST, "03_totals_backfill.sql": TOTALS }, async (scene, user) => {
      await scene.query(
        `CREATE TABLE own (id INT); GRANT SELECT ON own TO ${user};
        CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM * FROM own; RETURN NEW; END $$;
        CREATE TRIGGER look BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION look();
        ALTER TABLE own ENABLE ROW LEVEL SECURITY; ALTER TABLE orders ENABLE ROW LEVEL SECURITY`,
      );
      const hidden = 'query would be affected by row-level security policy for table "orders"';
      assertStringIncludes(await fail(scene, 8, "backfill", "run"), `refused a batch: ${hidden}`);
      await scene.write(
        "migrations/main/04_later.sql",
        "-- irori: after 03_totals_backfill.sql\nSELECT 1;\n",
      );
      await scene.query(`DELETE FROM irori_backfills WHERE path = '03_totals_backfill.sql'`);
      assertStringIncludes(
        await fail(scene, 2, "migrate"),
        `whose table 'orders' cannot be read: ${hidden}`,
      );
      await scene.query("ALTER TABLE orders DISABLE ROW LEVEL SECURITY");
      await scene.query(`REVOKE SELECT ON orders FROM ${user}`);
      assertStringIncludes(
        await fail(scene, 8, "backfill", "run"),
        "refused a batch: permission denied for table orders",
      );
      await scene.query(`GRANT SELECT ON orders TO ${user}`);
      assertStringIncludes(await succeed(scene, "backfill", "run"), "10 rows changed");
      await succeed(scene, "migrate");
    }),
});

Deno.test({
  name: "backfill run + begins with small batches, as a trigger may be slow (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE +
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS " +
        "$$ BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END $$;\n" +
        "CREATE TRIGGER slow BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION slow();\n",
      "02_totals_backfill.sql": TOTALS.replace("100 by id", "2000 by id"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 2000));
    const running = scene.run("backfill", "run");
    const count = "SELECT COUNT(total) AS n FROM orders";
    let first = 0;
    while (first === 0) first = Number((await scene.query(count))[0]!.n);
    assert(first < 1000, `${first}`);
    assertStringIncludes((await running).stdout, "2,000 rows changed");
  },
});

Deno.test({
  name: "backfill run + does not double batches behind one that took long (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE +
        "CREATE TABLE batches (number SERIAL, count INT);\n" +
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " +
        "INSERT INTO batches (count) SELECT COUNT(*) FROM changed; " +
        "PERFORM pg_sleep(COUNT(*) * 0.0045) FROM changed; RETURN NULL; END $$;\n" +
        "CREATE TRIGGER slow AFTER UPDATE ON orders REFERENCING NEW TABLE AS changed " +
        "FOR EACH STATEMENT EXECUTE FUNCTION slow();\n",
      "02_totals_backfill.sql": TOTALS.replace("100 by id", "800 by id"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 1300));
    await succeed(scene, "backfill", "run");
    const rows = await scene.query("SELECT count FROM batches WHERE count > 0 ORDER BY number");
    const sizes = rows.map(({ count }) => Number(count));
    const slow = sizes.findIndex((size, at) => sizes[at + 1]! < size);
    assert(slow > 0, `${sizes}`);
    const after = sizes.slice(slow + 1, -1);
    assert(after.length > 1, `${sizes}`);
    after.forEach((size, at) => assert(at === 0 || size < after[at - 1]! * 1.5, `${sizes}`));
  },
});

Deno.test({
  name: "backfill run + is not ended by the server's limit for idle sessions (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("100 by id", "1000 by id, pause 1800ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 150));
    const { database } = scene.datasource;
    await scene.query(`ALTER DATABASE "${database}" SET idle_session_timeout = '1500ms'`);
    assertStringIncludes(await succeed(scene, "backfill", "run"), "150 rows changed");
  },
});

Deno.test({
  name: "backfill run + says that the server ended it while it waited for another run (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("100 by id", "1000 by id, pause 900ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 800));
    const { database } = scene.datasource;
    await scene.query(`ALTER DATABASE "${database}" SET idle_session_timeout = '1500ms'`);
    const running = scene.run("backfill", "run");
    while (!/[1-9] rows/.test(await succeed(scene, "backfill", "status"))) await sleep(50);
    assertStringIncludes(await fail(scene, 7, "backfill", "run"), "ended the session of this run");
    const { code, stderr } = await running;
    assertEquals(code, 0, stderr);
  },
});

Deno.test({
  name: "backfill run + keeps no transaction open while another run is at work (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("by id", "by id, pause 300ms"),
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 600));
    const runs = [1, 2].map(() => scene.run("backfill", "run"));
    const sessions = async (state = "%") =>
      (await scene.query(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() " +
          `AND state LIKE '${state}' AND application_name LIKE 'irori%'`,
      )).length;
    while (await sessions() < 4) await sleep(10);
    const found: number[] = [];
    while (found.length < 20) {
      found.push(await sessions("idle in transaction"));
      await sleep(20);
    }
    // Between two statements of a batch, its own is there, too.
    assert(found.filter((number) => number === 1).length > 10, `${found}`);
    assertEquals((await Promise.all(runs)).map(({ code }) => code), [0, 0]);
  },
});

Deno.test({
  name: "backfill run + ends where a pooler has no second connection (PgBouncer)",
  ignore: Deno.env.get("TEST_PGBOUNCER_URL") === undefined,
  async fn() {
    await using scene = await ENGINES[0]!.scene();
    const url = new URL(Deno.env.get("TEST_PGBOUNCER_URL")!);
    url.pathname = "irori_pool_of_backfills";
    await scene.write(
      "config/application.yml",
      `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true } }]\n`,
    );
    await scene.write(
      "migrations/main/02_totals_backfill.sql",
      // The run ends before it would change anything.
      "-- irori: batches of 10 by oid\nUPDATE pg_class SET relname = NULL WHERE ${irori.batch};",
    );
    await scene.query("DROP DATABASE IF EXISTS irori_pool_of_backfills WITH (FORCE)");
    await scene.query("CREATE DATABASE irori_pool_of_backfills");
    try {
      assertStringIncludes(
        await fail(scene, 7, "backfill", "run"),
        "The pooler gave no second connection",
      );
    } finally {
      await scene.query("DROP DATABASE irori_pool_of_backfills WITH (FORCE)");
    }
  },
});

Deno.test({
  name: "backfill run + leaves nothing in the sessions of a pooler (PgBouncer)",
  ignore: Deno.env.get("TEST_PGBOUNCER_URL") === undefined,
  async fn() {
    await using scene = await ENGINES[0]!.scene({
      "01_orders.sql": TABLE,
      "02_totals_backfill.sql": TOTALS.replace("by id", "by id, pause 20ms"),
      "03_delete_backfill.sql":
        "-- irori: batches of 9 by id\nDELETE FROM orders WHERE ${irori.batch};",
    });
    await succeed(scene, "migrate");
    await scene.query(filled(ENGINES[0]!, "orders", 1000));
    const url = new URL(Deno.env.get("TEST_PGBOUNCER_URL")!);
    url.pathname = scene.datasource.database;
    await scene.write(
      "config/application.yml",
      `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true } }]\n`,
    );
    const runs = await Promise.all([
      scene.run("backfill", "run", "02_totals_backfill.sql"),
      scene.run("backfill", "run", "02_totals_backfill.sql"),
    ]);
    assertEquals(runs.map(({ code }) => code), [0, 0], runs.map(({ stderr }) => stderr).join(""));
    await succeed(scene, "backfill", "run", "03_delete_backfill.sql");
    const locks = await scene.query(
      "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database " +
        "WHERE l.locktype = 'advisory' AND d.datname = current_database()",
    );
    assertEquals(locks, []);
    const pooled = await connect({
      ...scene.datasource,
      host: url.hostname,
      port: Number(url.port),
    });
    try {
      const { rows } = await pooled.query("SHOW lock_timeout");
      assertEquals(rows, [{ lock_timeout: "0" }]);
    } finally {
      await pooled.end();
    }
  },
});

serversTest(
  "backfill run + names the place of a statement that the server refuses",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_n_backfill.sql":
        "-- irori: batches of 10 by id\n\n  UPDATE orders SET missing = 1 WHERE ${irori.batch};",
    });
    await succeed(scene, "migrate");
    await scene.query(filled(engine, "orders", 10));
    assertMatch(
      await fail(scene, 8, "backfill", "run"),
      /main\/02_n_backfill\.sql:3:3: The database refused a batch: /,
    );
  },
);

Deno.test({
  name: "backfillHealth() + is up when the backfills of all tenants are done (PostgreSQL)",
  ignore: ENGINES[0]!.ignore,
  async fn() {
    await using scene = await ENGINES[0]!.scene(FIRST, ", each: { schemas: [s1, s2] }");
    await scene.query("CREATE SCHEMA s1");
    await scene.query("CREATE SCHEMA s2");
    await succeed(scene, "migrate");
    await succeed(scene, "backfill", "run");
    const config = await loadConfig({ directory: join(scene.path, "config") });
    const health = async () => {
      const found = await backfillHealth({ sqlPath: join(scene.path, "migrations") })(config);
      const { status, details } = await found.mainBackfills!.health();
      const states = (details as { readonly backfills: readonly BackfillState[] }).backfills;
      return [status, ...states.map(({ state }) => state)];
    };
    assertEquals(await health(), ["UP", "done", "done"]);
    await scene.query("DROP TABLE s2.irori_backfills");
    assertEquals(await health(), ["UNKNOWN", "done", "pending"]);
    await succeed(scene, "backfill", "run");
    await scene.query("DROP TABLE s1.irori_backfills");
    assertEquals(await health(), ["UNKNOWN", "pending", "done"]);
  },
});

serversTest("backfillSql() + goes on with the next datasource after a failure", async (engine) => {
  await using scene = await engine.scene(FIRST);
  await succeed(scene, "migrate");
  await scene.query(filled(engine, "orders", 10));
  const path = "02_totals_backfill.sql";
  await scene.write(`migrations/main/${path}`, TOTALS.replace("orders", "missing"));
  await scene.write(`migrations/other/${path}`, TOTALS);
  const main = await Deno.readTextFile(join(scene.path, "config/application.yml"));
  const [, one] = /\[(.*)\]/s.exec(main)!;
  await scene.write(
    "config/application.yml",
    `datasource: [${one}, ${one!.replace("main", "other")}]\n`,
  );
  const config = await loadConfig({ directory: join(scene.path, "config") });
  await assertRejects(
    () => backfillSql({ sqlPath: join(scene.path, "migrations") })(config),
    FeatureError,
    "there is no such table",
  );
  const [row] = await scene.query("SELECT COUNT(total) AS n FROM orders");
  assertEquals(Number(row!.n), 10);
});
