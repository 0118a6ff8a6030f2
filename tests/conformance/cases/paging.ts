import type { Case } from "../types.ts";

const link = (links: Readonly<Record<string, string>>) =>
  Object.entries(links).map(([rel, query]) => `<?${query}>; rel="${rel}"`).join(", ");

/** A page of the five rows. */
const page = (
  name: string,
  query: string,
  ids: readonly number[],
  number: number,
  links: Readonly<Record<string, string>>,
  { size = 2, total = 5 } = {},
): Case => ({
  name,
  path: `/pages/counted${query}`,
  status: 200,
  json: {
    content: ids.map((id) => ({ id })),
    page: { size, number, totalElements: total, totalPages: Math.ceil(total / size) },
  },
  responseHeaders: { link: link(links) },
});

const slice = (
  name: string,
  query: string,
  ids: readonly number[],
  number: number,
  links: Readonly<Record<string, string>>,
): Case => ({
  name,
  path: `/pages/sliced${query}`,
  status: 200,
  json: { content: ids.map((id) => ({ id })), page: { size: 2, number, hasNext: number < 3 } },
  responseHeaders: { link: link(links) },
});

const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / 10);
const asInteger = (max: number, found: string) =>
  `expected an integer from 1 to ${max}, found '${found}'`;
const asField = (found: string) =>
  `expected one of 'id', 'name', alone or with ',asc' or ',desc', found '${found}'`;

const refused = (
  name: string,
  query: string,
  ...problem: readonly [parameter: string, message: string][]
): Case => ({
  name,
  path: `/pages/counted?${query}`,
  status: 400,
  responseHeaders: { link: null },
  problem: problem.map(([parameter, message]) => ({ parameter, message })),
});

const pageIs = (text: string, sent = text) =>
  refused(`page '${text}' is 400`, `page=${sent}`, ["page", asInteger(MAX_PAGE, text)]);
const sizeIs = (text: string, sent = text) =>
  refused(`size '${text}' is 400`, `size=${sent}`, ["size", asInteger(10, text)]);

const asked = (
  name: string,
  query: string,
  sort: readonly [string, string][],
  page = {},
): Case => ({
  name,
  path: `/pages/asked${query}`,
  status: 200,
  json: {
    page: 1,
    size: 20,
    offset: 0,
    ...page,
    sort: sort.map(([property, direction]) => ({ property, direction })),
  },
});

/** Pages of results, their links, and what is no page. */
export const paging: readonly Case[] = [
  page("the first page", "", [1, 2], 1, { first: "page=1", next: "page=2", last: "page=3" }),
  page("a page between", "?page=2", [3, 4], 2, {
    first: "page=1",
    prev: "page=1",
    next: "page=3",
    last: "page=3",
  }),
  page("the last page", "?page=3", [5], 3, { first: "page=1", prev: "page=2", last: "page=3" }),
  page("beyond the last page is an empty one, with a link to the previous one", "?page=9", [], 9, {
    first: "page=1",
    prev: "page=3",
    last: "page=3",
  }),
  page(
    "nothing at all is an empty page",
    "?total=0",
    [],
    1,
    { first: "total=0&page=1", last: "total=0&page=1" },
    { total: 0 },
  ),
  page(
    "beyond an empty result there is a link to the previous page, too",
    "?page=4&total=0",
    [],
    4,
    { first: "total=0&page=1", prev: "total=0&page=1", last: "total=0&page=1" },
    { total: 0 },
  ),
  page(
    "other parameters stay in the links as they were sent",
    "?q=a%26b+c&size=10&page=1&sort=id,desc&sort=name",
    [1, 2, 3, 4, 5],
    1,
    {
      first: "q=a%26b+c&size=10&sort=id,desc&sort=name&page=1",
      last: "q=a%26b+c&size=10&sort=id,desc&sort=name&page=1",
    },
    { size: 10 },
  ),
  page("what would end a link is encoded in it", `?q=<a>;"'ä\\`, [1, 2], 1, {
    first: "q=%3Ca%3E;%22%27%C3%A4%5C&page=1",
    next: "q=%3Ca%3E;%22%27%C3%A4%5C&page=2",
    last: "q=%3Ca%3E;%22%27%C3%A4%5C&page=3",
  }),
  page("the parameter of the page may be written encoded", "?p%61ge=3", [5], 3, {
    first: "page=1",
    prev: "page=2",
    last: "page=3",
  }),
  {
    ...page("HEAD has the links of GET", "?page=3", [5], 3, {
      first: "page=1",
      prev: "page=2",
      last: "page=3",
    }),
    method: "HEAD",
    json: undefined,
    text: "",
  },
  {
    name: "links that would be too long are left out",
    path: `/pages/counted?q=${"a".repeat(1400)}`,
    status: 200,
    responseHeaders: { link: null },
  },
  slice("a slice has no last page", "", [1, 2], 1, { first: "page=1", next: "page=2" }),
  slice("a slice between", "?page=2", [3, 4], 2, {
    first: "page=1",
    prev: "page=1",
    next: "page=3",
  }),
  slice("the last slice", "?page=3", [5], 3, { first: "page=1", prev: "page=2" }),
  {
    name: "an entity keeps its own links, and its page may be changed",
    path: "/pages/entity",
    status: 200,
    json: { content: [1, 2], page: { size: 2, number: 1, totalElements: 3, totalPages: 2 } },
    responseHeaders: {
      link:
        '</help>; rel="help", <?page=1>; rel="first", <?page=2>; rel="next", <?page=2>; rel="last"',
    },
  },
  asked("defaults", "", [["name", "desc"], ["id", "asc"]]),
  asked("the offset", "?page=3&size=7&sort=id", [["id", "asc"]], { page: 3, size: 7, offset: 14 }),
  asked("several orders", "?sort=name,asc&sort=id%2Cdesc", [["name", "asc"], ["id", "desc"]]),
  asked("a field that is named twice counts once", "?sort=id,desc&sort=id", [["id", "desc"]]),
  asked("the largest size", "?size=100&sort=id", [["id", "asc"]], { size: 100 }),
  pageIs("0"),
  pageIs("-1"),
  pageIs("1.5"),
  pageIs("1e3"),
  pageIs("0x10"),
  pageIs(""),
  pageIs(" 1", "+1"),
  pageIs("one"),
  pageIs("9007199254740993"),
  pageIs(String(MAX_PAGE + 1)),
  sizeIs("0"),
  sizeIs("-5"),
  sizeIs("11"),
  sizeIs("10000"),
  sizeIs("2.0"),
  sizeIs(""),
  refused("a size of 120 digits", `size=${"1".repeat(120)}`, [
    "size",
    asInteger(10, `${"1".repeat(100)}…`),
  ]),
  refused("the page twice", "page=1&page=2", ["page", "expected one value, found 2"]),
  refused("the size twice", "size=1&size=1", ["size", "expected one value, found 2"]),
  refused("malformed encoding", "page=%zz", ["page", "its percent-encoding is malformed"]),
  refused("an unknown field", "sort=password", ["sort", asField("password")]),
  refused("a field of an object", "sort=__proto__", ["sort", asField("__proto__")]),
  refused("an unknown direction", "sort=id,up", ["sort", asField("id,up")]),
  refused("a direction in capitals", "sort=id,DESC", ["sort", asField("id,DESC")]),
  refused("two fields in one", "sort=id,name", ["sort", asField("id,name")]),
  refused("no field", "sort=", ["sort", asField("")]),
  refused(
    "all that is wrong is said",
    "page=0&size=11&sort=x&total=y",
    [
      "page",
      asInteger(MAX_PAGE, "0"),
    ],
    ["size", asInteger(10, "11")],
    ["sort", asField("x")],
    [
      "total",
      "expected an integer, found 'y'",
    ],
  ),
  {
    name: "where nothing can be sorted no order is taken",
    path: "/pages/sliced?sort=id",
    status: 400,
    problem: [{ parameter: "sort", message: "expected none, because the order is fixed" }],
  },
];
