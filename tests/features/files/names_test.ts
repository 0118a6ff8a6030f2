import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { join, normalize } from "@std/path/windows";
import { contentDisposition, isServedName } from "../../../src/features/files/names.ts";

/** UTF-16, well-formed or not. */
const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

Deno.test("isServedName() + a path of such names stays below its folder, on Windows, too", () => {
  const name = fc.oneof(
    text,
    fc.stringMatching(/^[./\\: ~a%0-9]*$/),
    fc.constantFrom("..", ".", "con", "NUL.txt", "a:b", "a."),
  );
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      fc.pre(names.every(isServedName));
      const path = normalize(join("C:\\root", ...names));
      assertEquals(path, ["C:\\root", ...names].join("\\"));
      assertEquals(/(?:^|\\)\.|:.*:/.test(path), false);
    }),
    { numRuns: 500 },
  );
});

Deno.test("contentDisposition() + every name is a value of RFC 6266 and 8187 that keeps it", () => {
  fc.assert(fc.property(fc.oneof(text, fc.string()), (name) => {
    const written = contentDisposition(name);
    const [, ascii = "", encoded] =
      /^attachment; filename="([ !#$&-[\]-~]*)"(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]*))?$/.exec(
        written,
      ) ?? [];
    assertMatch(written, /^attachment; filename="[ -~]*"/);
    const saved = encoded === undefined ? ascii : decodeURIComponent(encoded);
    assertEquals(/[/\\]/.test(saved), false);
    // deno-lint-ignore no-control-regex -- control characters are what it is about
    const plain = name.replace(/[\0-\x1f\x7f]/g, "").split(/[/\\]/).at(-1)!.toWellFormed();
    assertEquals(saved, plain === "." || plain === ".." ? "" : plain);
  }));
});
