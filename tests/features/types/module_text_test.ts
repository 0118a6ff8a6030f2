import { parse } from "@babel/parser";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { docComment, moduleOf, TypeNames } from "../../../src/features/types/module_text.ts";
import { propertyName } from "../../../src/text/typescript.ts";

const TEXT = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom(
      ...[
        "a",
        "B",
        "1",
        "_",
        "$",
        "-",
        ".",
        " ",
        '"',
        "\\",
        "/",
        "*",
        "\n",
        "\u2028",
        "ß",
        "é",
        "名",
        "🙂",
        "ǰ",
      ],
    ),
  }),
  fc.constantFrom("__proto__", "constructor", "new_users", "users", "class", "date", "*/", "/*"),
);

Deno.test("TypeNames + propertyName + docComment: any names give a module that parses", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(TEXT, TEXT), { selector: ([name]) => name }), (all) => {
      const names = new TypeNames(["Date"]);
      const given = all.map(([name]) => names.take(name, (name) => [`New${name}`]));
      assertEquals(
        new Set([
          "Date",
          ...given,
          ...given.map((name) => `New${name}`),
        ]).size,
        2 * given.length + 1,
      );
      const body = all.map(([name, comment], index) =>
        `${docComment(comment)}export interface ${given[index]} {\n` +
        `${docComment(comment, "  ")}  ${propertyName(name)}: Date;\n}\n`
      ).join("\n");
      const { program } = parse(moduleOf(body, {}), {
        sourceType: "module",
        plugins: ["typescript"],
      });
      const found = program.body.map((statement) => {
        const { declaration } = statement as unknown as { declaration: Interface };
        const [{ key }] = declaration.body.body as [Member];
        return [declaration.id.name, "name" in key ? key.name : key.value];
      });
      assertEquals(found, all.map(([name], index) => [given[index]!, name]));
    }),
  );
});

interface Interface {
  readonly id: { readonly name: string };
  readonly body: { readonly body: readonly Member[] };
}

interface Member {
  readonly key: { readonly name: string } | { readonly value: string };
}

Deno.test("TypeNames + take(): names as Kysely's, with a number where one is taken", () => {
  const names = new TypeNames(["Date"]);
  const of = (name: string) => names.take(name, (name) => [`New${name}`]);
  assertEquals(
    ["users", "user_accounts", "UserAccounts", "new_users", "audit.log", "2fa", "date", "?"].map(
      of,
    ),
    ["Users", "UserAccounts", "UserAccounts2", "NewUsers2", "AuditLog", "_2fa", "Date2", "_"],
  );
});

Deno.test("moduleOf + known declarations: only those that the body names", () => {
  const known = { A: "type A = 1;\n", B: "type B = 2;\n" };
  const [, , ...lines] = moduleOf("type C = A;\n", known).split("\n");
  assertEquals(lines, ["", "type A = 1;", "", "type C = A;", ""]);
});
