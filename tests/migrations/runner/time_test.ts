import { assertEquals } from "@std/assert";
import { readTime } from "../../../src/migrations/runner/mod.ts";

const TIMES: readonly (readonly [unknown, string])[] = [
  ["2024-05-06 07:08:09", "2024-05-06T07:08:09.000Z"],
  ["2024-05-06 07:08:09.123456", "2024-05-06T07:08:09.123Z"],
  ["2024-05-06T07:08:09Z", "2024-05-06T07:08:09.000Z"],
  ["2024-05-06 09:08:09.5+02", "2024-05-06T07:08:09.500Z"],
  ["2024-05-06 07:08:09+0000", "2024-05-06T07:08:09.000Z"],
  ["2024-05-06 03:38:09-03:30", "2024-05-06T07:08:09.000Z"],
  ["2024-05-06", "2024-05-06T00:00:00.000Z"],
  [1714979289000, "2024-05-06T07:08:09.000Z"],
  ["yesterday", "1970-01-01T00:00:00.000Z"],
];

Deno.test("readTime reads what journals hold, without a zone as UTC", () => {
  for (const [value, expected] of TIMES) {
    assertEquals(readTime(value).toISOString(), expected, String(value));
  }
});
