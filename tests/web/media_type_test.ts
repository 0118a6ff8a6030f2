import { assertEquals } from "@std/assert";
import { consumesFits, negotiate } from "../../src/web/answer/media_type.ts";

Deno.test("consumesFits() + compares types without parameters, wildcards included", () => {
  const cases: readonly (readonly [types: string[], contentType: string | null, fits: boolean])[] =
    [
      [[], null, true],
      [[], "text/plain", true],
      [["text/plain"], null, false],
      [["text/plain"], "text/plain", true],
      [["text/plain"], "Text/Plain ; charset=utf-8", true],
      [["text/plain;charset=utf-8"], "text/plain", true],
      [["text/*"], "text/csv", true],
      [["text/*"], "application/json", false],
      [["*/*"], "a/b", true],
      [["application/*+json"], "application/vnd.api+json", true],
      [["application/*+json"], "application/json", false],
      [["text/plain", "application/json"], "application/json", true],
      [["text/plain"], "", false],
      [["text/plain"], "text/plain2", false],
    ];
  for (const [types, contentType, fits] of cases) {
    assertEquals(consumesFits(types, contentType), fits, `${types} ${contentType}`);
  }
});

Deno.test("negotiate() + prefers by quality, then by the order of the types", () => {
  const both = ["application/json", "text/html;charset=UTF-8"];
  const LEVELS = ["text/html", "text/html;level=2"];
  const cases:
    readonly (readonly [types: string[], accept: string | null, type: string | undefined])[] = [
      [both, null, both[0]],
      [both, "", both[0]],
      [both, "*/*", both[0]],
      [both, "*", both[0]],
      [both, "text/html", both[1]],
      [both, "TEXT/*", both[1]],
      [both, "text/html, application/json", both[0]],
      [both, "text/html;q=0.9, application/json;q=0.8", both[1]],
      [both, "text/html;q=0.9, */*;q=0.1", both[1]],
      [both, "*/*, application/json;q=0.1", both[1]],
      [both, "application/json;q=0, */*;q=0.1", both[1]],
      [both, "application/json;q=0", undefined],
      [both, "image/png", undefined],
      [both, "application/*+json", undefined],
      [[], "*/*", undefined],
      [both, ",", both[0]],
      [both, 'text/html;note="a,b;q=0.1", application/json;Q = 0.5', both[0]],
      [both, 'text/html;a="x, application/json, y";q=0.6', both[1]],
      [both, 'text/html;a="x";b="x, application/json, y";q=0.6', both[1]],
      [[both[0]!], 'text/html;a="x", application/json;b="y"', both[0]],
      [[both[0]!], 'text/html;a="", application/json;b=""', both[0]],
      [both, "application/json;q=0.5;level=1, text/html;level=2;q=0.6", both[1]],
      [both, "text/html;level=1, application/json;q=0.1", both[0]],
      [both, "text/html;level=1;q=0.1, text/html;q=0.7, application/json;q=0.5", both[1]],
      [both, "text/html;level=1, text/html;q=0", undefined],
      [both, "text/html;level=1, */*;q=0.1", both[0]],
      [both, "text/html;level=1", both[1]],
      [both, "text/html; Charset=UTF-8, application/json;q=0.9", both[1]],
      [both, 'application/json;q=0.9, text/html;charset="utf-8"', both[1]],
      [LEVELS, "text/html;level=2", LEVELS[1]],
      [LEVELS, 'text/html;q=0.5, text/html; Level="2"', LEVELS[1]],
      [LEVELS, "text/html;level=2;q=0.1, text/html;q=0.2", LEVELS[0]],
      [both, "text/html;q=high, application/json;q=7", both[0]],
    ];
  for (const [types, accept, type] of cases) {
    assertEquals(negotiate(types, accept)?.type, type, `${accept}`);
  }
});
