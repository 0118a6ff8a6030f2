import { assertEquals } from "@std/assert";
import { isSecret, masker } from "../../src/text/mod.ts";

Deno.test("isSecret goes by the name", () => {
  const secret = [
    "search[0].password",
    "DB_PASSWORD",
    "db_pass",
    "passphrase",
    "app-pw",
    "api_key",
    "clientKey",
    "key",
    "ssh_key",
    "bearer_token",
    "client-secret",
  ];
  const open = [
    "keyboard",
    "bypassed",
    "monkey",
    "schema",
    "passive",
    "username",
  ];
  assertEquals(secret.filter((name) => !isSecret(name)), []);
  assertEquals(open.filter(isSecret), []);
});

Deno.test("masker takes values out in every form in which they are written", () => {
  const mask = masker([['p@ss "1"\n', "***"], ["abc", "${x}"], ["abcdef", "${y}"]]);
  const table: [text: string, expected: string][] = [
    ['user p@ss "1"\n!', "user ***!"],
    ['user p@ss "1" !', "user *** !"],
    ["https://u:p%40ss%20%221%22@h", "https://u:***@h"],
    ['{"a":"p@ss \\"1\\""}', '{"a":"***"}'],
    ["abcdef abc", "${y} ${x}"],
  ];
  for (const [text, expected] of table) assertEquals(mask(text), expected);
});

Deno.test("masker hides a short value only where it stands alone", () => {
  const mask = masker([["a", "***"]]);
  assertEquals(
    mask("password 'a' of the database at a:1"),
    "password '***' of the database at ***:1",
  );
});

Deno.test("masker leaves texts alone where there is nothing to hide", () => {
  assertEquals(masker([["", "***"]])("any text"), "any text");
});

Deno.test("masker takes every character of a value as it is", () => {
  const value = "a-b\\^$.*+?()[]{}|/'\"#%&,:;<=>@_`~! \u{1F600}";
  assertEquals(masker([[value, "***"]])(`x ${value} y`), "x *** y");
});

Deno.test("masker hides what is left of a value that was cut off, and each of its lines", () => {
  const mask = masker([["Tr0ub4dor-and-3-long", "***"], ["line one\nline two\n", "$x"]]);
  const table: [text: string, expected: string][] = [
    ["near 'Tr0ub4dor-and-3-...'", "near '***...'"],
    ["near 'Tr0u…'", "near '***…'"],
    ['relation "Tr0ub4dor" exists', 'relation "***" exists'],
    ["Tr0 is no secret", "Tr0 is no secret"],
    ["near 'line one' at line 2", "near '$x' at line 2"],
    ["Tr0uTr0ub4dor-Tr0ub4dor-and-3-long!", "Tr0u******!"],
  ];
  for (const [text, expected] of table) assertEquals(mask(text), expected);
});
