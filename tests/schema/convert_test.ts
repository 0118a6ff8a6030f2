import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { conversionOf } from "../../src/schema/mod.ts";
import type { ScalarTypes } from "../../src/web/bind/value_type.ts";

const UUID = "123e4567-e89b-12d3-a456-426614174000";

const ACCEPTED: { readonly [T in keyof ScalarTypes]: readonly (readonly [string, unknown])[] } = {
  string: [["", ""], [" a ", " a "], ["12", "12"]],
  int: [
    ["0", 0],
    ["-0", 0],
    ["007", 7],
    ["-12", -12],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
  ],
  bigint: [["0", 0n], ["-12", -12n], ["9007199254740993", 9007199254740993n]],
  number: [["0", 0], ["1.5", 1.5], ["-.5", -.5], ["1.", 1], ["1e3", 1000], ["2E-2", 0.02]],
  boolean: [
    ["true", true],
    ["TRUE", true],
    ["on", true],
    ["yes", true],
    ["1", true],
    ["false", false],
    ["Off", false],
    ["no", false],
    ["0", false],
  ],
  uuid: [[UUID, UUID], [UUID.toUpperCase(), UUID]],
  date: [["2026-01-31", "2026-01-31"], ["2024-02-29", "2024-02-29"]],
  "date-time": [
    ["2026-01-31T12:00:00Z", new Date("2026-01-31T12:00:00Z")],
    ["2026-01-31t12:00:00.5z", new Date("2026-01-31T12:00:00.500Z")],
    ["2026-01-31T12:00:00.123456+05:30", new Date("2026-01-31T06:30:00.123Z")],
    ["2026-01-31T12:00:00-00:30", new Date("2026-01-31T12:30:00Z")],
    ["2024-02-29T00:00:00Z", new Date("2024-02-29T00:00:00Z")],
    ["0001-01-01T00:00:00Z", new Date("0001-01-01T00:00:00Z")],
  ],
};

const REFUSED: { readonly [T in keyof ScalarTypes]: readonly string[] } = {
  string: [],
  int: [
    "",
    " 1",
    "12abc",
    "1.5",
    "1e3",
    "0x10",
    "+1",
    "--1",
    "9007199254740992",
    "1_000",
    "٣",
    "NaN",
  ],
  bigint: ["", "1n", "1.0", "abc", "9".repeat(1002)],
  number: ["", ".", "-", "1,5", "NaN", "Infinity", "1e999", "0x1", " 1", "1e"],
  boolean: ["", "2", "y", "t", "truthy", " true"],
  uuid: ["", UUID.slice(1), `${UUID}0`, UUID.replaceAll("-", ""), UUID.replace("1", "g")],
  date: ["", "2026-02-29", "2026-1-31", "2026-01-31T00:00:00Z", "2026-01-31 ", "20260131"],
  "date-time": [
    "",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+00:60",
    "2026-01-01T00:00:00.Z",
    "1767225600000",
  ],
};

for (const type of Object.keys(ACCEPTED) as (keyof ScalarTypes)[]) {
  Deno.test(`conversionOf() + reads '${type}' strictly`, () => {
    const { convert } = conversionOf(type);
    for (const [text, value] of ACCEPTED[type]) assertEquals(convert(text), value, text);
    for (const text of REFUSED[type]) assertEquals(convert(text), undefined, text);
  });
}

Deno.test("conversionOf() + takes literals only as they are written", () => {
  const { convert, expected } = conversionOf(["asc", "desc"]);
  assertEquals(["asc", "desc", "ASC", "", "constructor"].map(convert), [
    "asc",
    "desc",
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals(expected, "one of 'asc', 'desc'");
});

Deno.test("conversionOf() + reads back every integer, bigint and date that is written", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => {
    assertEquals(conversionOf("int").convert(String(value)), value + 0);
  }));
  fc.assert(fc.property(fc.bigInt(), (value) => {
    assertEquals(conversionOf("bigint").convert(String(value)), value);
  }));
  const dates = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(fc.property(dates, (value) => {
    assertEquals(conversionOf("date-time").convert(value.toISOString()), value);
  }));
});
