import type { Case } from "../../conformance/types.ts";
import { DIGITS, HIDDEN, LETTERS, LINKS, MODIFIED, SERVED } from "./folder.ts";

/** The weak tag of a file that was changed at {@linkcode MODIFIED}. */
const tagOf = (text: string) =>
  `W/"${text.length.toString(16)}-${Date.parse(MODIFIED).toString(16)}"`;

const BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
const AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";
const TYPE = "text/plain; charset=utf-8";

type Outcome = "whole" | "not modified" | "failed" | `${number}-${number}`;

/** A case of a request for the letters, whose tag is `"v1"`. */
function letters(
  rule: string,
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
  about: Partial<Case> = {},
): Case {
  const base = { name: `RFC 9110, ${rule}`, path: "/strong/letters.txt", headers };
  const common = { etag: '"v1"' };
  if (outcome === "failed") {
    return { ...base, status: 412, problem: true, responseHeaders: { etag: null }, ...about };
  }
  if (outcome === "not modified") {
    const responseHeaders = { ...common, "content-type": null, "content-range": null };
    return { ...base, status: 304, responseHeaders, text: "", ...about };
  }
  const whole = { ...common, "accept-ranges": "bytes", "last-modified": MODIFIED };
  if (outcome === "whole") {
    const responseHeaders = { ...whole, "content-type": TYPE, "content-range": null };
    return { ...base, status: 200, responseHeaders, text: LETTERS, ...about };
  }
  const [start = 0, end = 0] = outcome.split("-").map(Number);
  const responseHeaders = {
    ...whole,
    "content-type": TYPE,
    "content-range": `bytes ${outcome}/26`,
  };
  return { ...base, status: 206, responseHeaders, text: LETTERS.slice(start, end + 1), ...about };
}

const head = { method: "HEAD", text: "" } as const;

const IF_MATCH: readonly Case[] = [
  letters("13.1.1: If-Match with the tag", { "If-Match": '"v1"' }, "whole"),
  letters("13.1.1: If-Match with any tag", { "If-Match": "*" }, "whole"),
  letters("13.1.1: If-Match with the tag in a list", { "If-Match": '"v0" , "v1"' }, "whole"),
  letters("13.1.1: If-Match with another tag", { "If-Match": '"v0"' }, "failed"),
  letters("13.1.1: If-Match compares strongly", { "If-Match": 'W/"v1"' }, "failed"),
  letters("13.1.1: If-Match with part of a tag", { "If-Match": '"v"' }, "failed"),
  letters("13.1.1: If-Match that is malformed", { "If-Match": "v1" }, "failed"),
  letters("13.1.1: If-Match on HEAD", { "If-Match": '"v0"' }, "failed", {
    method: "HEAD",
    problem: undefined,
    text: "",
  }),
  {
    name: "RFC 9110, 13.1.1: If-Match with a weak tag",
    path: "/files/letters.txt",
    headers: { "If-Match": tagOf(LETTERS) },
    status: 412,
    problem: true,
  },
];

const IF_NONE_MATCH: readonly Case[] = [
  letters("13.1.2: If-None-Match with the tag", { "If-None-Match": '"v1"' }, "not modified"),
  letters("13.1.2: If-None-Match compares weakly", { "If-None-Match": 'W/"v1"' }, "not modified"),
  letters("13.1.2: If-None-Match with any tag", { "If-None-Match": "*" }, "not modified"),
  letters("13.1.2: If-None-Match with another tag", { "If-None-Match": '"v0"' }, "whole"),
  letters(
    "13.1.2: If-None-Match with the tag in a list",
    { "If-None-Match": '"a,b", W/"c",,"v1"' },
    "not modified",
  ),
  letters(
    "13.1.2: a comma in a tag does not separate",
    { "If-None-Match": '"a,"v1","b"' },
    "whole",
  ),
  letters("13.1.2: If-None-Match on HEAD", { "If-None-Match": '"v1"' }, "not modified", head),
  letters("13.1.2: If-None-Match that is malformed", { "If-None-Match": "v1" }, "whole"),
  {
    name: "RFC 9110, 13.1.2: If-None-Match with a weak tag",
    path: "/files/letters.txt",
    headers: { "If-None-Match": tagOf(LETTERS) },
    status: 304,
    responseHeaders: { etag: tagOf(LETTERS) },
    text: "",
  },
];

const DATES: readonly Case[] = [
  letters(
    "13.1.3: If-Modified-Since the change",
    { "If-Modified-Since": MODIFIED },
    "not modified",
  ),
  letters("13.1.3: If-Modified-Since later", { "If-Modified-Since": AFTER }, "not modified"),
  letters("13.1.3: If-Modified-Since earlier", { "If-Modified-Since": BEFORE }, "whole"),
  letters(
    "13.1.3: If-Modified-Since on HEAD",
    { "If-Modified-Since": MODIFIED },
    "not modified",
    head,
  ),
  letters(
    "5.6.7: a date by RFC 850",
    { "If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT" },
    "not modified",
  ),
  letters(
    "5.6.7: a date of asctime()",
    { "If-Modified-Since": "Sun Nov  6 08:49:37 1994" },
    "not modified",
  ),
  ...[
    "1994-11-06T08:49:38Z",
    "784111777",
    "Mon, 06 Nov 1994 08:49:37 GMT",
    "Thu, 31 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 +0000",
    `${MODIFIED}, ${MODIFIED}`,
  ].map((date) => letters(`13.1.3: '${date}' is no date`, { "If-Modified-Since": date }, "whole")),
  letters(
    "13.1.3: If-None-Match instead of If-Modified-Since",
    { "If-Modified-Since": AFTER, "If-None-Match": '"v0"' },
    "whole",
  ),
  letters("13.1.4: If-Unmodified-Since the change", { "If-Unmodified-Since": MODIFIED }, "whole"),
  letters("13.1.4: If-Unmodified-Since later", { "If-Unmodified-Since": AFTER }, "whole"),
  letters("13.1.4: If-Unmodified-Since earlier", { "If-Unmodified-Since": BEFORE }, "failed"),
  letters("13.1.4: If-Unmodified-Since no date", { "If-Unmodified-Since": "never" }, "whole"),
  letters(
    "13.1.4: If-Match instead of If-Unmodified-Since",
    { "If-Unmodified-Since": BEFORE, "If-Match": '"v1"' },
    "whole",
  ),
];

const range = (rule: string, ifRange: string, outcome: Outcome, headers = {}) =>
  letters(rule, { "Range": "bytes=0-4", "If-Range": ifRange, ...headers }, outcome);

const IF_RANGE: readonly Case[] = [
  range("13.1.5: If-Range with the tag", '"v1"', "0-4"),
  range("13.1.5: If-Range with another tag", '"v0"', "whole"),
  range("13.1.5: If-Range compares strongly", 'W/"v1"', "whole"),
  range("13.1.5: If-Range has no list", '"v1", "v1"', "whole"),
  range("13.1.5: If-Range has no '*'", "*", "whole"),
  range("13.1.5: If-Range with the date", MODIFIED, "0-4"),
  range("13.1.5: If-Range with a later date", AFTER, "whole"),
  range("13.1.5: If-Range with an earlier date", BEFORE, "whole"),
  range("13.1.5: If-Range with nonsense", "v1", "whole"),
  letters("13.1.5: If-Range without Range", { "If-Range": '"v0"' }, "whole"),
  {
    ...range("13.1.5: If-Range with a weak tag", tagOf(LETTERS), "whole"),
    path: "/files/letters.txt",
    responseHeaders: { etag: tagOf(LETTERS) },
  },
];

const ORDER: readonly Case[] = [
  letters(
    "13.2.2: If-Match comes before If-None-Match",
    { "If-Match": '"v0"', "If-None-Match": '"v1"' },
    "failed",
  ),
  letters(
    "13.2.2: If-None-Match comes after If-Match",
    { "If-Match": '"v1"', "If-None-Match": '"v1"' },
    "not modified",
  ),
  letters(
    "13.2.2: If-Unmodified-Since comes before If-None-Match",
    { "If-Unmodified-Since": BEFORE, "If-None-Match": '"v1"' },
    "failed",
  ),
  letters(
    "13.2.2: If-None-Match comes before Range",
    { "If-None-Match": '"v1"', "Range": "bytes=0-4" },
    "not modified",
  ),
  letters(
    "13.2.2: If-Modified-Since comes before Range",
    { "If-Modified-Since": MODIFIED, "Range": "bytes=99-" },
    "not modified",
  ),
  letters(
    "13.2.2: If-Match comes before a range that does not exist",
    { "If-Match": '"v0"', "Range": "bytes=99-" },
    "failed",
  ),
  range("13.2.2: If-Range comes after If-Match", '"v1"', "0-4", { "If-Match": '"v1"' }),
  {
    name: "RFC 9110, 13.2.1: no condition on what is missing",
    path: "/strong/missing.txt",
    headers: { "If-Match": '"v0"', "If-None-Match": "*", "Range": "bytes=0-4" },
    status: 404,
    problem: true,
  },
  {
    name: "RFC 9110, 13.2.1: no condition after another method",
    method: "POST",
    path: "/files/letters.txt",
    headers: { "If-None-Match": '"v1"', "Range": "bytes=0-4" },
    status: 200,
    text: LETTERS,
    responseHeaders: { etag: '"v1"', "content-range": null },
  },
];

/** A case of a range of the 10,000 digits: one span, several, none that exists, or no range at all. */
function digits(
  section: string,
  header: string,
  expected: `${number}-${number}` | readonly string[] | 416 | "whole",
): Case {
  const base = {
    name: `RFC 9110, ${section}: 'Range: ${header.slice(0, 40)}' (${header.length})`,
    path: "/strong/digits.bin",
    headers: { Range: header },
  };
  const type = "application/octet-stream";
  if (expected === 416) {
    return {
      ...base,
      status: 416,
      problem: true,
      responseHeaders: { "content-range": "bytes */10000" },
    };
  }
  if (expected === "whole") {
    const responseHeaders = { "content-range": null, "content-type": type };
    return { ...base, status: 200, responseHeaders, text: DIGITS };
  }
  const slice = (span: string) => {
    const [start = 0, end = 0] = span.split("-").map(Number);
    return DIGITS.slice(start, end + 1);
  };
  if (typeof expected === "string") {
    const responseHeaders = { "content-range": `bytes ${expected}/10000`, "content-type": type };
    return { ...base, status: 206, responseHeaders, text: slice(expected) };
  }
  const parts = expected.map((span) =>
    `--BOUNDARY\r\nContent-Type: ${type}\r\nContent-Range: bytes ${span}/10000\r\n\r\n${
      slice(span)
    }\r\n`
  );
  return {
    ...base,
    status: 206,
    responseHeaders: {
      "content-range": null,
      "content-type": "multipart/byteranges; boundary=BOUNDARY",
    },
    text: `${parts.join("")}--BOUNDARY--\r\n`,
  };
}

const RANGES: readonly Case[] = [
  digits("14.1.2", "bytes=0-499", "0-499"),
  digits("14.1.2", "bytes=500-999", "500-999"),
  digits("14.1.2", "bytes=-500", "9500-9999"),
  digits("14.1.2", "bytes=9500-", "9500-9999"),
  digits("14.1.2", "bytes=0-0,-1", ["0-0", "9999-9999"]),
  digits("14.1.2", "bytes= 0-999, 4500-5499, -1000", ["0-999", "4500-5499", "9000-9999"]),
  digits("14.1.2", "bytes=500-600,601-999", "500-999"),
  digits("14.1.2", "bytes=500-700,601-999", "500-999"),
  digits("14.1.2", "bytes=0-0", "0-0"),
  digits("14.1.2", "bytes=9999-9999", "9999-9999"),
  digits("14.1.2", "bytes=0-", "0-9999"),
  digits("14.1.2", "bytes=9000-99999", "9000-9999"),
  digits("14.1.2", "bytes=-99999", "0-9999"),
  digits("14.1.2", `bytes=0-${"9".repeat(400)}`, "0-9999"),
  digits("14.1.2", "bytes=10000-", 416),
  digits("14.1.2", "bytes=10000-20000", 416),
  digits("14.1.2", `bytes=${"9".repeat(400)}-`, 416),
  digits("14.1.2", "bytes=-0", 416),
  digits("14.1.2", "bytes=10000-,-0", 416),
  digits("14.1.2", "bytes=10000-,5-9", "5-9"),
  digits("14.1.2", "bytes=5-4", "whole"),
  digits("14.1.2", "bytes=0-4,5-4", "whole"),
  digits("14.1.1", "BYTES=0-4", "0-4"),
  digits("14.1.1", "bytes=0-4,,5-9,", "0-9"),
  digits("14.1.1", "bytes=\t0-4 ,\t6-9", ["0-4", "6-9"]),
  digits("14.1.1", "bytes=", "whole"),
  digits("14.1.1", "bytes=,", "whole"),
  digits("14.1.1", "bytes=-", "whole"),
  digits("14.1.1", "bytes=0", "whole"),
  digits("14.1.1", "bytes=0-4x", "whole"),
  digits("14.1.1", "bytes=+0-4", "whole"),
  digits("14.1.1", "bytes=0x0-4", "whole"),
  digits("14.1.1", "bytes=1e1-20", "whole"),
  digits("14.1.1", "bytes=0 - 4", "whole"),
  digits("14.1.1", "bytes=0-4-8", "whole"),
  digits("14.1.1", "bytes 0-4", "whole"),
  digits("14.1.1", "0-4", "whole"),
  digits("14.2", "items=0-4", "whole"),
  digits("14.2", "bytes=0-4, bytes=6-9", "whole"),
  digits("14.2", `bytes=${Array.from({ length: 16 }, (_, at) => `${2 * at}-${2 * at}`)}`, [
    ...Array.from({ length: 16 }, (_, at) => `${2 * at}-${2 * at}`),
  ]),
  digits("14.2", `bytes=${Array.from({ length: 17 }, (_, at) => `${2 * at}-${2 * at}`)}`, "whole"),
  digits("14.2", `bytes=${"0-,".repeat(17)}`, "whole"),
  digits("14.2", `bytes=${"0-,".repeat(16)}`, "0-9999"),
  digits("15.3.7.2", "bytes=20-29,0-9", ["20-29", "0-9"]),
  digits("15.3.7.2", "bytes=0-9,20-29,5-24", "0-29"),
  {
    ...digits("14.2", "bytes=0-4", "whole"),
    ...head,
    name: "RFC 9110, 14.2: Range is of GET alone",
  },
  {
    name: "RFC 9110, 14.1.2: no range of an empty file",
    path: "/files/empty.txt",
    headers: { Range: "bytes=0-" },
    status: 200,
    text: "",
  },
];

const STREAMS: readonly Case[] = [
  {
    name: "a stream has no ranges",
    path: "/streams/plain",
    headers: { "Range": "bytes=0-4", "If-None-Match": '"v1"' },
    status: 200,
    text: LETTERS,
    responseHeaders: {
      "accept-ranges": "none",
      "content-type": "application/octet-stream",
      "etag": null,
      "last-modified": null,
    },
  },
  {
    name: "a stream with a tag is not sent again",
    path: "/streams/tagged",
    headers: { "If-None-Match": '"v1"' },
    status: 304,
    text: "",
    responseHeaders: { etag: '"v1"' },
  },
  {
    name: "a stream with a tag",
    path: "/streams/tagged",
    status: 200,
    text: LETTERS,
    responseHeaders: {
      "etag": '"v1"',
      "content-type": TYPE,
      "content-disposition": 'attachment; filename="letters.txt"',
    },
  },
  {
    name: "a stream of another version",
    path: "/streams/tagged",
    headers: { "If-Match": '"v0"' },
    status: 412,
    problem: true,
  },
  { name: "HEAD of a stream", path: "/streams/plain", ...head, status: 200 },
];

const download = (name: string, disposition: string): Case => ({
  name: `RFC 8187, RFC 6266: a download '${name}'`,
  path: "/downloads/letters.txt",
  headers: { "X-Name": encodeURIComponent(name) },
  status: 200,
  text: LETTERS,
  responseHeaders: { "content-disposition": disposition, "content-type": "text/x-own" },
});

const FILES: readonly Case[] = [
  {
    name: "a file has its type, length and validators",
    path: "/files/page.html",
    status: 200,
    text: SERVED["page.html"],
    responseHeaders: {
      "content-type": "text/html; charset=utf-8",
      "etag": tagOf(SERVED["page.html"]!),
      "last-modified": MODIFIED,
      "accept-ranges": "bytes",
      "content-disposition": null,
      "x-content-type-options": "nosniff",
    },
  },
  {
    name: "RFC 9110, 9.3.2: HEAD has the fields of GET",
    path: "/files/letters.txt",
    ...head,
    status: 200,
    responseHeaders: {
      "content-type": TYPE,
      "content-length": "26",
      "etag": tagOf(LETTERS),
      "last-modified": MODIFIED,
      "accept-ranges": "bytes",
    },
  },
  download("plain.txt", 'attachment; filename="plain.txt"'),
  download("a b.txt", 'attachment; filename="a b.txt"'),
  download("Näh.txt", `attachment; filename="N_h.txt"; filename*=UTF-8''N%C3%A4h.txt`),
  download(
    "€'(*)😀",
    `attachment; filename="_'(*)_"; filename*=UTF-8''%E2%82%AC%27%28%2A%29%F0%9F%98%80`,
  ),
  download('q"%41.txt', `attachment; filename="q__41.txt"; filename*=UTF-8''q%22%2541.txt`),
  download("../up\r\n.txt", 'attachment; filename="up.txt"'),
  ...Object.entries(SERVED).map(([path, text]): Case => ({
    name: `the file '${path}'`,
    path: `/files/${encodeURI(path)}`,
    status: 200,
    text,
  })),
  ...Object.keys(LINKS).filter((path) => /\bin/.test(path)).map((path): Case => ({
    name: `the link '${path}'`,
    path: `/files/${path}${path === "in-folder" ? "/inner.txt" : ""}`,
    status: 200,
    text: path === "in-folder" ? "inner" : LETTERS,
  })),
];

/** Targets of requests for which there is no file, as they are sent. */
export const NOT_SERVED: readonly string[] = [
  ...HIDDEN.map((path) => path.split("/").map(encodeURIComponent).join("/")),
  ...Object.keys(LINKS).filter((path) => !/\bin/.test(path)),
  "out-folder/letters.txt",
  "out-root/etc/passwd",
  "pipe",
  "sub",
  "sub/",
  "",
  "/letters.txt",
  "sub//inner.txt",
  "letters.txt/",
  "letters.txt/x",
  "missing.txt",
  "letters.txt%00",
  "letters.txt%00.html",
  "%00",
  "..%2foutside.txt",
  "..%2Foutside.txt",
  "%2e%2e%2foutside.txt",
  "sub%2f..%2f..%2foutside.txt",
  "sub%2finner.txt",
  "..%5coutside.txt",
  "..%5Coutside.txt",
  "%2e%2e%5coutside.txt",
  "..%252foutside.txt",
  "%252e%252e%252foutside.txt",
  "%25252e%25252e/outside.txt",
  "..%c0%afoutside.txt",
  "%c0%ae%c0%ae/outside.txt",
  "%e0%80%af",
  "..%00/outside.txt",
  "...%2foutside.txt",
  ".%2e%2foutside.txt",
  "%2foutside.txt",
  "%2fetc%2fpasswd",
  "//etc/passwd",
  "C:%5cWindows%5cwin.ini",
  "C:/Windows/win.ini",
  "%5c%5cserver%5cshare",
  "letters.txt%20",
  "letters.txt.",
  "letters.txt%2e",
  "letters.txt::$DATA",
  "LETTERS~1.TXT:x",
  "a".repeat(300),
  "a/".repeat(2000) + "a",
  "..;/outside.txt",
  "~root",
].map((path) => `/files/${path}`);

/** Conditional requests, ranges and files, by the sections of RFC 9110 that they are from. */
export const CASES: readonly Case[] = [
  ...IF_MATCH,
  ...IF_NONE_MATCH,
  ...DATES,
  ...IF_RANGE,
  ...ORDER,
  ...RANGES,
  ...STREAMS,
  ...FILES,
];
