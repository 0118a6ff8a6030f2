import { assertEquals, assertThrows } from "@std/assert";
import { MappingError } from "../../src/web/errors.ts";
import { parsePattern } from "../../src/web/path/pattern.ts";

Deno.test("parsePattern() + names the kind of every segment", async (t) => {
  const cases: readonly (readonly [path: string, kinds: string, variables: string])[] = [
    ["", "", ""],
    ["/", "literal", ""],
    ["users", "literal", ""],
    ["/users/search", "literal literal", ""],
    ["/users/", "literal literal", ""],
    ["/users/{id}", "literal variable", "id"],
    ["/users/{user-id}/x", "literal variable literal", "user-id"],
    ["/{a}/{b}", "variable variable", "a b"],
    ["/{id:\\d+}", "expression", "id"],
    ["/{id:[0-9]{3}}", "expression", "id"],
    ["/{path:a/b}", "expression", "path"],
    ["/{name}.{ext}", "expression", "name ext"],
    ["/*.txt", "expression", ""],
    ["/a*", "expression", ""],
    ["/*", "wildcard", ""],
    ["/a/*/b", "literal wildcard literal", ""],
    ["/**", "rest", ""],
    ["/a/{*rest}", "literal rest", "rest"],
  ];
  for (const [path, kinds, variables] of cases) {
    await t.step(path || "(empty)", () => {
      const pattern = parsePattern(path);
      assertEquals(pattern.segments.map(({ kind }) => kind).join(" "), kinds);
      assertEquals(pattern.variables.join(" "), variables);
    });
  }
});

Deno.test("parsePattern() + anchors expressions and takes literal text as it is", () => {
  const [segment] = parsePattern("/v{major:\\d+}.{minor}+").segments;
  if (segment?.kind !== "expression") throw new Error("No expression");
  assertEquals(segment.expression.exec("v1.x+")?.slice(1), ["1", "x"]);
  for (const text of ["v1xx+", "xv1.x+", "v1.x", "v1.xx"]) {
    assertEquals(segment.expression.test(text), false, text);
  }
});

Deno.test("parsePattern() + refuses paths that cannot be read", async (t) => {
  const cases: readonly (readonly [path: string, reason: string])[] = [
    ["/{id", "'{' is not closed"],
    ["/id}", "'}' has no '{' before it"],
    ["/{}", "'{}' is not a valid name of a variable"],
    ["/{a b}", "'{a b}' is not a valid name of a variable"],
    ["/{:x}", "'{}' is not a valid name of a variable"],
    ["/{id:}", "the variable 'id' has an empty regular expression"],
    ["/{id:[}", "its regular expression is invalid"],
    ["/{a}/{a}", "the variable 'a' is declared twice"],
    ["/**/a", "'**' is only allowed at the end"],
    ["/{*a}/b", "'{*a}' is only allowed at the end"],
    ["/a**", "'**' must be a whole segment"],
    ["/a{*b}", "'{*b}' must be a whole segment, as in '/{*b}'"],
    ["/a//b", "a segment is empty"],
    ["/cats/:id", "a variable is written '{id}', not ':id'"],
    ["/:id?/toys", "a variable is written '{id}', not ':id'"],
  ];
  for (const [path, reason] of cases) {
    await t.step(path, () => {
      assertThrows(
        () => parsePattern(path),
        MappingError,
        `Cannot read the path '${path}': ${reason}`,
      );
    });
  }
});
