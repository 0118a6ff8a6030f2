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
  const mask = masker([['p@ss "1"\n', "***"], ["abcd", "${x}"], ["abcdef", "${y}"]]);
  const table: [text: string, expected: string][] = [
    ['user p@ss "1"\n!', "user ***!"],
    ['user p@ss "1" !', "user *** !"],
    ["https://u:p%40ss%20%221%22@h", "https://u:***@h"],
    ['{"a":"p@ss \\"1\\""}', '{"a":"***"}'],
    ["abcdef abcd", "${y} ${x}"],
  ];
  for (const [text, expected] of table) assertEquals(mask(text), expected);
});

Deno.test("masker hides a value where it is no word or number by chance", () => {
  const table: [secret: string, text: string, expected: string][] = [
    // Fewer than 4 characters, and flags: only as all that is quoted.
    [
      "a",
      "password 'a' of a at a:1, {\"b\":\"a\"} and 'a b'",
      "password '***' of a at a:1, {\"b\":\"***\"} and 'a b'",
    ],
    ["true", "transactional: true, 'true'", "transactional: true, '***'"],
    // Fewer than 8: where they stand alone.
    ["5432", "pid 154321 at 127.0.0.1:5432", "pid 154321 at 127.0.0.1:***"],
    ["shop", "shop_id of 'shop' in workshop", "shop_id of '***' in workshop"],
    ["hunter2", "%2Fhunter2 \\nhunter2 \\u000ahunter2", "%2F*** \\n*** \\u000a***"],
    // The others everywhere.
    ["hunter22", "xhunter22y", "x***y"],
    ["Hunter22", 'relation "hunter22"', 'relation "***"'],
  ];
  for (const [secret, text, expected] of table) {
    assertEquals(masker([[secret, "***"]])(text), expected);
  }
});

Deno.test("masker hides secrets that overlap, and leaves what it has shown alone", () => {
  const mask = masker([
    ["abcdefgh", "${x}"],
    ["efghijkl", "${y}"],
    ["password", "${db_password}"],
    ["aaaaaaaa", "${z}"],
  ]);
  assertEquals(mask("abcdefghijkl"), "${x}${y}");
  assertEquals(mask("aaaaaaaaaaaa"), "${z}");
  assertEquals(mask(mask("a password.")), "a ${db_password}.");
});

Deno.test("masker hides a secret in each form, and wherever base64 begins", () => {
  const secret = "Hunt3r & <s\u00e9cret>'/+\"\\";
  const mask = masker([[secret, "***"]]);
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const forms = [
    ...[
      secret,
      secret.replaceAll("'", "''"),
      secret.replace(/['\\]/g, "\\$&"),
      JSON.stringify(secret),
    ],
    ...[JSON.stringify(JSON.stringify(secret)), encodeURIComponent(secret), encodeURI(secret)],
    ...[`${new URLSearchParams({ a: secret })}`, `\\x${hex}`, `0x${hex.toUpperCase()}`],
    ...[
      "Hunt3r &amp; &lt;s\u00e9cret&gt;&#39;/+&quot;\\",
      "Hunt3r &amp; &lt;s\u00e9cret&gt;'/+\"\\",
    ],
    encodeURIComponent(JSON.stringify(secret)),
  ];
  for (const form of forms) {
    const shown = mask(`x: ${form}.`);
    assertEquals(/unt3r|cret|556e|756e74/i.test(shown), false, shown);
  }
  for (const before of ["", "u:", "us:", "user:"]) {
    const text = btoa(String.fromCharCode(...new TextEncoder().encode(before), ...bytes));
    const shown = mask(`Basic ${text}`);
    assertEquals(shown.includes("***") && shown.length < 24, true, shown);
  }
});

Deno.test("masker hides the parts of a value that servers quote", () => {
  const secret = `Xk9'fTz"Qw7LmN2pR`;
  const mask = masker([
    [secret, "***"],
    ["line one\nX7y é 9ab]!xW-secret[", "${token}"],
    ["x [ab12cd] (abc12,efgh) hidden secretary", "$s"],
    ["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----", "$pem"],
  ]);
  for (
    const [text, expected] of [
      // Messages as PostgreSQL, MariaDB and SQLite print them.
      [`at or near ""Qw7LmN2pR'; END "`, `at or near ""***'; END "`],
      [`near 'fTz"Qw7LmN2pR'' at line 1`, `near 'fTz"***'' at line 1`],
      [`near "Qw7LmN2pR": syntax error`, `near "***": syntax error`],
      ["XPATH syntax error: '!xW-secret['", "XPATH syntax error: '${token}['"],
      [
        "Duplicate entry 'line one\\x0AX7y \\xC3\\xA9 9ab]!xW-secret[' for key",
        "Duplicate entry '${token}' for key",
      ],
      // A secret of 6 or 7 characters is replaced only as a whole word; shorter ones, and words, are not specific
      // enough.
      ["ab12cd, ab12cde abc12 efgh", "$s, ab12cde abc12 efgh"],
      ["x0ab12cd \\x0Aab12cd", "x0ab12cd \\x0A$s"],
      ["a hidden secretary has a PRIVATE KEY", undefined],
      ["key MIIEvQIBADANBgkq", "key $pem"],
    ] as const
  ) {
    assertEquals(mask(text), expected ?? text);
    assertEquals(mask(mask(text)), expected ?? text);
  }
  assertEquals(masker([[secret, "***"]], { whole: true })("Qw7LmN2pR"), "Qw7LmN2pR");
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
