import type { Case } from "../types.ts";

type Body = string | Uint8Array<ArrayBuffer>;

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** As long as browsers make it: parsers differ in what they take that is shorter. */
const BOUNDARY = "----boundary0123456789abcdefghij";
const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const post = (path: string, type: string | undefined, body: Body | undefined) => ({
  method: "POST",
  path: `/body${path}`,
  headers: type === undefined ? undefined : { "Content-Type": type },
  // As bytes: a text would get a type of its own.
  body: body === undefined ? undefined : () => typeof body === "string" ? encode(body) : body,
});

const taken = (
  name: string,
  path: string,
  type: string | undefined,
  body: Body | undefined,
  json: unknown,
  status = 200,
): Case => ({ name, ...post(path, type, body), status, json });

const refused = (
  name: string,
  path: string,
  type: string | undefined,
  body: Body | undefined,
  problem: Case["problem"] = true,
  status = 400,
): Case => ({ name, ...post(path, type, body), status, problem });

const unsupported = (
  name: string,
  path: string,
  type: string | undefined,
  accept: string,
): Case => ({
  ...refused(name, path, type, "a", true, 415),
  responseHeaders: { accept },
});

const ALL = "application/json, application/*+json";
const FORMS = "application/x-www-form-urlencoded, multipart/form-data";
const ADA = { name: "Ada", email: "ada@example.com" };
const whole = (message: string) => [{ pointer: "", message }];
const NONE = whole("a body is required and none was sent");

export const bodies: readonly Case[] = [
  taken("a JSON object", "/any", JSON_TYPE, '{"a":1}', { body: { a: 1 } }),
  taken("JSON null is a body", "/any", JSON_TYPE, "null", { body: null }),
  taken("JSON false is a body", "/any", JSON_TYPE, "false", { body: false }),
  taken("JSON with parameters", "/any", `${JSON_TYPE}; charset=UTF-8`, "1", { body: 1 }),
  taken("JSON type in capitals", "/any", "Application/JSON", "1", { body: 1 }),
  taken("a +json type", "/any", "application/vnd.api+json", "1", { body: 1 }),
  taken("JSON with a byte order mark", "/any", JSON_TYPE, "\uFEFF1", { body: 1 }),
  taken("a form as a body, where the mapping names it", "/form/any", FORM_TYPE, "a=1&b=2&b=3", {
    body: { a: "1", b: ["2", "3"] },
  }),
  taken("a form is decoded", "/form/any", FORM_TYPE, "a=x+y%26", { body: { a: "x y&" } }),
  taken("a multipart form as a body", "/form/any", MULTIPART_TYPE, multipart(["a", "1"]), {
    body: { a: "1" },
  }),
  taken("an optional body", "/optional", undefined, undefined, { body: null }),
  taken("an optional body with a type", "/optional", JSON_TYPE, "", { body: null }),
  taken("a model", "/user", JSON_TYPE, JSON.stringify(ADA), { kind: "User", user: ADA }, 201),
  taken(
    "unknown keys are the schema's matter",
    "/user",
    JSON_TYPE,
    JSON.stringify({ ...ADA, x: 1 }),
    {
      kind: "User",
      user: ADA,
    },
    201,
  ),
  taken("a model from a form", "/form/named-user", FORM_TYPE, "name=Ada&email=ada%40example.com", {
    kind: "User",
    user: ADA,
  }, 201),
  taken("__proto__ does not pollute", "/proto", JSON_TYPE, '{"__proto__":{"admin":1},"a":1}', {
    polluted: null,
    keys: ["a"],
  }),
  taken(
    "an escaped __proto__ does not pollute",
    "/proto",
    JSON_TYPE,
    '{"\\u005f_proto__":{"admin":1}}',
    {
      polluted: null,
      keys: [],
    },
  ),
  taken("__proto__ in a form does not pollute", "/form/proto", FORM_TYPE, "__proto__=x&a=1", {
    polluted: null,
    keys: ["a"],
  }),
  refused("an empty body", "/any", JSON_TYPE, "", NONE),
  refused("no body", "/any", undefined, undefined, NONE),
  unsupported("a form where JSON is bound", "/any", FORM_TYPE, ALL),
  unsupported("a multipart form where JSON is bound", "/user", MULTIPART_TYPE, ALL),
  taken("JSON beside forms", "/form/any", JSON_TYPE, '{"a":1}', { body: { a: 1 } }),
  refused("a form of too many fields as a body", "/form/any", FORM_TYPE, fields(11)),
  refused("an empty form", "/form/any", FORM_TYPE, "", NONE),
  refused("a form of malformed percent-encoding", "/form/any", FORM_TYPE, "a=1&b=%zz", [
    { parameter: "b", message: "its percent-encoding is malformed" },
  ]),
  refused("a form of what is not UTF-8, encoded", "/form/field", FORM_TYPE, "name=%ff", [
    { parameter: "name", message: "its percent-encoding is malformed" },
  ]),
  refused(
    "a form that is not UTF-8",
    "/form/any",
    FORM_TYPE,
    new Uint8Array([0x61, 0x3d, 0xff]),
    whole("The request body is not UTF-8"),
  ),
  taken("a name of a form that is malformed", "/form/any", FORM_TYPE, "%zz=1&a=#%26&&", {
    body: { "%zz": "1", a: "#&" },
  }),
  ...['{"a":', "{a:1}", "1 2", "'a'", "undefined", " "].map((text) =>
    refused(
      `malformed JSON ${text}`,
      "/any",
      JSON_TYPE,
      text,
      whole("The request body is not well-formed JSON"),
    )
  ),
  taken(
    "JSON nested 1000 levels deep",
    "/deep",
    JSON_TYPE,
    "[".repeat(1000) + "]".repeat(1000),
    {},
  ),
  ...[1001, 400_000].map((levels) =>
    refused(
      `JSON nested ${levels} levels deep`,
      "/deep",
      JSON_TYPE,
      "[".repeat(levels) + "]".repeat(levels),
      whole("The request body is not well-formed JSON"),
    )
  ),
  refused(
    "JSON that is not UTF-8",
    "/any",
    JSON_TYPE,
    Uint8Array.of(0x22, 0xff, 0x22),
    whole("The request body is not UTF-8"),
  ),
  refused(
    "a body that fails its schema, one entry for each issue",
    "/user",
    JSON_TYPE,
    '{"name":"","email":"a"}',
    [
      { pointer: "/name", message: "Too small: expected string to have >=1 characters" },
      { pointer: "/email", message: "Invalid email address" },
    ],
  ),
  refused(
    "a pointer into a list",
    "/user",
    JSON_TYPE,
    JSON.stringify({ ...ADA, tags: ["a", "long"] }),
    [
      { pointer: "/tags/1", message: "Too big: expected string to have <=3 characters" },
    ],
  ),
  refused("a body of another kind than its schema's", "/user", JSON_TYPE, "[]", [
    { pointer: "", message: "Invalid input: expected object, received array" },
  ]),
  unsupported("a type that is not read", "/any", "text/plain", ALL),
  unsupported("a type that cannot be", "/any", "nonsense", ALL),
  unsupported("another charset", "/any", "application/json; charset=utf-16", ALL),
  unsupported("a body without a type", "/any", undefined, ALL),
  unsupported("JSON where a form is bound", "/form/field", JSON_TYPE, FORMS),
  refused(
    "a declared length that is too large",
    "/any",
    JSON_TYPE,
    `"${"a".repeat(2000)}"`,
    true,
    413,
  ),
  taken("a body of the largest size", "/any", JSON_TYPE, `"${"a".repeat(1998)}"`, {
    body: "a".repeat(1998),
  }),
  {
    name: "a body without length that is too large",
    method: "POST",
    path: "/body/any",
    headers: { "Content-Type": JSON_TYPE },
    body: () => chunks(3, 1000),
    status: 413,
    problem: true,
  },
  {
    name: "a body that a handler reads itself and is too large",
    method: "POST",
    path: "/body/request",
    body: () => chunks(3, 1000),
    status: 413,
    problem: true,
  },
  {
    name: "a body without length",
    method: "POST",
    path: "/body/request",
    body: () => chunks(2, 1000),
    status: 200,
    json: { length: 2000 },
  },

  taken("a text", "/text", "text/plain", "Grüße", { text: "Grüße" }),
  taken("a text of any type", "/text", JSON_TYPE, "{}", { text: "{}" }),
  refused("a text that is required", "/text", "text/plain", "", NONE),
  refused("a text that is no UTF-8", "/text", "text/plain", Uint8Array.of(0xff)),
  refused("a text in another charset", "/text", "text/plain;charset=latin1", "a", true, 415),
  taken("bytes", "/bytes", "application/octet-stream", Uint8Array.of(0, 255), { bytes: [0, 255] }),
  refused("bytes of another type", "/bytes", "text/plain", "a", true, 415),
  taken("a body that is optional", "/small", undefined, undefined, { text: null }),
  taken("a body of the largest size of its mapping", "/small", "text/plain", "1234567890", {
    text: "1234567890",
  }),
  refused("a body larger than its mapping says", "/small", "text/plain", "12345678901", true, 413),
  ...[2, 4].map((count): Case => ({
    name: `a body that is taken as a stream, of ${count} chunks`,
    method: "POST",
    path: "/body/stream",
    body: () => chunks(count, 1000),
    ...(count === 2 ? { status: 200, json: { length: 2000 } } : { status: 413, problem: true }),
  })),
  taken("a stream larger than others may be", "/stream", "text/plain", "1".repeat(2500), {
    length: 2500,
  }),

  refused("a body that middleware has read away", "/taken", JSON_TYPE, "1", true, 500),

  taken("a field of a form", "/form/field", FORM_TYPE, "name=Ada&age=36", { name: "Ada", age: 36 }),
  taken("a field's default", "/form/field", FORM_TYPE, "name=Ada&age=", { name: "Ada", age: 1 }),
  taken("a field of a multipart form", "/form/field", MULTIPART_TYPE, multipart(["name", "Ada"]), {
    name: "Ada",
    age: 1,
  }),
  refused("a field that is missing", "/form/field", FORM_TYPE, "age=1", [
    { parameter: "name", message: "it is required and was not sent" },
  ]),
  refused("a repeated field", "/form/field", FORM_TYPE, "name=a&name=b", [
    { parameter: "name", message: "expected one value, found 2" },
  ]),
  refused("a field that does not convert", "/form/field", FORM_TYPE, "name=a&age=x", [
    { parameter: "age", message: "expected an integer, found 'x'" },
  ]),
  refused(
    "a file where a field is bound",
    "/form/field",
    MULTIPART_TYPE,
    multipart(["name", "x", "a.txt"]),
    [
      { parameter: "name", message: "expected a text field, found a file" },
    ],
  ),
  taken("a list of fields", "/form/list", FORM_TYPE, "v=1&v=2", { v: [1, 2] }),
  taken("a list of one field", "/form/list", FORM_TYPE, "v=1", { v: [1] }),
  refused("a list of one field with a comma", "/form/list", FORM_TYPE, "v=1,2", [
    { parameter: "v", message: "expected an integer, found '1,2'" },
  ]),
  taken("a whole form as a model", "/form/user", FORM_TYPE, "name=Ada&email=ada%40example.com", {
    kind: "User",
    user: ADA,
  }),
  unsupported("JSON where a whole form is bound", "/form/user", JSON_TYPE, FORMS),
  taken("a file", "/part/file", MULTIPART_TYPE, multipart(["file", "text", "a.txt"]), {
    name: "a.txt",
    type: "text/plain",
    text: "text",
  }),
  refused(
    "a text where a file is bound",
    "/part/file",
    MULTIPART_TYPE,
    multipart(["file", "text"]),
    [
      { parameter: "file", message: "expected a file, found a field without a file name" },
    ],
  ),
  refused("a part that is missing", "/part/file", MULTIPART_TYPE, multipart(["other", "x"]), [
    { parameter: "file", message: "it is required and was not sent" },
  ]),
  refused(
    "two files where one is bound",
    "/part/file",
    MULTIPART_TYPE,
    multipart(["file", "x", "a.txt"], ["file", "y", "b.txt"]),
    [{ parameter: "file", message: "expected one value, found 2" }],
  ),
  taken(
    "a list of files",
    "/part/files",
    MULTIPART_TYPE,
    multipart(["file", "x", "a.txt"], ["file", "y", "b.txt"]),
    { names: ["a.txt", "b.txt"] },
  ),
  taken("no files", "/part/files", MULTIPART_TYPE, multipart(["other", "x"]), { names: null }),
  taken(
    "JSON in a part",
    "/part/json",
    MULTIPART_TYPE,
    multipart(["user", JSON.stringify(ADA)], ["file", "abc", "a.txt"]),
    { kind: "User", size: 3 },
  ),
  taken(
    "JSON in a part with a byte order mark",
    "/part/json",
    MULTIPART_TYPE,
    multipart(["user", `\uFEFF${JSON.stringify(ADA)}`], ["file", "abc", "a.txt"]),
    { kind: "User", size: 3 },
  ),
  refused(
    "a part that fails its schema",
    "/part/json",
    MULTIPART_TYPE,
    multipart(["user", '{"name":"Ada"}'], ["file", "abc", "a.txt"]),
    [{
      parameter: "user",
      pointer: "/email",
      message: "Invalid input: expected string, received undefined",
    }],
  ),
  refused(
    "a part that is no JSON",
    "/part/json",
    MULTIPART_TYPE,
    multipart(["user", "{"], ["file", "abc", "a.txt"]),
    [{ parameter: "user", message: "expected well-formed JSON" }],
  ),
  taken("bytes are a copy for who asks for them", "/bytes-changed", "text/plain", "as sent", {
    text: "as sent",
  }),
  taken("a form of as many fields as there may be", "/form/list", FORM_TYPE, fields(10), {
    v: Array(10).fill(1),
  }),
  refused("a form of too many fields", "/form/list", FORM_TYPE, fields(11)),
  taken(
    "a multipart form of as many parts as there may be",
    "/form/list",
    MULTIPART_TYPE,
    multipart(...Array<[string, string]>(10).fill(["v", "1"])),
    { v: Array(10).fill(1) },
  ),
  refused(
    "a multipart form of too many parts",
    "/form/list",
    MULTIPART_TYPE,
    multipart(...Array<[string, string]>(11).fill(["v", "1"])),
  ),
  refused("a whole form of too many fields", "/form/user", FORM_TYPE, `a=1&${fields(10)}`),
  taken("a form with a question mark at its head", "/form/field", FORM_TYPE, "?a=1&name=b", {
    name: "b",
    age: 1,
  }),
  taken("a form that middleware has parsed", "/form/parsed", FORM_TYPE, "v=1&v=2", { v: [1, 2] }),
  taken(
    "a multipart form that middleware has parsed",
    "/form/parsed",
    MULTIPART_TYPE,
    multipart(["v", "1"]),
    { v: [1] },
  ),
  taken(
    "a form that is parsed again by Hono",
    "/form/again",
    MULTIPART_TYPE,
    multipart(["v", "1"]),
    {
      v: [1],
      again: "1",
    },
  ),
  ...["../../a.txt", "C:\\dir\\a.txt", "/etc/a.txt"].map((name) =>
    taken(
      `a file named ${name}`,
      "/part/files",
      MULTIPART_TYPE,
      multipart(["file", "x", name.replaceAll("\\", "\\\\")]),
      { names: ["a.txt"] },
    )
  ),
  taken("a file named ..", "/part/files", MULTIPART_TYPE, multipart(["file", "x", ".."]), {
    names: [""],
  }),
  taken("a file that was not chosen", "/part/files", MULTIPART_TYPE, multipart(["file", "", ""]), {
    names: [""],
  }),
  refused(
    "a truncated multipart form",
    "/part/file",
    MULTIPART_TYPE,
    `--${BOUNDARY}\r\nContent-Disp`,
  ),
  refused("a multipart form without boundary", "/part/file", "multipart/form-data", "--b--"),
];

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function multipart(
  ...parts: readonly (readonly [name: string, text: string, file?: string])[]
): string {
  const encoded = parts.map(([name, text, file]) => {
    const filename = file === undefined ? "" : `; filename="${file}"\r\nContent-Type: text/plain`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${text}\r\n`;
  });
  return `${encoded.join("")}--${BOUNDARY}--\r\n`;
}

function fields(count: number): string {
  return Array(count).fill("v=1").join("&");
}

function chunks(count: number, size: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ === count) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(0x31));
    },
  });
}
