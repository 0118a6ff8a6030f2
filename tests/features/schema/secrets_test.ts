import { assertEquals } from "@std/assert";
import {
  cleanMysql,
  cleanPostgresql,
  withPlaceholders,
} from "../../../src/features/schema/clean.ts";

Deno.test("withPlaceholders shows names instead of secret values, and leaves words alone", () => {
  const placeholders = {
    api_password: "hunter2hunter2",
    quoted_secret: "it's a \\ long",
    lines_token: "first line\nsecond line\n",
    short_token: "shop",
    one_secret: "x",
    empty_secret: "",
    owner: "visible_owner",
  };
  const cases: [schema: string, expected: string][] = [
    ["DEFAULT 'hunter2hunter2'::text", "DEFAULT '${api_password}'::text"],
    ["url 'a://u:hunter2hunter2@b'", "url 'a://u:${api_password}@b'"],
    ["'it''s a \\ long'", "'${quoted_secret}'"],
    ["E'it''s a \\\\ long'", "E'${quoted_secret}'"],
    ["'it\\'s a \\\\ long'", "'${quoted_secret}'"],
    ["'first line\nsecond line\n'", "'${lines_token}'"],
    ["'first line\\nsecond line'", "'${lines_token}'"],
    // A short one is a word: only a literal may hold it, by itself.
    [
      "CREATE TABLE shop (shop_id int DEFAULT 'shop');",
      "CREATE TABLE shop (shop_id int DEFAULT '${short_token}');",
    ],
    ["DEFAULT 'a://u:shop@workshop'", "DEFAULT 'a://u:${short_token}@workshop'"],
    ["x 'x' 'xx' ''", "x '${one_secret}' 'xx' ''"],
    ["'visible_owner'", "'visible_owner'"],
    ["'\\x68756e746572326875ab'", "'\\x68756e746572326875ab'"],
    ["DEFAULT '\\x68756e7465723268756e74657232'::bytea", "DEFAULT '\\x${api_password}'::bytea"],
    ["CREATE TABLE hunter2hunter (a int);", "CREATE TABLE hunter2hunter (a int);"],
  ];
  for (const [schema, expected] of cases) {
    assertEquals(withPlaceholders(schema, placeholders), expected);
  }
  assertEquals(withPlaceholders("'a'", {}), "'a'");
});

const TABLE =
  "--\n-- Name: a; Type: TABLE; Schema: public; Owner: -\n--\n\nCREATE TABLE a ();\n\n\n";
const SERVER = "--\n-- Name: fs; Type: SERVER; Schema: -; Owner: -\n--\n\n" +
  "CREATE SERVER fs FOREIGN DATA WRAPPER w OPTIONS (\n    host 'x',\n    api_key 'S'\n);\n\n\n";
const MAPPING =
  "--\n-- Name: USER MAPPING public SERVER fs; Type: USER MAPPING; Schema: -; Owner: -\n--\n\n" +
  "CREATE USER MAPPING FOR public SERVER fs OPTIONS (\n    password 'it''s; \n\n--\n-- Name: S',\n" +
  "    \"user\" 'bob'\n);\n\n\n";

Deno.test("cleanPostgresql leaves out user mappings, and values of secret options", () => {
  const head = "SET a = b;\n\n";
  const shown = SERVER.replace("'S'", "'***'");
  for (const tail of [TABLE, ""]) {
    const expected = cleanPostgresql(`${head}${TABLE}${shown}${tail}`);
    assertEquals(cleanPostgresql(`${head}${TABLE}${SERVER}${MAPPING}${tail}`), expected);
    assertEquals(cleanPostgresql(`${head}${TABLE}${MAPPING}${SERVER}${MAPPING}${tail}`), expected);
  }
  const table = TABLE.replace("()", "(\n    password 'text'\n)");
  assertEquals(cleanPostgresql(`${head}${table}`), `${head}${table}`.trimEnd() + "\n");
});

Deno.test("cleanMysql leaves out values of sequences, and passwords of other servers", () => {
  const cases: [line: string, expected: string][] = [
    ["DO SETVAL(`sq`, 1001, 0);", ""],
    [
      ") ENGINE=FEDERATED CONNECTION='mysql://u:p@h/db/t';",
      ") ENGINE=FEDERATED CONNECTION='mysql://…@h/db/t';",
    ],
    [
      ") ENGINE=CONNECT `OPTION_LIST`='user=u,password=geheim,host=h';",
      ") ENGINE=CONNECT `OPTION_LIST`='user=u,password=***,host=h';",
    ],
    [
      ') ENGINE=SPIDER COMMENT=\'wrapper "mysql", password "geheim", port "1"\';',
      ') ENGINE=SPIDER COMMENT=\'wrapper "mysql", password "***", port "1"\';',
    ],
  ];
  for (const [line, expected] of cases) {
    const kept = expected === "" ? "" : `${expected}\n`;
    assertEquals(cleanMysql(`a\n${line}\nb\n`), `a\n${kept}b\n`);
  }
});
