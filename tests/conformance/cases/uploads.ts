import type { Case } from "../types.ts";

const BOUNDARY = "----=_Part_1 '()+_,-./:=?";
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;

type Sent = readonly [name: string, text: string, filename?: string];

const multipart = (...parts: readonly Sent[]): string => {
  const texts = parts.map(([name, text, filename]) => {
    const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: a/b; c=d`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${texts.join("")}--${BOUNDARY}--\r\n`;
};

const encode = (text: string) => new TextEncoder().encode(text);

/** A body of chunks of this size, without a length. */
const chunked = (text: string, size: number) => () => {
  const bytes = encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at += size));
    },
  });
};

const upload = (path: string, body: string | (() => BodyInit), type: string = TYPE) => ({
  method: "POST",
  path: `/uploads${path}`,
  headers: { "Content-Type": type },
  body: typeof body === "string" ? () => encode(body) : body,
});

const FORM = multipart(["a", "text é"], ["file", "\r\n--", "dir/x;y.txt"], ["file", "", ""]);
const FOUND = [
  ["a", null, "text/plain", "text é"],
  ["file", "x;y.txt", "a/b; c=d", "\r\n--"],
  ["file", "", "a/b; c=d", ""],
];

const malformed = (
  name: string,
  body: string | (() => BodyInit),
  reason: string,
  type: string = TYPE,
): Case => ({
  name,
  ...upload("/parts", body, type),
  status: 400,
  problem: [{ pointer: "", message: `The request body is not a well-formed form: ${reason}` }],
});

const failed = (name: string, path: string, body: string | (() => BodyInit), status: number) => ({
  name,
  ...upload(path, body),
  status,
  problem: true as const,
});

export const uploads: readonly Case[] = [
  { name: "parts", ...upload("/parts", FORM), status: 200, json: FOUND },
  {
    name: "parts that come byte by byte",
    ...upload("/parts", chunked(FORM, 1)),
    status: 200,
    json: FOUND,
  },
  {
    name: "text before the first boundary and after the last",
    ...upload("/parts", chunked(`For old readers\r\n\r\n${FORM}\r\nnothing\r\n`, 7)),
    status: 200,
    json: FOUND,
  },
  {
    name: "parts beside a variable",
    ...upload("/sizes/7", chunked(FORM, 50)),
    status: 200,
    json: [7, ["a", 7], ["file", 4], ["file", 0]],
  },
  failed("a variable that does not convert", "/sizes/x", FORM, 400),
  {
    name: "parts that are not read",
    ...upload("/names", multipart(["a", "1"], ["b", "2", "b.txt"], ["c", "3"])),
    status: 200,
    json: ["a", "b", "c"],
  },
  {
    name: "no more than the first part",
    ...upload("/first", multipart(["a", "1"], ["b", "x".repeat(1500)])),
    status: 200,
    text: "1",
  },
  {
    name: "a part that is sent back",
    ...upload("/echo", chunked(multipart(["a", "1"], ["file", "abc"], ["b", "2"]), 7)),
    status: 200,
    responseHeaders: { "x-name": "file" },
    text: "abc",
  },
  { name: "parts that are not asked for", ...upload("/none", FORM), status: 200, text: "POST" },
  { name: "no parts", ...upload("/parts", multipart()), status: 200, json: [] },
  {
    name: "as many parts as there may be",
    ...upload("/parts", multipart(...Array<Sent>(10).fill(["v", "1"]))),
    status: 200,
    json: Array(10).fill(["v", null, "text/plain", "1"]),
  },
  failed(
    "more parts than forms have fields",
    "/parts",
    multipart(...Array<Sent>(11).fill(["v", "1"])),
    400,
  ),
  failed(
    "more parts than the mapping has",
    "/names",
    multipart(...Array<Sent>(4).fill(["v", "1"])),
    400,
  ),
  {
    name: "a part that is too large",
    ...upload("/names", multipart(["a", "1"], ["b", "x".repeat(11)])),
    status: 413,
    json: {
      type: "about:blank",
      title: "Content Too Large",
      status: 413,
      detail: "The part 'b' is larger than 10 bytes",
      instance: "/uploads/names",
    },
  },
  {
    name: "a body within the limit of its mapping",
    ...upload("/parts", chunked(multipart(["a", "x".repeat(2500)]), 100)),
    status: 200,
    json: [["a", null, "text/plain", "x".repeat(2500)]],
  },
  failed(
    "a body that is too large",
    "/parts",
    chunked(multipart(["a", "x".repeat(3000)]), 100),
    413,
  ),
  failed("a body whose length is too large", "/parts", multipart(["a", "x".repeat(3000)]), 413),
  failed(
    "an end that is too large",
    "/parts",
    chunked(multipart() + "x".repeat(3000), 100),
    413,
  ),
  {
    name: "another type",
    ...upload("/parts", "a=1", "application/x-www-form-urlencoded"),
    status: 415,
    responseHeaders: { accept: "multipart/form-data" },
    problem: true,
  },
  {
    name: "multipart of another kind",
    ...upload("/parts", FORM, TYPE.replace("form-data", "mixed")),
    status: 415,
    problem: true,
  },
  malformed("no boundary", FORM, "its type has no boundary", "multipart/form-data"),
  malformed(
    "another boundary",
    FORM,
    "it does not have its boundary",
    "multipart/form-data; boundary=b",
  ),
  malformed(
    "a boundary that is too long",
    FORM,
    "its boundary has more than 70 characters",
    `multipart/form-data; boundary=${"b".repeat(71)}`,
  ),
  malformed("no body", "", "it ends before its closing boundary"),
  malformed("parts that break off", FORM.slice(0, -6), "it ends before its closing boundary"),
  malformed(
    "a part without a name",
    multipart(["a", "1"]).replace("; name", "; nam"),
    "a part has no name",
  ),
  malformed(
    "a text that is not UTF-8",
    () => Uint8Array.from([...multipart(["a", "\xff"])], (char) => char.charCodeAt(0)),
    "the part 'a' is not UTF-8",
  ),
];
