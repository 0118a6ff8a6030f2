import type { Case } from "../types.ts";

const FORM = `expected '*' or entity tags such as '"7"'`;

const put = (
  rule: string,
  path: string,
  field: Readonly<Record<string, string>>,
  expected: number | object,
): Case => ({
  name: rule,
  method: "PUT",
  path: `/conditional/${path}`,
  headers: { ...field, "Content-Type": "application/json" },
  body: () => '{"text":"b"}',
  ...(typeof expected === "number"
    ? { status: expected, problem: true }
    : { status: 200, json: expected }),
});

const changed = (versions: readonly string[], isAny = false) => ({ text: "b", versions, isAny });

const malformed = (field: string, header: "If-Match" | "If-None-Match"): Case => ({
  ...put(`${header} '${field}' is 400`, header === "If-Match" ? "7" : "7/created", {
    [header]: field,
  }, 400),
  problem: [{ header, message: FORM }],
});

const get = (rule: string, field: string | undefined, status: 200 | 304, method = "GET"): Case => ({
  name: rule,
  method,
  path: "/conditional/7",
  ...(field !== undefined && { headers: { "If-None-Match": field } }),
  status,
  text: status === 304 || method === "HEAD" ? "" : '{"text":"a"}',
  responseHeaders: {
    "etag": '"7"',
    "content-type": status === 304 ? null : "application/json",
    "cache-control": status === 304 ? "no-cache" : null,
  },
});

/** Preconditions of resources with a version: RFC 9110, 13.1.1 and 13.1.2, RFC 6585, 3. */
export const conditional: readonly Case[] = [
  put("If-Match with the version", "7", { "If-Match": '"7"' }, changed(["7"])),
  put("If-Match with any version", "7", { "If-Match": "*" }, changed([], true)),
  put("If-Match with the version in a list", "7", { "If-Match": '"6",, "7"' }, changed(["6", "7"])),
  put("If-Match with another version", "7", { "If-Match": '"6"' }, 412),
  put("If-Match compares strongly", "7", { "If-Match": 'W/"7"' }, 412),
  put("If-Match with weak and strong", "7", { "If-Match": 'W/"6", "7"' }, changed(["7"])),
  put("If-Match without the resource", "none", { "If-Match": '"7"' }, 412),
  put("If-Match with any version of no resource", "none", { "If-Match": "*" }, 412),
  put("If-Match without a tag matches nothing", "7", { "If-Match": "," }, 412),
  put("a version that is encoded in its tag", "a%20b%22", { "If-Match": '"a%20b%22"' }, {
    text: "b",
    versions: ["a%20b%22"],
    isAny: false,
  }),
  {
    ...put("without If-Match 428", "7", {}, 428),
    responseHeaders: { "cache-control": "no-store" },
  },
  {
    ...put("an invalid body is 400 whatever the version", "7", { "If-Match": '"6"' }, 400),
    body: () => "[]",
  },
  malformed("7", "If-Match"),
  malformed('"7', "If-Match"),
  malformed('w/"7"', "If-Match"),
  malformed('"6" "7"', "If-Match"),
  malformed('*, "7"', "If-Match"),
  malformed("7", "If-None-Match"),
  put("If-Match is optional", "7/optional", {}, { matches: true, isAny: true }),
  put("If-Match is optional without a resource", "none/optional", {}, {
    matches: true,
    isAny: true,
  }),
  put("an optional If-Match counts", "7/optional", { "If-Match": '"6"' }, {
    matches: false,
    isAny: false,
  }),
  put("If-None-Match creates", "none/created", { "If-None-Match": "*" }, { created: true }),
  put("If-None-Match keeps what is there", "7/created", { "If-None-Match": "*" }, 412),
  put("If-None-Match with the version", "7/created", { "If-None-Match": 'W/"7"' }, 412),
  put("If-None-Match with another version", "7/created", { "If-None-Match": '"6"' }, {
    created: true,
  }),
  put("no If-None-Match", "7/created", {}, { created: true }),
  get("GET without If-None-Match", undefined, 200),
  get("GET with the version", '"7"', 304),
  get("GET compares weakly", 'W/"7"', 304),
  get("GET with any version", "*", 304),
  get("GET with another version", '"6"', 200),
  get("GET with the version in a list", '"a,b", "7"', 304),
  get("HEAD with the version", '"7"', 304, "HEAD"),
  get("HEAD with another version", '"6"', 200, "HEAD"),
];
