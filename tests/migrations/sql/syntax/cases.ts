/** A text of SQL and the statements in it. */
export interface SplitCase {
  readonly name: string;
  readonly text: string;
  readonly statements: readonly string[];
}

const one = (name: string, text: string): SplitCase => ({
  name,
  text: `${text};\nSELECT 2;`,
  statements: [text, "SELECT 2"],
});

const many = (name: string, text: string, ...statements: string[]): SplitCase => ({
  name,
  text,
  statements,
});

const COMMON = [
  many("nothing", ""),
  many("white space", " \r\n\t "),
  many("comments only", "-- a;\n/* b; */\n"),
  many("empty statements", ";; SELECT 1;;", "SELECT 1"),
  many("no delimiter at the end", "SELECT 1; SELECT 2", "SELECT 1", "SELECT 2"),
  many("CRLF", "SELECT 1;\r\n-- c;\r\nSELECT\r\n2;\r\n", "SELECT 1", "SELECT\r\n2"),
  many("comments around", "/* a */ SELECT 1 /* b */; -- c\nSELECT 2 -- d", "SELECT 1", "SELECT 2"),
  one("a delimiter in a string", "SELECT 'a;b'"),
  one("a doubled quote", "SELECT 'it''s;'"),
  one("a quoted name", 'SELECT 1 AS "a;""b"'),
  one("a delimiter in comments", "SELECT /* ; */ 1 -- ;\n+ 1"),
  one("a quote in comments", "SELECT /* ' */ 1 -- '\n+ 1"),
  one("characters beyond the BMP", "SELECT '😀;' AS \u{1F600}"),
  one("a quote that looks like a comment", "SELECT '--', '/*', '#'"),
  many(
    "Drizzle's breakpoints",
    "SELECT 1\n--> statement-breakpoint\nSELECT 2;--> statement-breakpoint\r\nSELECT 3",
    ...["SELECT 1", "SELECT 2", "SELECT 3"],
  ),
  one("a breakpoint in a string", "SELECT '--> statement-breakpoint'"),
];

/** Cases that splitters on npm get wrong, and the plain ones. */
export const CASES: Readonly<Record<"postgresql" | "mysql" | "sqlite", readonly SplitCase[]>> = {
  postgresql: [
    ...COMMON,
    one("a dollar-quoted body", "DO $$ BEGIN PERFORM 1; END $$"),
    one(
      "a tagged body with $$ inside",
      "CREATE FUNCTION f() RETURNS void AS $fn$ BEGIN EXECUTE $$SELECT 1;$$; END $fn$ LANGUAGE plpgsql",
    ),
    one("a tag inside another one", "SELECT $a$ $b$ ; $b$ $a $a$"),
    one("a name with dollars", "SELECT 1 AS a$b$"),
    one("two names with dollars", "SELECT 1 AS a$b$, 2 AS c$b$"),
    one("parameters are no quotes", "PREPARE p AS SELECT $1::int + $2::int"),
    one("nested comments", "SELECT /* a /* b; */ c; */ 1"),
    one("a comment that opens in a line comment", "SELECT 1 -- /*\n+ 1"),
    one("an escape string", "SELECT E'\\'; it''s', e'\\\\'"),
    one("an escape string that goes on in another line", "SELECT E'a' -- c\n\n '\\';b' \r 'c\\';'"),
    one("a backslash in a plain string", "SELECT '\\'"),
    many(
      "a string behind which a comment has a quote",
      "SELECT E''\n--'\n; SELECT 2",
      "SELECT E''",
      "SELECT 2",
    ),
    many(
      "a string that does not go on",
      "SELECT E'a', '\\'; SELECT 2",
      "SELECT E'a', '\\'",
      "SELECT 2",
    ),
    one("a Unicode string", 'SELECT U&\'\\0041;\', U&"\\0041;" FROM (SELECT 1 AS "A;") x'),
    one("a bit string", "SELECT B'101', X'1F'"),
    one(
      "BEGIN ATOMIC",
      "CREATE FUNCTION f(a int) RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a > 1 THEN 2 " +
        'ELSE 3 END AS "end"; END',
    ),
    one(
      "BEGIN ATOMIC with a column called end",
      "CREATE OR REPLACE PROCEDURE g() BEGIN ATOMIC INSERT INTO t SELECT 1 AS end; END",
    ),
    one(
      "CREATE RULE with several commands",
      "CREATE RULE r AS ON INSERT TO t DO ALSO (INSERT INTO u VALUES (1); INSERT INTO u VALUES (2))",
    ),
    many("BEGIN and COMMIT", "BEGIN; SELECT 1; COMMIT;", "BEGIN", "SELECT 1", "COMMIT"),
    many(
      "a lone carriage return ends a comment",
      "SELECT 1 -- ;\r; SELECT 2",
      "SELECT 1",
      "SELECT 2",
    ),
    one("operators that look like comments", "SELECT 1 - -1, 2*-1, '{1}'::int[] @> '{1}'"),
    one("a cast and a slice", "SELECT ('{1,2}'::int[])[1:2]"),
  ],
  mysql: [
    ...COMMON,
    many(
      "lines of dashes where a statement may begin, as its clients read them",
      "-----\nSELECT 1;\n  -----x; '\nSELECT 2; ----- '\nSELECT 4\n----5;",
      ...["SELECT 1", "SELECT 2", "SELECT 4\n----5"],
    ),
    many(
      "the commands \\g and \\G of its clients",
      "SELECT 1\\g\nSELECT '\\\\g' \\G SELECT 3",
      ...["SELECT 1", "SELECT '\\\\g'", "SELECT 3"],
    ),
    one("backslashes", `SELECT 'a\\';', "b\\";"`),
    one("a backslash at the end", "SELECT 'a\\\\'"),
    one("doubled double quotes", 'SELECT "a;""b"'),
    one("backticks", "SELECT 1 AS `a;``b`"),
    one("# comments", "SELECT 1 # it's; one\n+ 1"),
    one("two minuses are no comment", "SELECT 3--2"),
    many("two minuses at the end of a line", "SELECT 1 --\n; SELECT 2", "SELECT 1", "SELECT 2"),
    many(
      "DELIMITER",
      "DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\nSELECT 3//\nDELIMITER ;\nSELECT 4;",
      "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
      "SELECT 3",
      "SELECT 4",
    ),
    many(
      "delimiter in lower case, behind a word",
      "delimiter $$\nCREATE PROCEDURE p() BEGIN SELECT '$$'; END$$\ndelimiter ;\nSELECT 1;",
      "CREATE PROCEDURE p() BEGIN SELECT '$$'; END",
      "SELECT 1",
    ),
    many(
      "DELIMITER with two semicolons, as in dumps",
      "DELIMITER ;;\r\n/*!50003 CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET @x = 1; END */;;\r\n" +
        "DELIMITER ;\r\n",
      "/*!50003 CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET @x = 1; END */",
    ),
    many("DELIMITER in a comment", "-- DELIMITER //\nSELECT 1; SELECT 2;", "SELECT 1", "SELECT 2"),
    one("a procedure without DELIMITER", "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END"),
    one("a label", "CREATE PROCEDURE p() a: BEGIN LEAVE a; END a"),
    one(
      "a definer",
      "CREATE DEFINER=`a`@`b;` PROCEDURE p() SQL SECURITY INVOKER BEGIN SELECT 1; END",
    ),
    one(
      "a trigger",
      "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.end = 1; SET NEW.begin = 2; END",
    ),
    one(
      "a trigger with one statement",
      "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.a = IF(NEW.a = 1, 2, 3)",
    ),
    one(
      "a trigger that is one IF",
      "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW IF NEW.a = 1 THEN SET NEW.a = 2; END IF",
    ),
    one(
      "an event",
      "CREATE EVENT e ON SCHEDULE EVERY 1 DAY COMMENT 'x' DO BEGIN DELETE FROM a; DELETE FROM b; END",
    ),
    one(
      "a function that returns IF()",
      "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN IF(a, 1, 2)",
    ),
    one(
      "every block there is",
      "CREATE PROCEDURE p(a INT) BEGIN DECLARE b INT DEFAULT 0; " +
        "DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN SET b = 1; END; " +
        "DECLARE EXIT HANDLER FOR SQLSTATE '23000' BEGIN END; " +
        "IF a = 1 THEN SET b = 2; ELSEIF a = 2 THEN SET b = 3; ELSE SET b = 4; END IF; " +
        "IF (a) THEN SET b = IF(a, 1, 2); END IF; " +
        "CASE a WHEN 1 THEN SET b = 1; ELSE SET b = CASE WHEN b THEN IF(b, 1, 2) ELSE REPEAT('1', 2) END; " +
        "END CASE; " +
        "WHILE b < 3 DO SET b = b + 1; END WHILE; " +
        "l: LOOP SET b = b + 1; IF b > 5 THEN LEAVE l; END IF; END LOOP l; " +
        "REPEAT SET b = b + 1; UNTIL b > 7 END REPEAT; " +
        "BEGIN SELECT CASE WHEN 1 THEN 2 END AS x; END; END",
    ),
    one(
      "IF EXISTS inside",
      "CREATE PROCEDURE IF NOT EXISTS p() BEGIN DROP TABLE IF EXISTS a; CREATE TABLE IF NOT EXISTS a (i INT); END",
    ),
    one(
      "names called begin and end outside of programs",
      "CREATE TABLE a (begin INT, end INT)",
    ),
    one("an UPDATE of them", "UPDATE a SET begin = 1, end = 2"),
    many("conditional comments", "/*!40101 SET NAMES utf8 */; /*M! SELECT 1 */;", ...[
      "/*!40101 SET NAMES utf8 */",
      "/*M! SELECT 1 */",
    ]),
    one("a conditional comment with a string", "/*!50000 SELECT '*/;' */"),
    one("a conditional comment inside", "SELECT 1 /*!50000 + 1 */ + 2"),
    one("a hint", "SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1"),
    one("times and a comment", "SELECT 2*/*;*/3"),
    many(
      "START TRANSACTION",
      "START TRANSACTION; INSERT INTO a VALUES (1); COMMIT;",
      "START TRANSACTION",
      "INSERT INTO a VALUES (1)",
      "COMMIT",
    ),
    many("BEGIN and COMMIT", "BEGIN; SELECT 1; COMMIT;", "BEGIN", "SELECT 1", "COMMIT"),
    many("BEGIN WORK", "BEGIN WORK; SELECT 1; COMMIT;", "BEGIN WORK", "SELECT 1", "COMMIT"),
    one("a block outside of programs", "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END"),
    one("an IF outside of programs", "IF 1 THEN SELECT 1; ELSE SELECT 2; END IF"),
  ],
  sqlite: [
    ...COMMON,
    one("brackets", "SELECT 1 AS [a;b]"),
    one("a bracket with an apostrophe", "SELECT 1 AS [a']"),
    one("backticks", "SELECT 1 AS `a;``b`"),
    one("a backslash", "SELECT '\\'"),
    one("a blob", "SELECT x'3b'"),
    one(
      "a trigger",
      "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET x = 1; DELETE FROM b; END",
    ),
    one("a temporary trigger", "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END"),
    one(
      "a trigger with nested CASE",
      "CREATE TEMPORARY TRIGGER IF NOT EXISTS t AFTER INSERT ON a WHEN CASE WHEN 1 THEN 1 END BEGIN " +
        "SELECT CASE WHEN 1 THEN CASE 2 WHEN 3 THEN 4 END ELSE 5 END; SELECT 6; END",
    ),
    one("columns called type, begin and end", 'CREATE TABLE a (type TEXT, "begin" INT, "end" INT)'),
    one("a table called trigger", "CREATE TABLE x_trigger (a INT)"),
    many("BEGIN and COMMIT", "BEGIN; SELECT 1; COMMIT;", "BEGIN", "SELECT 1", "COMMIT"),
    many("BEGIN and END", "BEGIN; SELECT 1; END; SELECT 2", "BEGIN", "SELECT 1", "END", "SELECT 2"),
  ],
};
