import type { Case } from "../types.ts";

const value = (name: string, path: string, json: unknown, headers?: Case["headers"]): Case => ({
  name,
  path: `/binding${path}`,
  headers,
  status: 200,
  json,
});

const refused = (
  name: string,
  path: string,
  problem: Case["problem"],
  headers?: Case["headers"],
): Case => ({ name, path: `/binding${path}`, headers, status: 400, problem });

const parameter = (message: string, name = "v") => [{ parameter: name, message }];
const int = (found: string) => parameter(`expected an integer, found '${found}'`);
const missing = parameter("it is required and was not sent");
const UUID = "123e4567-e89b-12d3-a456-426614174000";

export const binding: readonly Case[] = [
  value("a path variable as int", "/path/int/12", { v: 12 }),
  value("a negative int", "/path/int/-12", { v: -12 }),
  value("the largest int", "/path/int/9007199254740991", { v: 9007199254740991 }),
  refused("an int with letters", "/path/int/12abc", int("12abc")),
  refused("an int with a fraction", "/path/int/1.5", int("1.5")),
  refused("an int with an exponent", "/path/int/1e3", int("1e3")),
  refused("an int in hexadecimal", "/path/int/0x10", int("0x10")),
  refused("an int beyond the safe range", "/path/int/9007199254740992", int("9007199254740992")),
  refused("an int of digits that are not ASCII", "/path/int/%D9%A3", int("٣")),
  value("a uuid in lower case", `/path/uuid/${UUID.toUpperCase()}`, { v: UUID }),
  refused("no uuid", "/path/uuid/1", parameter("expected a UUID, found '1'")),
  value("a literal", "/path/literal/desc", { v: "desc" }),
  refused(
    "no literal",
    "/path/literal/DESC",
    parameter("expected one of 'asc', 'desc', found 'DESC'"),
  ),

  value("a query parameter", "/query/string?v=a", { v: "a" }),
  value("a query parameter is decoded", "/query/string?v=a+b%2B%C3%A9", { v: "a b+é" }),
  value("an encoded name of a parameter", "/query/string?%76=a", { v: "a" }),
  value("an empty text is a text", "/query/string?v=", { v: "" }),
  value("a parameter without equals sign is empty", "/query/string?v", { v: "" }),
  value("other parameters do not matter", "/query/string?w=%zz&v=a", { v: "a" }),
  refused("a required parameter that is missing", "/query/string", missing),
  refused("the name counts with its case", "/query/string?V=a", missing),
  refused(
    "a repeated parameter",
    "/query/string?v=a&v=b",
    parameter("expected one value, found 2"),
  ),
  refused(
    "malformed percent-encoding of a parameter",
    "/query/string?v=%zz",
    parameter("its percent-encoding is malformed"),
  ),
  value("a query int", "/query/int?v=007", { v: 7 }),
  refused("an empty int", "/query/int?v=", int("")),
  refused("an int with a blank", "/query/int?v=1+", int("1 ")),
  value("a bigint", "/query/bigint?v=9007199254740993", { v: "9007199254740993" }),
  refused("a bigint with n", "/query/bigint?v=1n", parameter("expected an integer, found '1n'")),
  value("a number", "/query/number?v=-1.5e3", { v: -1500 }),
  refused("no number", "/query/number?v=NaN", parameter("expected a number, found 'NaN'")),
  refused(
    "an infinite number",
    "/query/number?v=1e999",
    parameter("expected a number, found '1e999'"),
  ),
  ...["true", "on", "yes", "1", "TRUE"].map((v) =>
    value(`the boolean ${v}`, `/query/boolean?v=${v}`, { v: true })
  ),
  ...["false", "off", "no", "0"].map((v) =>
    value(`the boolean ${v}`, `/query/boolean?v=${v}`, { v: false })
  ),
  ...["2", "", "truthy"].map((v) =>
    refused(
      `no boolean '${v}'`,
      `/query/boolean?v=${v}`,
      parameter(`expected a boolean (true or false), found '${v}'`),
    )
  ),
  value("a date and time", "/query/date-time?v=2026-01-31T12:00:00%2B01:00", {
    v: "2026-01-31T11:00:00.000Z",
  }),
  refused(
    "a date and time without offset",
    "/query/date-time?v=2026-01-31T12:00:00",
    parameter(
      "expected a date and time with offset, such as 2026-01-31T12:00:00Z, found '2026-01-31T12:00:00'",
    ),
  ),
  value("a date", "/query/date?v=2024-02-29", { v: "2024-02-29" }),
  ...["2026-02-29", "2026-1-1", "2026-01-31T00:00:00Z", "", "2026-01-31 "].map((v) =>
    refused(
      `no date '${v}'`,
      `/query/date?v=${v.replace(" ", "+")}`,
      parameter(`expected a date, such as 2026-01-31, found '${v}'`),
    )
  ),
  value("a whole query", "/query/whole?q=a%20b&page=2&tag=x&tag=y", {
    q: "a b",
    page: 2,
    tag: ["x", "y"],
  }),
  value("a whole query with defaults", "/query/whole?q=a", { q: "a", page: 1 }),
  value("a whole query with __proto__", "/query/whole?q=a&__proto__=b&constructor=c", {
    q: "a",
    page: 1,
    constructor: "c",
  }),
  refused("a whole query that fails its schema", "/query/whole?page=0", [
    { parameter: "q", message: "Invalid input: expected string, received undefined" },
    { parameter: "page", message: "Too small: expected number to be >=1" },
  ]),
  value("a schema", "/query/schema?v=a@b.example", { v: "a@b.example" }),
  refused("what a schema refuses", "/query/schema?v=a", parameter("Invalid email address")),
  value("an optional parameter", "/query/optional?v=1", { v: 1 }),
  value("an optional parameter that is missing", "/query/optional", { v: null }),
  refused("an optional parameter that does not convert", "/query/optional?v=x", int("x")),
  refused("an optional parameter that is empty", "/query/optional?v=", int("")),
  value("a default", "/query/default", { v: 7 }),
  value("a default for an empty value", "/query/default?v=", { v: 7 }),
  value("a value instead of the default", "/query/default?v=8", { v: 8 }),
  refused("a default hides nothing that does not convert", "/query/default?v=x", int("x")),
  value("a list of repeated values", "/query/list?v=1&v=2", { v: [1, 2] }),
  value("a list of one value is split", "/query/list?v=1,2,3", { v: [1, 2, 3] }),
  value("a list of one", "/query/list?v=1", { v: [1] }),
  refused("a list of one value with an encoded comma", "/query/list?v=1%2C2", int("1,2")),
  value("an empty list", "/query/list?v=", { v: [] }),
  refused("a repeated value is not split", "/query/list?v=1,2&v=3", int("1,2")),
  refused("a list with a value that does not convert", "/query/list?v=1&v=x", int("x")),
  refused("a required list that is missing", "/query/list", missing),
  value("a list's default", "/query/list-default", { v: [1, 2] }),
  value("a list's default is not shared", "/query/list-default", { v: [1, 2] }),
  value("two parameters", "/query/two?b=no&a=1", { a: 1, b: false }),
  refused("all parameters that are wrong are named", "/query/two?a=x", [
    { parameter: "a", message: "expected an integer, found 'x'" },
    { parameter: "b", message: "it is required and was not sent" },
  ]),

  value("a header", "/header", { count: 3 }, { "x-count": "3" }),
  refused(
    "a header's value is not repeated",
    "/header",
    [{ header: "X-Count", message: "expected an integer" }],
    { "X-Count": "s3cret" },
  ),
  refused("a required header that is missing", "/header", [
    { header: "X-Count", message: "it is required and was not sent" },
  ]),
  value("a list in a header", "/headers", { tags: ["a", "b"] }, { "X-Tags": "a, b" }),
  value("an optional header", "/headers", { tags: null }),
  value("a cookie", "/cookie", { count: 3 }, { Cookie: "a=b; count=3" }),
  refused(
    "a cookie's value is not repeated",
    "/cookie",
    [{ cookie: "count", message: "expected an integer" }],
    { Cookie: "count=s3cret" },
  ),
  refused("a required cookie that is missing", "/cookie", [
    { cookie: "count", message: "it is required and was not sent" },
  ]),
  value("a cookie's default", "/cookie/optional", { theme: "light" }),
  value("a cookie instead of the default", "/cookie/optional", { theme: "a b" }, {
    Cookie: "theme=a%20b",
  }),
  value("an empty cookie as its default", "/cookie/optional", { theme: "light" }, {
    Cookie: "theme=",
  }),
  value("a cookie without a name as none", "/cookie/optional", { theme: "light" }, {
    Cookie: "theme; a=b\\c",
  }),
  refused(
    "a cookie that cannot be read, whatever its default",
    "/cookie/optional",
    [{
      cookie: "theme",
      message: "expected only characters that are valid in cookies (RFC 6265, 4.1.1)",
    }],
    { Cookie: "a=b; theme=a\\b" },
  ),
  value("a custom binder", "/custom", { name: "Ada" }, { "X-Caller": "Ada" }),
  {
    name: "a custom binder that refuses",
    path: "/binding/custom",
    status: 401,
    responseHeaders: { "www-authenticate": "Bearer" },
    problem: true,
  },
  value("the request itself", "/request/a%20b?q=1&q=2", {
    method: "GET",
    path: "/binding/request/a%20b",
    v: "a b",
    q: ["1", "2"],
    cookie: "d",
  }, { Cookie: "c=d" }),
];
