import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { compact } from "../../../src/migrations/search/json/_slices.ts";
import { loadedFile } from "../runner/memory.ts";

const request = async (path: string, content: string) => {
  const { method, path: target, body } =
    classify(await loadedFile(path, content), "reapply").request;
  return [`${method} ${target}`, body];
};

Deno.test("classify lets no name or path forge a line of the output", async () => {
  const named = '{"name":"a\\nerror: b","method":"PUT","path":"/a"}';
  assertEquals(
    classify(await loadedFile("a.json", named), "reapply").resource,
    "a\\u000aerror: b",
  );
  const file = await loadedFile("a.json", '{"method":"PUT","path":"/a\\nerror: \\u001b[31mb"}');
  const error = assertThrows(() => classify(file, "reapply"), InvalidFilesError);
  assertStringIncludes(error.message, "The path '/a\\u000aerror: \\u001b[31mb' has a character");
});

Deno.test("classify finds whether the place of a file matters", async () => {
  const template = '{"index_patterns":["a-*"],"template":{}}';
  const post = '{"method":"POST","path":"/a/_update_by_query"}';
  const remove = '{"method":"DELETE","path":"/_ingest/pipeline/geo"}';
  const table: [file: string, content: string, unordered: boolean][] = [
    ["50-templates/a-template.json", template, true],
    ["90-indices/a.json", '{"mappings":{}}', true],
    ["99-remove-geo.json", remove, true],
    ["50-templates/fill.json", post, false],
    ["50-a-template.json", template, false],
    ["a-template.json", template, false],
    ["2026-11-30/a-template.json", template, false],
    ["fill.json", post, false],
    ["remove.json", '{"method":"DELETE","path":"/_unknown/api"}', false],
  ];
  for (const [path, content, unordered] of table) {
    assertEquals(classify(await loadedFile(path, content), "reapply").unordered, unordered, path);
  }
});

Deno.test("classify sends each kind of file where the reference says", async () => {
  const template = '{"index_patterns":["a-*"],"template":{}}';
  const policy = '{"policy":{"states":[]}}';
  const table: [file: string, content: string, request: string, kind: string][] = [
    ["logs-template.json", template, "PUT /_index_template/logs", "template"],
    ["r-1.0/logs-template.json", template, "PUT /_index_template/logs", "template"],
    ["logs.json", template, "PUT /_index_template/logs", "template"],
    ["logs-index.json", template, "PUT /_index_template/logs", "template"],
    ["old-policy.json", policy, "PUT /_plugins/_ism/policies/old", "policy"],
    ["old.json", policy, "PUT /_plugins/_ism/policies/old", "policy"],
    ["Old.json", policy, "PUT /_plugins/_ism/policies/Old", "policy"],
    ["hot-policy.json", '{"policy":{"phases":{}}}', "PUT /_ilm/policy/hot", "policy"],
    ["users.json", '{"settings":{}}', "PUT /users", "index"],
    ["users-index.json", '{"mappings":{}}', "PUT /users", "index"],
    ["Users-Index.json", '{"aliases":{}}', "PUT /users-index", "index"],
    ["Users.json", '{"aliases":{}}', "PUT /users", "index"],
    ["a-index-index.json", '{"aliases":{}}', "PUT /a-index", "index"],
    ["a-component-template.json", '{"template":{}}', "PUT /_component_template/a", "component"],
    ["a-component-template.JSON", '{"template":{}}', "PUT /_component_template/a", "component"],
    ["a-component-template.json", template, "PUT /_index_template/a-component", "template"],
    ["x-template.json", '{"method":"put","path":"/y/_mapping"}', "PUT /y/_mapping", "request"],
    ["x-policy.json", '{"method":"Post","path":"/_aliases"}', "POST /_aliases", "request"],
  ];
  for (const [path, content, expected, kind] of table) {
    assertEquals((await request(path, content))[0], expected, path);
    assertEquals(classify(await loadedFile(path, content), "reapply").kind, kind, path);
  }
});

Deno.test("classify wraps bare definitions and keeps every byte of their parts", async () => {
  const settings = '{ "a" : 1.0, "big": 12345678901234567890,\n "a": {} }';
  const table: [file: string, content: string, body: string][] = [
    [
      "logs-template.json",
      `{"settings": ${settings}}`,
      `{"index_patterns":["logs*"],"template":{"settings": ${settings}}}`,
    ],
    [
      "logs-template.json",
      '{"priority":5,"mappings":{},"index_patterns":["x-*"],"aliases":{"a":{}},"_meta":{"v":1}}',
      '{"priority":5,"index_patterns":["x-*"],"_meta":{"v":1},"template":{"mappings":{},"aliases":{"a":{}}}}',
    ],
    // By content: patterns beside bare settings.
    [
      "x.json",
      '{"index_patterns":"x*","settings":{}}',
      '{"index_patterns":"x*","template":{"settings":{}}}',
    ],
    // A whole template goes as it is, white space included.
    ["x-template.json", ' {"index_patterns":["x"] }\n', ' {"index_patterns":["x"] }\n'],
    ["x-template.json", '{ "template": {} }', '{"index_patterns":["x*"], "template": {} }'],
  ];
  for (const [path, content, body] of table) assertEquals((await request(path, content))[1], body);
});

Deno.test("classify sends the text of an envelope's body, a byte order mark dropped", async () => {
  const envelope = (path: string, body: string) =>
    `{"method":"POST","path":"${path}","body":${body}}`;
  const table: [content: string, body: string | undefined][] = [
    ['{"method":"POST","path":"/x"}', undefined],
    ['{"method":"POST","path":"/x","body":null}', undefined],
    [envelope("/x", '{ "n": 1.0, "n": 9007199254740993 }'), '{ "n": 1.0, "n": 9007199254740993 }'],
    [envelope("/x", '"a\\nb"'), "a\nb"],
    [envelope("/x", '[{"a":1}]'), '[{"a":1}]'],
    [envelope("/i/_bulk", '[{"index": {}}, {"a": "b c"}]'), '{"index":{}}\n{"a":"b c"}\n'],
  ];
  for (const [content, body] of table) assertEquals((await request("x.json", content))[1], body);
  assertEquals((await request("x.json", '\uFEFF{"settings":{}}'))[1], '{"settings":{}}');
});

Deno.test("classify sends the body of a GET as parameters, and names POST when it is too long", async () => {
  const [line, body] = await request(
    "x.json",
    '{"method":"GET","path":"/a/_search","body":{"size": 0}}',
  );
  const type = "source_content_type=application%2Fjson";
  assertEquals([line, body], [`GET /a/_search?source=%7B%22size%22%3A0%7D&${type}`, undefined]);
  const long = JSON.stringify({ method: "GET", path: "/a", body: { a: "x".repeat(4096) } });
  const file = await loadedFile("x.json", long);
  assertStringIncludes(
    assertThrows(() => classify(file, "reapply"), InvalidFilesError).message,
    "use POST",
  );
});

Deno.test("classify percent-encodes date-math names and keeps what is encoded", async () => {
  const envelope = (path: string) => JSON.stringify({ method: "PUT", path });
  const encoded = "/%3Clogs-%7Bnow%2Fd%7D-000001%3E?a=b";
  assertEquals(
    (await request("x.json", envelope("/<logs-{now/d}-000001>?a=b")))[0],
    `PUT ${encoded}`,
  );
  assertEquals((await request("x.json", envelope(encoded)))[0], `PUT ${encoded}`);
  assertEquals((await request("x.json", envelope("/ä")))[0], "PUT /%C3%A4");
});

Deno.test("classify uses an envelope's name in messages only", async () => {
  const content = '{"method":"PUT","path":"/x/_settings","name":"replicas"}';
  const { resource, request } = classify(await loadedFile("x.json", content), "reapply");
  assertEquals([resource, request.path], ["replicas", "/x/_settings"]);
});

Deno.test("classify holds only raw POST and PATCH back from being repeated", async () => {
  const table: [string, boolean][] = [
    ['{"method":"POST","path":"/x"}', false],
    ['{"method":"PATCH","path":"/x"}', false],
    ['{"method":"PUT","path":"/x"}', true],
    ['{"method":"DELETE","path":"/x"}', true],
    ['{"settings":{}}', true],
  ];
  for (const [content, safe] of table) {
    assertEquals(
      classify(await loadedFile("x.json", content), "reapply").repeatSafe,
      safe,
      content,
    );
  }
});

Deno.test("classify refuses what it cannot apply, naming line and column", async () => {
  const table: [file: string, content: string, message: RegExp][] = [
    ["x.json", '{\n  "a": 1,\n}', /^x\.json:3:1: Property name expected\n {2}3 \| \}\n {4}\| \^$/],
    ["x.json", '{"a": tru}', /x\.json:1:7: /],
    ["x.json", '{"a": 1} // why', /x\.json:1:10: Comments are not allowed/],
    ["x.json", "", /x\.json:1:1: Expected a JSON object, found nothing/],
    [
      "x.json",
      '{"method":"POST",\n "method":"DELETE","path":"/x"}',
      /x\.json:2:2: The key 'method' occurs twice/,
    ],
    ["x.json", "[]", /Expected a JSON object, found an array/],
    [
      "x.json",
      '{"a":1}',
      /Cannot determine what the file defines: expected a request .*an index template/,
    ],
    ["x.json", '{"policy":"p"}', /Cannot determine what the file defines/],
    [
      "x-policy.json",
      '{"policy":[]}',
      /x-policy\.json:1:11: A policy file needs an object 'policy'/,
    ],
    ["x-policy.json", "{}", /A policy file needs an object 'policy'/],
    ["x-template.json", "{}", /Expected an index template/],
    ["x-template.json", '{"settings":{},"template":{}}', /found both/],
    ["Logs-template.json", '{"template":{}}', /'Logs' must be lower case/],
    ["-template.json", '{"template":{}}', /contains no name/],
    ["a b.json", '{"settings":{}}', /index name 'a b' has the character ' '/],
    ["_x.json", '{"settings":{}}', /starts with '_'/],
    ["x.json", '{"method":"PUT"}', /A request needs a string 'path', found none/],
    ["x.json", '{"path":"/a"}', /A request needs a string 'method', found none/],
    ["x.json", '{"method":1,"path":"/a"}', /x\.json:1:11: .*found a number/],
    ["x.json", '{"method":"FETCH","path":"/a"}', /Expected one of GET, HEAD, POST, .*'FETCH'/],
    ["x.json", '{"method":"PUT","path":"a"}', /starts with '\/'/],
    ["x.json", '{"method":"PUT","path":"//evil/a"}', /another host/],
    ["x.json", '{"method":"PUT","path":"@evil/a"}', /starts with '\/'/],
    ["x.json", '{"method":"PUT","path":"http://evil/"}', /starts with '\/'/],
    ["x.json", '{"method":"PUT","path":"/a/../_x"}', /has a segment '\.' or '\.\.'/],
    ["x.json", '{"method":"PUT","path":"/a\\\\b"}', /percent-encoded/],
    ["x.json", '{"method":"PUT","path":"/a","body":1}', /as body, found a number/],
    ["x.json", `{"settings":${"[".repeat(1001)}`, /deeper than 1000 levels/],
  ];
  for (const [path, content, message] of table) {
    const file = await loadedFile(path, content);
    assertMatch(
      assertThrows(() => classify(file, "reapply"), InvalidFilesError, "", content).message,
      message,
    );
  }
  const latin = await loadedFile("x.json", new Uint8Array([0x7b, 0xe4, 0x7d]));
  assertMatch(
    assertThrows(() => classify(latin, "reapply"), InvalidFilesError).message,
    /not UTF-8/,
  );
});

/** Any JSON, as text that `JSON.stringify` would not write: big numbers, `1.0`, twice the same name, escapes. */
const json = fc.letrec<{ value: string; members: string }>((tie) => {
  const space = fc.constantFrom("", " ", "\n  ");
  const text = fc.oneof(
    fc.string({ unit: "binary" }).map((value) => JSON.stringify(value)),
    fc.constantFrom('"\\u0041"', '"\\/"', '"__proto__"', '"a"', '"é"'),
  );
  const number = fc.constantFrom(
    "1.0",
    "-0",
    "1e400",
    "9007199254740993",
    "0.10",
    "12345678901234567890",
  );
  const members = fc.array(fc.tuple(text, space, tie("value")), { maxLength: 3 })
    .map((list) =>
      `{${list.map(([name, gap, value]) => `${gap}${name}:${gap}${value}`).join(",")}}`
    );
  const list = fc.array(tie("value"), { maxLength: 3 }).map((values) => `[${values.join(", ")}]`);
  return {
    value: fc.oneof(
      { depthSize: "small" },
      text,
      number,
      fc.constantFrom("true", "null"),
      tie("members"),
      list,
    ),
    members,
  };
});

Deno.test("classify lets any JSON through byte for byte: alone, in an envelope, in a wrapped template", async () => {
  await fc.assert(fc.asyncProperty(json.members, async (part) => {
    const index = `{"settings":${part}}`;
    assertEquals((await request("x.json", index))[1], index);
    const envelope = `{"method":"PUT","path":"/x", "body": ${part} }`;
    assertEquals((await request("x.json", envelope))[1], part);
    const wrapped = `{"index_patterns":["x*"],"template":{"mappings": ${part}}}`;
    assertEquals((await request("x-template.json", `{"mappings": ${part}}`))[1], wrapped);
  }));
});

Deno.test("compact removes white space between tokens and nothing else", () => {
  fc.assert(fc.property(json.value, (value) => {
    const short = compact(value);
    assertEquals(JSON.stringify(JSON.parse(short)), JSON.stringify(JSON.parse(value)));
    assertEquals(/^[^"\s]*(?:"(?:[^"\\]|\\.)*"[^"\s]*)*$/.test(short), true);
  }));
});

Deno.test("compact takes a text with millions of escapes", () => {
  const text = JSON.stringify("line\n".repeat(5_000_000));
  assertEquals(compact(`[ ${text} ]`) === `[${text}]`, true);
});

Deno.test("classify says how to write what it does not take", async () => {
  const order = '{"index_patterns":["l-*"],"order":1}';
  const table: [file: string, content: string, message: RegExp][] = [
    ["l.json", order, /'order' is of legacy templates.*write 'priority'.*"\/_template\/l"/],
    ["l-ism-template.json", '{"policy":{"states":[]}}', /name it '\*-policy\.json'/],
    ["p.json", '{"properties":{}}', /Expected 'properties' below 'mappings'/],
    ["p-template.json", '{"properties":{}}', /Expected 'properties' below 'mappings'/],
    ["%3Cl-%7Bnow%2Fd%7D%3E.json", '{"mappings":{}}', /encoded date math: write a request/],
    ["user.json", "{}", /Cannot determine what the file defines/],
  ];
  for (const [path, content, message] of table) {
    const file = await loadedFile(path, content);
    assertMatch(assertThrows(() => classify(file, "reapply"), InvalidFilesError).message, message);
  }
});

Deno.test("classify encodes date math once, whatever of it is encoded", async () => {
  const encoded = "PUT /%3Clg-%7Bnow%2Fd%7D-1%3E";
  for (const path of ["/<lg-{now/d}-1>", "/<lg-{now%2Fd}-1>", encoded.slice(4)]) {
    assertEquals((await request("a.json", JSON.stringify({ method: "PUT", path })))[0], encoded);
  }
});
