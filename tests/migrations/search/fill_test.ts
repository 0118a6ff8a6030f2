import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { ConfigValue } from "../../../src/config/mod.ts";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import { filledText } from "../../../src/migrations/search/files/placeholders.ts";
import { loadedFile } from "../runner/memory.ts";
import { declared } from "./placeholder_values.ts";
import { connectionTo } from "./runner.ts";

const VALUES = {
  replicas: 2,
  env: "prod",
  on: true,
  none: null,
  list: ["a", "b"],
  map: { a: { b: 1 } },
  quote: 'a"b\\c\n',
  empty: "",
  other: "${env}",
};

function filled(source: string, values: Readonly<Record<string, ConfigValue>> = VALUES) {
  const filled = filledText(source, declared(values));
  assert("text" in filled, JSON.stringify(filled));
  return filled;
}

const FILLED: readonly (readonly [source: string, filled: string])[] = [
  // The whole of a value becomes the value.
  ['{"a": "${replicas}"}', '{"a": 2}'],
  ['{"a": "${on}", "b": "${none}"}', '{"a": true, "b": null}'],
  ['{"a": "${list}", "b": ["${map}"]}', '{"a": ["a","b"], "b": [{"a":{"b":1}}]}'],
  ['{"a": "${env}"}', '{"a": "prod"}'],
  ['{"a": "${quote}"}', '{"a": "a\\"b\\\\c\\n"}'],
  ['{"a":"${empty}"}', '{"a":""}'],
  // Within a text, and in keys, it is text.
  ['{"a": "x-${replicas}-${env}"}', '{"a": "x-2-prod"}'],
  ['{"a": "${env}${replicas}"}', '{"a": "prod2"}'],
  ['{"${env}": 1, "${replicas}" : "${on}!"}', '{"prod": 1, "2" : "true!"}'],
  ['{"a": " ${replicas}", "b": "${none}!"}', '{"a": " 2", "b": "!"}'],
  ['{"a": "<${quote}>"}', '{"a": "<a\\"b\\\\c\\n>"}'],
  // Quotes within the text are no ends of it.
  ['{"a": "\\"${replicas}\\""}', '{"a": "\\"2\\""}'],
  ['{"a": "\\\\${replicas}"}', '{"a": "\\\\2"}'],
  ['{"a": "\\"${replicas}"}', '{"a": "\\"2"}'],
  // The text itself, names that are not declared, and what values look like.
  ['{"a": "$${replicas}", "$${env}": 1}', '{"a": "${replicas}", "${env}": 1}'],
  ['{"a": "${nope} ${ env } ${env:x} ${}"}', '{"a": "${nope} ${ env } ${env:x} ${}"}'],
  ['{"a": "$${nope}", "b": "${toString}"}', '{"a": "$${nope}", "b": "${toString}"}'],
  ['{"a": "${other}"}', '{"a": "${env}"}'],
  // Every other byte stays.
  [
    '\t{ "n": 12345678901234567890, "x":1.0,\r\n"u":"\\u00e9é", "a" : "${replicas}" }\n',
    '\t{ "n": 12345678901234567890, "x":1.0,\r\n"u":"\\u00e9é", "a" : 2 }\n',
  ],
];

for (const [source, expected] of FILLED) {
  Deno.test(`filledText makes ${expected} of ${source}`, () => {
    assertEquals(filled(source).text, expected);
  });
}

Deno.test("filledText leaves a text alone where nothing is declared, or nothing used", () => {
  const source = '{"a": "${env} $${env}"}';
  assertEquals(filled(source, {}).text, source);
  assertEquals(filled(source, { other: 1 }).text, source);
  assertEquals(filled("{${nope}").text, "{${nope}");
});

const WRONG: readonly (readonly [source: string, message: string, line: number, column: number])[] =
  [
    [
      '{\n "a": "x${list}"}',
      "'${list}' is a list: use it only as a whole value, \"${list}\"",
      2,
      9,
    ],
    [
      '{"${map}": 1}',
      "'${map}' is a map: use it only as a whole value, \"${map}\"",
      1,
      3,
    ],
    // Strict JSON as it stands, whatever the values would make of it.
    ['{"a": ${replicas}}', QUOTES(), 1, 7],
    ['{"a": "${env}" "b"}', "Comma expected", 1, 16],
    ["{\n// ${env}\n}", "Comments are not allowed in JSON", 2, 1],
    // Errors that are found only when a file is filled are reported for the file.
    ['{"method":"PUT",\n "x":"${list}", "path":"${env}"}', PATH(), 2, 24],
    ['{"method":"PUT","path":"/${other_host}"}', HOST(), 1, 24],
    ['{"${env}": 1,\n "prod": 2, "a":"${replicas}"}', TWICE(), 2, 2],
    [
      '{"index_patterns": ["${env}"],\n "x": "${list}", "settings": {}, "template": "${env}"}',
      BOTH(),
      2,
      46,
    ],
  ];

function QUOTES(): string {
  return 'A placeholder needs quotes, whatever its value is: "${replicas}"';
}
function PATH(): string {
  return "Expected a path that starts with '/', found 'prod'";
}
function HOST(): string {
  return "The path '//evil.example' would lead to another host";
}
function TWICE(): string {
  return "The key 'prod' occurs twice, so it is unclear which one counts";
}
function BOTH(): string {
  return "Expected 'settings', 'mappings' and 'aliases' below 'template', found both";
}

for (const [source, message, line, column] of WRONG) {
  Deno.test(`a file ${source} is refused at line ${line}, column ${column} of itself`, async () => {
    const file = await loadedFile("a.json", source);
    const placeholders = declared({ ...VALUES, other_host: "/evil.example" });
    const { classify } = classifierOf({ ...connectionTo("http://a"), placeholders });
    const error = assertThrows(() => classify(file), InvalidFilesError);
    const [problem] = error.problems;
    assertEquals(problem?.message, message);
    assertEquals([problem?.line, problem?.column], [line, column]);
    assertEquals(problem?.source, source.split(/\r?\n/)[line - 1]);
  });
}

Deno.test("a path cannot leave the host by a value, whatever it is", async () => {
  for (const value of ["/evil", "..", "%2e%2e/x", "a\\b", "a#b", "a b", "\r\nHost: evil"]) {
    const file = await loadedFile("a.json", '{"method":"PUT","path":"/${value}"}');
    const { classify } = classifierOf({
      ...connectionTo("http://a"),
      placeholders: declared({ value }),
    });
    assertThrows(() => classify(file), InvalidFilesError, undefined, value);
  }
});

Deno.test("errors and resources show no value of a placeholder that is named like a secret", async () => {
  const placeholders = declared({ api_token: "gr8-secret", db: { password: "hidden-too" } });
  const { classify } = classifierOf({ ...connectionTo("http://a"), placeholders });
  const bad = await loadedFile("a.json", '{"method":"PUT","path":"${api_token}"}');
  const error = assertThrows(() => classify(bad), InvalidFilesError);
  assert(!JSON.stringify(error.problems).includes("gr8-secret"));
  assert(!error.message.includes("gr8-secret"));
  assertEquals(
    error.problems[0]?.message,
    "Expected a path that starts with '/', found '${api_token}'",
  );
  const good = await loadedFile(
    "b.json",
    '{"method":"PUT","path":"/x/${api_token}","body":"${db}","name":"of ${api_token}"}',
  );
  const migration = classify(good);
  assertEquals(migration.resource, "of ${api_token}");
  assertEquals(migration.request.path, "/x/gr8-secret");
  assertEquals(migration.request.body, '{"password":"hidden-too"}');
});

/** The expected result of `filledText`, computed on values instead of texts. */
function substitute(value: unknown, values: Readonly<Record<string, ConfigValue>>): unknown {
  if (typeof value === "string") {
    const [, whole] = /^\$\{(\w+)\}$/.exec(value) ?? [];
    if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole];
    return inText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [inText(key, values), substitute(item, values)]),
  );
}

function inText(value: string, values: Readonly<Record<string, ConfigValue>>): string {
  return value.replace(/(\$?)\$\{([^{}\s]+)\}/g, (found, escape, name) => {
    if (!Object.hasOwn(values, name)) return found;
    return escape ? `\${${name}}` : String(values[name]);
  });
}

const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('"', "\\", "${a}", "\u2028", "😀", "}"),
);
const piece = fc.oneof(
  fc.constantFrom("${a}", "${b}", "$${a}", "${nope}", "$", "$$", "${", "}", "\\", '"', "\n"),
  fc.string({ maxLength: 4 }),
);
const written = fc.oneof(
  fc.constantFrom("${a}", "${b}"),
  fc.array(piece, { maxLength: 5 }).map((parts) => parts.join("")),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    written,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(written, tie("tree"), { maxKeys: 4 }),
  ),
}));

Deno.test("to fill and to parse is to parse and to substitute", () => {
  fc.assert(fc.property(tree, scalar, scalar, (value, a, b) => {
    // Some names are those of objects themselves.
    const source = JSON.stringify({ value }, null, 1);
    if (source.includes("__proto__")) return;
    const { text } = filled(source, { a, b });
    assertEquals(JSON.parse(text), substitute({ value }, { a, b }));
  }));
});

Deno.test("bytes outside of placeholders are as they were", () => {
  fc.assert(fc.property(tree, fc.integer(), (value, a) => {
    const source = JSON.stringify({ value }, null, 1);
    const parts = source.split(/"\$\{a\}"(?!\s*:)|\$?\$\{a\}/);
    const { text } = filled(source, { a });
    let from = 0;
    for (const part of parts) {
      const at = text.indexOf(part, from);
      assert(at >= from, `${text} has no ${part}`);
      from = at + part.length;
    }
  }));
});

Deno.test("the place of every character outside of values is found again", () => {
  fc.assert(fc.property(tree, scalar, (value, a) => {
    const source = JSON.stringify({ value }, null, 1);
    const { text, originOf } = filled(source, { a });
    const end = text.length;
    assertEquals(originOf(0), 0);
    assertEquals(originOf(end, "end"), source.length);
    let last = 0;
    for (let at = 0; at < end; at++) {
      const origin = originOf(at);
      assert(origin >= last && origin <= source.length);
      last = origin;
    }
  }));
});
