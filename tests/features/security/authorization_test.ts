import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseAuthorization } from "../../../src/features/security/challenges.ts";

const TCHAR = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const TOKEN68 = "-._~+/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const word = (alphabet: string) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 40 }).map((all) =>
    all.join("")
  );

Deno.test("parseAuthorization() + reads what the grammar of RFC 9110 makes", () => {
  fc.assert(fc.property(
    word(TCHAR),
    fc.integer({ min: 1, max: 3 }),
    word(TOKEN68),
    fc.integer({ min: 0, max: 3 }),
    (scheme, blanks, text, padding) => {
      const token = text + "=".repeat(padding);
      assertEquals(parseAuthorization(scheme + " ".repeat(blanks) + token), {
        scheme: scheme.toLowerCase(),
        token,
      });
      assertEquals(parseAuthorization(scheme), { scheme: scheme.toLowerCase() });
    },
  ));
});

Deno.test("parseAuthorization() + gives no token of anything else", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
    const found = parseAuthorization(text);
    const expected = /^([\w!#$%&'*+.^`|~-]+) +([\w.~+/-]+=*)$/.exec(text);
    assertEquals(found?.token, expected?.[2]);
    if (found) assert(text.toLowerCase().startsWith(found.scheme));
  }));
  for (const header of [undefined, "", " ", ",", "(", "é x"]) {
    assertEquals(parseAuthorization(header), undefined);
  }
});

Deno.test("parseAuthorization() + looks at no token of more than 16 kB", () => {
  const found = [16_000, 17_000].map((length) =>
    parseAuthorization(`Bearer ${"a".repeat(length)}`)
  );
  assertEquals(found.map((one) => one?.token?.length), [16_000, undefined]);
});

Deno.test("parseAuthorization() + of two headers is never a token", () => {
  fc.assert(fc.property(word(TOKEN68), word(TOKEN68), (one, other) => {
    assertEquals(parseAuthorization(`Bearer ${one}, Bearer ${other}`)?.token, undefined);
    assertEquals(parseAuthorization(`Bearer ${one}, ${other}`)?.token, undefined);
  }));
});

Deno.test("parseAuthorization() + takes a time that is linear in the header", () => {
  const started = performance.now();
  for (const text of [" ", "=", "a", "a=", ", "]) {
    parseAuthorization(`Bearer ${text.repeat(1_000_000)}`);
    parseAuthorization(`Bearer ${text.repeat(8_000)}!`);
    parseAuthorization(text.repeat(1_000_000));
  }
  assert(performance.now() - started < 2000);
});
