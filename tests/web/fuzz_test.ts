import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import {
  CookieValue,
  FormParam,
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RequestPart,
  RestController,
} from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

const User = z.object({
  name: z.string(),
  age: z.int().optional(),
  tags: z.array(z.string()).optional(),
});

@RestController()
@RequestMapping("/fuzz")
class Fuzzed {
  @GetMapping(
    "/path/{a}/{b:[^x]+}/{*rest}",
    PathVariable("a"),
    PathVariable("b"),
    PathVariable("rest"),
  )
  path(a: string, b: string, rest: string) {
    return { a, b, rest };
  }

  @GetMapping("/files/{name}.{ext}", PathVariable("name"), PathVariable("ext"))
  file(name: string, ext: string) {
    return { name, ext };
  }

  @GetMapping(
    "/query",
    RequestParam("s", { required: false }),
    RequestParam("n", "number", { required: false }),
    RequestParam("b", "bigint", { required: false }),
    RequestParam("d", "date-time", { required: false }),
    RequestParam("l", "int", { list: true, required: false }),
    RequestParam("__proto__", { required: false }),
  )
  query(
    s: string | undefined,
    n: number | undefined,
    b: bigint | undefined,
    d: Date | undefined,
    l: number[] | undefined,
    proto: string | undefined,
    request: HttpRequest,
  ) {
    return {
      s,
      n,
      b: b?.toString(),
      d,
      l,
      proto,
      first: request.query("s"),
      all: request.queryAll("l"),
    };
  }

  @GetMapping(
    "/headers",
    RequestHeader("X-A", { required: false }),
    RequestHeader("X-I", "int", { list: true, required: false }),
    CookieValue("c", { required: false }),
    CookieValue("__proto__", { required: false }),
  )
  headers(
    a: string | undefined,
    i: number[] | undefined,
    c: string | undefined,
    proto: string | undefined,
  ) {
    return { a, i, c, proto };
  }

  @PostMapping("/body", RequestBody())
  body(body: unknown) {
    return { body };
  }

  @PostMapping("/schema", RequestBody(User, { required: false }))
  schema(user: z.infer<typeof User> | undefined) {
    return { user };
  }

  @PostMapping(
    "/form",
    FormParam("a", { required: false }),
    RequestPart("f", { required: false, list: true }),
  )
  form(a: string | undefined, files: File[] | undefined) {
    return { a, files: files?.map(({ name, size }) => ({ name, size })) };
  }
}

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "%",
    "%zz",
    "%00",
    "%C3",
    "%ED%A0%80",
    "%F0%9F%98%80",
    "..",
    ".",
    "%2F",
    "%2e%2e",
    "%252F",
    "+",
    "__proto__",
    "constructor",
    "\uD800",
    "a\r\nb",
    "\0",
    "1e999",
    "9".repeat(400),
    "-",
    ";a=b",
    ":x",
    "*",
    "{a}",
    "//",
  ),
);

/** The characters that a header can contain: Latin-1 without line breaks. */
const headerValue = fc.oneof(
  nasty.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "")),
  fc.constantFrom("1,2, 3", "c=1; c=2", "__proto__=1", 'c="a b"', "c=%zz", "=;=", "*/*;q=x", ","),
);

const path = fc.tuple(
  fc.constantFrom("/fuzz/path", "/fuzz/files", "/fuzz", "", "/fuzz/query"),
  fc.array(nasty, { maxLength: 4 }),
).map(([start, parts]) => [start, ...parts].join("/") || "/");

const query = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom("s", "n", "b", "d", "l", "__proto__"), nasty), nasty),
  { maxLength: 5 },
).map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));

const nested = fc.tuple(fc.nat(3000), fc.constantFrom(["[", "]"], ['{"a":', "}"])).map((
  [depth, [open, close]],
) => `${open!.repeat(depth)}1${close!.repeat(depth)}`);

const body = fc.oneof(
  fc.json().map(encode),
  fc.uint8Array({ maxLength: 300 }),
  nested.map(encode),
  nasty.map((text) => encode(`{"name":"${text}","__proto__":{"polluted":1}}`)),
  fc.constantFrom(
    '{"name":"\\ud800"}',
    '{"name":"a","age":1e400}',
    `{"name":"a","age":${"9".repeat(5000)}}`,
    '{"name":"a","name":1}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    "\uFEFF{}",
    "a=1&__proto__[polluted]=1&__proto__=2",
    "a=%zz&a=%",
    '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx',
    '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n--b--\r\n',
    '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    "--b\r\n\r\n\r\n--b--",
    "--b--",
  ).map(encode),
);

const contentType = fc.constantFrom(
  "application/json",
  'application/json; charset="utf-8"',
  "application/x+json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data; boundary=",
  "multipart/form-data",
  "text/plain",
  ";",
  "",
);

Deno.test("application + never fails for what a client sends in path, query, headers and cookies", async () => {
  await using app = await appOf([Fuzzed]);
  const lines = await logged(async () => {
    const property = fc.asyncProperty(
      path,
      query,
      fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE", "PROPFIND"),
      fc.record(
        { "X-A": headerValue, "X-I": headerValue, "Cookie": headerValue, "Accept": headerValue },
        { requiredKeys: [] },
      ),
      async (path, query, method, headers) => {
        for (const where of [path, "/fuzz/headers"]) {
          const request = build(`${where}?${query}`, { method, headers });
          if (request) await check(await app.fetch(request));
        }
      },
    );
    await fc.assert(property, { numRuns: 1500 });
  });
  assertEquals(lines, []);
});

Deno.test("application + never fails for what a client sends as a body", async () => {
  await using app = await appOf([Fuzzed]);
  const lines = await logged(async () => {
    const property = fc.asyncProperty(
      fc.constantFrom("/fuzz/body", "/fuzz/schema", "/fuzz/form"),
      contentType,
      body,
      fc.boolean(),
      async (path, type, bytes, chunked) => {
        const request = build(path, {
          method: "POST",
          headers: { "Content-Type": type },
          body: chunked ? new Blob([bytes]).stream() : bytes,
          ...{ duplex: "half" },
        });
        if (request) await check(await app.fetch(request));
      },
    );
    await fc.assert(property, { numRuns: 1500 });
  });
  assertEquals(lines, []);
  assertEquals(Object.keys(Object.prototype), []);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("application + keeps what is asked at the same time apart", async () => {
  await using app = await appOf([Fuzzed]);
  const requests = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 2, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(requests, async (requests) => {
      const answers = requests.map(async ([n, post], index) => {
        const mark = `${n}-${index}`;
        if (post) {
          const headers = { "Content-Type": "application/json" };
          const body = JSON.stringify({ name: mark });
          const response = await app.request("/fuzz/schema", { method: "POST", headers, body });
          assertEquals(await response.json(), { user: { name: mark } });
        } else {
          const response = await app.request(`/fuzz/query?s=${mark}&l=${index}`);
          assertEquals(await response.json(), {
            s: mark,
            l: [index],
            first: mark,
            all: [String(index)],
          });
        }
      });
      await Promise.all(answers);
    }),
    { numRuns: 50 },
  );
});

/** A request that cannot even be constructed is not sent by any client. */
function build(path: string, init: RequestInit): Request | undefined {
  try {
    return new Request(`http://localhost${path}`, init);
  } catch {
    return undefined;
  }
}

async function check(response: Response): Promise<void> {
  const text = await response.text();
  assert(response.status < 500, `${response.status} ${text}`);
  if (response.status >= 400 && text !== "") {
    assertEquals(response.headers.get("content-type"), "application/problem+json");
    assertEquals(JSON.parse(text).status, response.status);
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
