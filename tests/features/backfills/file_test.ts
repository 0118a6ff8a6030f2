import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { divide } from "../../../src/features/backfills/divide.ts";
import { readBackfill } from "../../../src/features/backfills/file.ts";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { MYSQL } from "../../../src/migrations/sql/engines/mysql/grammar.ts";
import { POSTGRESQL } from "../../../src/migrations/sql/engines/postgresql/grammar.ts";
import { SQL, type SqlOffer } from "../../../src/migrations/sql/offers.ts";
import { workspace } from "../../e2e/command_line.ts";

const HEAD = "-- irori: batches of 5000 by id\n";

function read(text: string, grammar = POSTGRESQL) {
  const bytes = new TextEncoder().encode(text);
  return readBackfill({ path: "1.sql", location: "/1.sql", hash: "", bytes }, grammar, {});
}

Deno.test("divide() + reads only files whose names say that they are backfills", async () => {
  const asked: string[] = [];
  const texts = {
    "1.sql": "",
    "backfill/2.sql": "",
    "3_backfill_users.sql": `SELECT 1;\n${HEAD}`,
    "4_Backfill.sql": `-- of totals\n${HEAD}`,
    "5_backfill.sql": "DELETE FROM t WHERE ${irori.batch}",
  };
  const files = Object.entries(texts).map(([path, text]) => ({
    ...{ path, location: path, hash: "" },
    read: () => Promise.resolve((asked.push(path), new TextEncoder().encode(text))),
  }));
  const { migrations, backfills } = await divide(files, { offers: [SQL.offer({} as SqlOffer)] });
  assertEquals(backfills.map(({ path }) => path), ["4_Backfill.sql", "5_backfill.sql"]);
  assertEquals(migrations.length, 3);
  assertEquals(asked, ["3_backfill_users.sql", "4_Backfill.sql", "5_backfill.sql"]);
});

function mistakeIn(text: string): string {
  const { problems: [problem] } = assertThrows(() => read(text), InvalidFilesError);
  return `${problem!.line}:${problem!.column} ${problem!.message}`;
}

Deno.test("readBackfill() + reads the batches, the table and the statement around them", () => {
  const text = "-- irori: batches of 10 by O.id, lag 1m, load 25, pause 100ms\n-- why\n" +
    "UPDATE ONLY shop.orders AS o SET total = 1 WHERE a > 1 AND ${irori.batch};\n";
  const { statement, place, ...found } = read(text);
  assertEquals(found, {
    ...{ path: "1.sql", hash: "", size: 10, pauseMs: 100, lagMs: 60_000, load: 25, repeats: false },
    deletes: false,
    ...{ key: "o.id", column: "id", table: "shop.orders", written: "shop.orders" },
  });
  assertEquals([place.line, place.column], [3, 1]);
  assertEquals(
    statement("(x)"),
    "UPDATE ONLY shop.orders AS o SET total = 1 WHERE a > 1 AND (x)",
  );
});

Deno.test("readBackfill() + takes queries with words of their own", () => {
  const all = (query: string) => read(`${HEAD}INSERT INTO u ${query} WHERE \${irori.batch}`).table;
  assertEquals(all("SELECT a IS NOT DISTINCT FROM b, RIGHT(a, 2) FROM t"), "t");
  assertEquals(all("SELECT a, COALESCE((SELECT MAX(b) FROM v GROUP BY c), 0) FROM t"), "t");
  assertEquals(all("SELECT a FROM t FORCE INDEX (b)"), "t");
  assertEquals(
    read("-- irori: batches of 9 by t.id\nDELETE FROM t USE INDEX (b) WHERE ${irori.batch}").table,
    "t",
  );
});

Deno.test("readBackfill() + reads limits in capitals", () => {
  const { pauseMs, load } = read(
    "-- IRORI: BATCHES OF 10 BY id, PAUSE 30S, Load 2\nDELETE FROM t WHERE ${irori.batch}",
  );
  assertEquals([pauseMs, load], [30_000, 2]);
});

Deno.test("readBackfill() + takes columns whose names begin like refused words", () => {
  for (const name of ["group_id", "overdue", "having_x", "window_id", "distinct_id", "sum_all"]) {
    read(`${HEAD}UPDATE t SET a = 1, ${name} = 2 WHERE \${irori.batch} AND ${name} = 1`);
    read(`${HEAD}INSERT INTO u SELECT ${name}, ${name} FROM t WHERE \${irori.batch}`);
  }
});

Deno.test("readBackfill() + reads names with quotes", () => {
  const { column, key, table } = read(
    '-- irori: batches of 9 by "the ""Key"""\nUPDATE "my.shop" . "a ""b""" SET a = 1 WHERE ${irori.batch}',
  );
  assertEquals([column, table], ['"the ""Key"""', '"my.shop"."a ""b"""']);
  assertEquals(key, '"a ""b"""."the ""Key"""');
});

Deno.test("readBackfill() + knows which conditions the change makes false", () => {
  const CASES: readonly (readonly [statement: string, repeats: boolean])[] = [
    ["DELETE FROM t WHERE ${irori.batch}", true],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND a IS NULL", true],
    ["UPDATE t AS x SET b = 2, a = f(1, NULL) WHERE x.a IS NULL AND ${irori.batch}", true],
    ["UPDATE t SET a = DEFAULT WHERE a IS NULL AND ${irori.batch}", true],
    ["UPDATE t SET id = id + 1, a = 1 WHERE a IS NULL AND ${irori.batch}", true],
    ["UPDATE t SET a = 1 FROM c WHERE ${irori.batch} AND c.a IS NULL", false],
    ["UPDATE t SET a = NULL WHERE a IS NULL AND ${irori.batch}", false],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND b IS NULL", false],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND (a IS NULL OR b > 1)", false],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND NOT a IS NULL", false],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND a IS NOT NULL", false],
    ["INSERT INTO u SELECT * FROM t WHERE ${irori.batch} ON CONFLICT DO NOTHING", false],
    ["UPDATE t SET a = b WHERE ${irori.batch} AND c = 'x AND A IS NULL AND y'", false],
    ["UPDATE t SET b = 'x, A = 1', c = 'A = 1' WHERE a IS NULL AND ${irori.batch}", false],
    ["UPDATE t SET a = 1 WHERE ${irori.batch} AND b BETWEEN c AND a IS NULL", false],
    ["UPDATE t SET a = 1 WHERE b BETWEEN c AND d AND a IS NULL AND ${irori.batch}", true],
    [
      "UPDATE t SET a = 1 WHERE ${irori.batch} AND CASE WHEN b AND a IS NULL AND c THEN d END",
      false,
    ],
  ];
  for (const [statement, repeats] of CASES) {
    assertEquals(read(HEAD + statement).repeats, repeats, statement);
  }
});

Deno.test("readBackfill() + names the place of each mistake", () => {
  const CASES: readonly (readonly [text: string, mistake: RegExp])[] = [
    ["-- irori: batches by id\nDELETE FROM t;", /^1:1 Expected 'batches of 5000 by id'/],
    ["-- irori: batches of 0 by id\nDELETE FROM t;", /^1:1 Expected 'batches/],
    ["-- irori: batches of 9 by id, pause\nDELETE FROM t;", /^1:1 Expected 'batches/],
    ["-- irori: batches of 9 by id, pause soon\nDELETE FROM t;", /^1:1 Expected 'batches/],
    ["-- irori: batches of 9 by id, pause 31s\nDELETE FROM t;", /^1:1 Expected .*at most 30s/],
    [`${HEAD}-- irori: repeatable\nDELETE FROM t;`, /^2:1 A backfill has one directive/],
    [HEAD, /Expected one UPDATE, DELETE or INSERT … SELECT$/],
    [`${HEAD}DELETE FROM t WHERE \${irori.batch};\n SELECT 1;`, /^3:2 Expected one UPDATE/],
    [`${HEAD}TRUNCATE t`, /^2:1 Expected one UPDATE/],
    [`${HEAD}INSERT INTO t VALUES (1)`, /^2:1 Expected one UPDATE/],
    [`${HEAD}DELETE FROM t`, /^2:1 Expected '\$\{irori.batch\}' once/],
    [`${HEAD}DELETE FROM t WHERE a = '\${irori.batch}'`, /^2:1 Expected '\$\{irori.batch\}' once/],
    [`${HEAD}DELETE FROM t -- \${irori.batch}`, /^2:1 Expected '\$\{irori.batch\}' once/],
    [
      `${HEAD}DELETE FROM t WHERE \${irori.batch} AND \${irori.batch}`,
      /^2:40 Expected '\$\{irori.batch\}' once/,
    ],
    [`${HEAD}DELETE FROM t WHERE (\${irori.batch})`, /^2:22 Expected '\$\{irori.batch\}' once/],
    [
      `${HEAD}DELETE FROM t WHERE a BETWEEN 0 AND \${irori.batch} AND b`,
      /^2:37 Expected '\$\{irori.batch\}' once/,
    ],
    [`${HEAD}DELETE FROM t WHERE NOT \${irori.batch}`, /^2:25 Expected '\$\{irori.batch\}' once/],
    [`${HEAD}DELETE FROM t WHERE \${irori.batch} = true`, /^2:21 Expected '\$\{irori/],
    [`${HEAD}UPDATE t SET a = \${irori.batch} WHERE a > 1`, /^2:18 Expected '\$\{irori/],
    [`${HEAD}DELETE FROM t WHERE \${irori.batch} AND a OR b`, /^2:42 OR would change which rows/],
    [`${HEAD}DELETE FROM t WHERE \${irori.batch} LIMIT 3`, /^2:36 LIMIT would change which rows/],
    [
      `${HEAD}INSERT INTO u SELECT * FROM t WHERE \${irori.batch} FETCH FIRST 3 ROWS ONLY`,
      /^2:52 FETCH would change/,
    ],
    [`${HEAD}DELETE FROM t WHERE \${irori.batch} RETURNING id`, /^2:36 RETURNING would change/],
    [
      `${HEAD}INSERT INTO u SELECT * FROM t WHERE \${irori.batch} UNION SELECT 1`,
      /^2:52 UNION would change/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT * FROM (SELECT 1) t WHERE \${irori.batch}`,
      /^2:24 Expected the name/,
    ],
    [
      "-- irori: batches of 9 by c.id\nUPDATE t SET a = 1 FROM c WHERE ${irori.batch}",
      /^2:8 The key must be a column of 't'/,
    ],
    ["-- irori: batches of 9 by id, lag soon\nDELETE FROM t;", /^1:1 Expected 'batches/],
    ["DELETE FROM t WHERE ${irori.batch}", /^1:1 Expected 'batches/],
    ["-- irori: batches of 9 by id, load 1, LOAD 2\nDELETE FROM t;", /^1:1 .*each at most once/],
    [`${HEAD}UPDATE t FULL JOIN u ON b SET a = 1 WHERE \${irori.batch}`, /^2:10 FULL would change/],
    [
      `${HEAD}INSERT INTO u SELECT 1 FROM t RIGHT OUTER JOIN u ON b WHERE \${irori.batch}`,
      /^2:31 RIGHT would change/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT COALESCE(1 + (sum(a)), 0) FROM t WHERE \${irori.batch}`,
      /^2:36 SUM would be that of each/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT SQL_NO_CACHE DISTINCT a FROM t WHERE \${irori.batch}`,
      /^2:35 DISTINCT would be that of each/,
    ],
    ["-- irori: batches of 9 by id, load 1 lag 1s\nDELETE FROM t;", /^1:1 Expected 'batches/],
    ["-- irori: batches of 9 by id, load many\nDELETE FROM t;", /^1:1 Expected 'batches/],
    [
      `${HEAD}UPDATE t SET a = 1, ID = id + 1 WHERE \${irori.batch}`,
      /^2:1 It would find rows again/,
    ],
    [
      `${HEAD}UPDATE t SET a = 1, (b, "ID") = (2, 3) WHERE \${irori.batch}`,
      /^2:1 It would find rows again/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT id FROM t WHERE a GROUP BY id HAVING b AND \${irori.batch}`,
      /^2:65 Expected '\$\{irori.batch\}' once/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT * FROM t WHERE a ON CONFLICT (id) DO UPDATE SET a = 1 WHERE \${irori.batch}`,
      /Expected '\$\{irori.batch\}' once/,
    ],
    [
      `${HEAD}INSERT INTO u SELECT * FROM t ON CONFLICT (id) DO UPDATE SET a = 1 WHERE \${irori.batch}`,
      /Expected '\$\{irori.batch\}' once/,
    ],
    [`${HEAD}INSERT INTO T (a) SELECT a FROM t WHERE \${irori.batch}`, /^2:1 It would find rows/],
    [`${HEAD}INSERT IGNORE t SELECT * FROM t WHERE \${irori.batch}`, /^2:1 It would find rows/],
    ...[
      ...["(id, n) = (id + 10, n + 1)", "(n, id) = ROW (1, id + 10)", "(Id) = ROW (id + 10)"],
      ...['"id" = 1', "t.id = 1", 't . "id" = 1', "id[1] = 1", 'U&"\\0069d" = 1'],
      "(n, id) = (SELECT 1, 2)",
    ].map((set) =>
      [`${HEAD}UPDATE t SET ${set} WHERE \${irori.batch}`, /^2:1 It would find rows again/] as const
    ),
    ...[
      ...["public.t (id) SELECT 4 FROM t", "t SELECT 4 FROM public.t", '"T" SELECT 4 FROM a.t'],
      ...["a.t SELECT 4 FROM A.t", "b.a.t SELECT 4 FROM a.t"],
    ].map((copy) =>
      [`${HEAD}INSERT INTO ${copy} WHERE \${irori.batch}`, /^2:1 It would find rows again/] as const
    ),
    ...[
      ["a, count(*) FROM t", "GROUP BY a"],
      ["DISTINCT a FROM t", ""],
      ["max(id) FROM t", ""],
      ["row_number() OVER (ORDER BY id) FROM t", ""],
      ["sum(a) FILTER (WHERE a > 1) FROM t", ""],
    ].map(([list, more]) =>
      [
        `${HEAD}INSERT INTO u SELECT ${list} WHERE \${irori.batch} ${more}`,
        /^2:\d+ (?:COUNT|DISTINCT|MAX|OVER|SUM) would be that of each batch alone/,
      ] as const
    ),
    [
      `${HEAD}INSERT INTO u SELECT a FROM t WHERE \${irori.batch} GROUP BY a`,
      /^2:52 GROUP would be that of each batch alone/,
    ],
    [`${HEAD}DELETE FROM t WHERE a = 'x`, /^2:25 Unterminated string/],
  ];
  for (const [text, mistake] of CASES) {
    const found = mistakeIn(text);
    assert(mistake.test(found), `${text}\n${found}`);
  }
});

Deno.test("readBackfill() + allows what is in a query of its own, and other tables of one name", () => {
  for (
    const text of [
      "INSERT INTO u SELECT (SELECT max(a) FROM v WHERE v.id = t.id) FROM t WHERE ${irori.batch}",
      "INSERT INTO count (a) SELECT count FROM t WHERE a IS NOT DISTINCT FROM b AND ${irori.batch}",
      "INSERT INTO u SELECT a::varchar(3), bit_length(b) FROM t WHERE ${irori.batch}",
      "INSERT INTO archive.t SELECT * FROM public.t WHERE ${irori.batch}",
    ]
  ) read(HEAD + text);
});

Deno.test("readBackfill() + refuses MySQL's forms of a copy into the same table", () => {
  for (const into of ["IGNORE INTO `T`", "HIGH_PRIORITY shop.t", "DELAYED IGNORE t"]) {
    const text = `${HEAD}INSERT ${into} SELECT id FROM t WHERE \${irori.batch}`;
    assertThrows(() => read(text, MYSQL), InvalidFilesError, "It would find rows again");
  }
});

Deno.test("readBackfill() + takes no word behind a table for another name of it", () => {
  const by = "-- irori: batches of 9 by orders.id\n";
  for (
    const text of [
      "DELETE FROM orders USING c WHERE c.id = orders.c AND ${irori.batch}",
      "INSERT INTO d SELECT orders.id FROM orders JOIN c ON c.id = orders.c WHERE ${irori.batch}",
    ]
  ) assertEquals(read(by + text).column, "id");
  const joined = "UPDATE orders JOIN c ON c.id = orders.c SET orders.a = 1 WHERE ${irori.batch} " +
    "AND orders.a IS NULL";
  assertEquals(read(by + joined, MYSQL).repeats, true);
});

Deno.test("readBackfill() + refuses the lag of replicas that only they know", () => {
  const text = "-- irori: batches of 9 by id, lag 1s\nDELETE FROM t WHERE ${irori.batch};";
  assertThrows(() => read(text, MYSQL), InvalidFilesError, "leave out 'lag'");
});

Deno.test("readBackfill() + refuses columns of a joined table, which each batch would change", () => {
  const text = `${HEAD}UPDATE t JOIN c USING (n) SET t.a = 1, c.b = c.b + 1 WHERE \${irori.batch}`;
  assertThrows(() => read(text, MYSQL), InvalidFilesError, "2:40: A row of another table");
  read(text.replace("c.b =", "t.b ="), MYSQL);
  read(`${HEAD}UPDATE t SET place.x = 1 WHERE \${irori.batch}`, POSTGRESQL);
});

Deno.test("readBackfill() + refuses a key in quotes that make it a text, or nothing", () => {
  const text = (key: string) =>
    `-- irori: batches of 9 by ${key}\nDELETE FROM t WHERE \${irori.batch}`;
  assertThrows(() => read(text('"id"'), MYSQL), InvalidFilesError, "Expected 'batches of");
  assertThrows(() => read(text("`id`"), POSTGRESQL), InvalidFilesError, "Expected 'batches of");
  assertEquals(read(text("`id`"), MYSQL).column, "`id`");
});

Deno.test("readBackfill() + refuses each OR of MySQL", () => {
  for (const or of ["OR", "XOR", "||"]) {
    const text = `${HEAD}DELETE FROM t WHERE a ${or} b AND \${irori.batch}`;
    assertThrows(() => read(text, MYSQL), InvalidFilesError, "would change which rows are in");
  }
  read(`${HEAD}DELETE FROM t WHERE a || b = 'x' AND \${irori.batch}`, POSTGRESQL);
});

const NOISE = [" ", "\n", "/* ${irori.batch} */ ", "-- ' ${irori.batch}\n"];
const CONDITIONS = ["a = '${irori.batch}'", "b IN (1, 2)", "(a OR b)", "c IS NULL", "f('''', d)"];

Deno.test("readBackfill() + puts the condition where the place is, whatever stands around it", () => {
  const noise = fc.array(fc.constantFrom(...NOISE), { maxLength: 3 }).map((all) => all.join(""));
  const around = fc.array(fc.tuple(noise, fc.constantFrom(...CONDITIONS)), { maxLength: 4 });
  const grammar = fc.constantFrom(POSTGRESQL, MYSQL);
  fc.assert(fc.property(around, around, grammar, (before, behind, grammar) => {
    const first = before.map(([space, one]) => `${space}${one} AND `).join("");
    const last = behind.map(([space, one]) => `${space} AND ${one}`).join("");
    const text = `UPDATE t SET c = 1 WHERE ${first}\${irori.batch}${last}`;
    const { statement, repeats } = read(HEAD + text, grammar);
    assertEquals(statement("(id > 1)"), `UPDATE t SET c = 1 WHERE ${first}(id > 1)${last}`);
    assertEquals(repeats, [...before, ...behind].some(([, one]) => one === "c IS NULL"));
  }));
});

Deno.test("readBackfill() + refuses or reads any text, and fails in no other way", () => {
  const words =
    "UPDATE DELETE FROM INSERT INTO SELECT SET WHERE AND OR ( ) , = t a IS NULL ; ' \" $ ${irori.batch} LIMIT AS ON .";
  const text = fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 25 });
  const head = fc.constantFrom(
    HEAD,
    "-- irori: batches of\n",
    "-- irori: batches of 1 by t.id, lag 1s\n",
  );
  fc.assert(
    fc.property(head, text, (head, text) => {
      try {
        const { statement } = read(head + text.join(" "));
        assert(!statement("1 = 1").replaceAll(/'[^']*'|"[^"]*"/g, "").includes("${irori.batch}"));
      } catch (error) {
        if (!(error instanceof InvalidFilesError)) throw error;
      }
    }),
    { numRuns: 3000 },
  );
});

Deno.test("backfills + are refused where the database has none, by each command", async () => {
  await using space = await workspace({
    "config/application.yml":
      'datasource: { name: main, url: "sqlite:a.db", migrations: { enabled: true } }\n',
    "migrations/main/01.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, total INT);\n",
    "migrations/main/02_backfill.sql":
      "-- irori: batches of 5 by id\nUPDATE orders SET total = 1 WHERE ${irori.batch};\n",
    "migrations/main/03.sql": "-- irori: after 02_backfill.sql\nSELECT 1;\n",
  });
  for (const command of ["validate", "migrate", "backfill run", "backfill plan"]) {
    const { code, stdout, stderr } = await space.run(...command.split(" "));
    assertEquals(code, 3, `${command}: ${stdout}${stderr}`);
    assertMatch(stderr, /02_backfill\.sql:1:1: A backfill needs PostgreSQL, MySQL or MariaDB/);
  }
});
