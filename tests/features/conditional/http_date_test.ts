import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseHttpDate } from "../../../src/features/conditional/preconditions.ts";

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

Deno.test("parseHttpDate() + reads the examples of RFC 9110, 5.6.7", () => {
  for (
    const text of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ]
  ) assertEquals([text, parseHttpDate(text)], [text, EXAMPLE]);
});

Deno.test("parseHttpDate() + reads each second in all three formats", () => {
  const now = new Date().getUTCFullYear();
  const seconds = fc.integer({ min: Date.UTC(1000, 0) / 1000, max: Date.UTC(9999, 0) / 1000 });
  fc.assert(fc.property(seconds, (seconds) => {
    const date = new Date(seconds * 1000);
    const text = date.toUTCString();
    assertEquals(parseHttpDate(text), date.getTime());
    const [, day = "", month, year = "", time] = text.split(" ");
    const name = text.slice(0, 3);
    assertEquals(
      parseHttpDate(`${name} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`),
      date.getTime(),
    );
    if (date.getUTCFullYear() <= now - 49 || date.getUTCFullYear() >= now + 50) return;
    const long = `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
    assertEquals(parseHttpDate(long), date.getTime());
  }));
});

Deno.test("parseHttpDate() + refuses all other texts", () => {
  for (
    const text of [
      "",
      "0",
      "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37",
      "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT",
      "Sun, 06 Nov 1994 08:49:60 GMT",
      "Mon, 06 Nov 1994 08:49:37 GMT",
      "Xyz, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Xyz 1994 08:49:37 GMT",
      "Wed, 30 Feb 1994 08:49:37 GMT",
      " Sun, 06 Nov 1994 08:49:37 GMT",
      "1994-11-06T08:49:37Z",
    ]
  ) assertEquals([text, parseHttpDate(text)], [text, undefined]);
  fc.assert(fc.property(fc.string(), (text) => assertEquals(parseHttpDate(text), undefined)));
});
