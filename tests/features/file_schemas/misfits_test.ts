import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { misfitsIn, type Schemas } from "../../../src/features/file_schemas/misfits.ts";
import search from "../../../schemas/search.schema.json" with { type: "json" };
import { problemsOf } from "./problems.ts";

async function found(path: string, text: string): Promise<readonly string[]> {
  const problems = await problemsOf(path, text);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

Deno.test("validate says what was found, what was expected, and what may be meant", async () => {
  const table: [path: string, text: string, ...messages: string[]][] = [
    [
      "logs-template.json",
      '{\n  "index_pattern": ["logs-*"],\n  "template": {}\n}',
      "2:3 Unknown key 'index_pattern': did you mean 'index_patterns'?",
    ],
    [
      "logs-template.json",
      '{"template": {"priority": 5}}',
      "1:15 Unknown key 'priority': expected 'settings', 'mappings', 'aliases', 'lifecycle' or " +
      "'data_stream_options'",
    ],
    [
      "logs-template.json",
      '{"settings": {"refresh_interval": 5,\n "number_of_replicas": "-1"}}',
      "1:35 Expected a time such as '30s', found 5",
      "2:24 Expected a whole number from 0, found '-1'",
    ],
    [
      "logs.json",
      '{"mappings": {"dynamic": "strct", "properties": {"a": {"type": "keywrod"}, "b": {"tpye": "text"}}}}',
      "1:26 Unknown value 'strct': did you mean 'strict'?",
      "1:64 Unknown value 'keywrod': did you mean 'keyword'?",
      "1:82 Unknown key 'tpye': did you mean 'type'?",
    ],
    [
      "logs.json",
      '{"mappings": {"properties": {"a": {"type": "keyword", "properties": {}}, "b": "text"}}}',
      "1:55 Unknown key 'properties'",
      "1:79 Expected an object, found 'text'",
    ],
    [
      "a.json",
      '{"method": "PUT", "path": "/_ingest/pipeline/a?timeout=1s", "body": {"processors": [{"set": {"value": 1}}]}}',
      "1:93 'field' is missing",
    ],
    ["a.json", '{"method": "PUT", "path": "/a/_settings"}', "1:1 'body' is missing"],
    ["a.json", '{"mapping": {}}', "1:2 Unknown key 'mapping': did you mean 'mappings'?"],
    [
      "a-role.json",
      '{"index_permission": []}',
      "1:2 Unknown key 'index_permission': did you mean 'index_permissions'?",
    ],
    [
      "a-policy.json",
      '{"polcy": {}}',
      "1:2 Unknown key 'polcy': did you mean 'policy'?",
    ],
    ["a.json", '{"method": "PUT", "pth": "/a"}', "1:19 Unknown key 'pth': did you mean 'path'?"],
  ];
  for (const [path, text, ...messages] of table) {
    assertEquals(await found(path, text), messages, text);
  }
});

Deno.test("validate has nothing against what plugins add", async () => {
  const texts = [
    '{"settings": {"index.own_plugin.size": 1, "own": {"a": "b"}}}',
    '{"mappings": {"properties": {"a": {"type": "elastiknn_dense_vector", "own": {}}}}}',
    '{"settings": {"analysis": {"analyzer": {"a": {"type": "pinyin", "keep_none": false}}}}}',
    '{"mappings": {"properties": {"a": {"type": "knn_vector", "dimension": 3, "own": 1}}}}',
  ];
  for (const text of texts) assertEquals(await found("a.json", text), []);
  const pipeline = '{"processors": [{"own_processor": {"own": 1}}]}';
  assertEquals(await found("a-pipeline.json", pipeline), []);
});

Deno.test("validate shows no secret, and no control character", async () => {
  assertEquals(await found("a-user.json", '{"backend_roles": [], "password": 7312}'), [
    "1:35 Expected a string, found another value",
  ]);
  assertEquals(
    await found("a.json", '{"settings":{}, "mappings": {"\\u001b[31m": 1}}'),
    ["1:30 Unknown key '\\u001b[31m'"],
  );
});

Deno.test("validate reads a file of 1,000 levels, and looks at as many as clusters accept", async () => {
  const nested = (levels: number) =>
    `{"mappings": ${'{"properties":{"a":'.repeat(levels)}{"type":"keywrod"}${"}}".repeat(levels)}}`;
  assertEquals((await found("a.json", nested(20))).length, 1);
  assertEquals(await found("a.json", nested(498)), []);
});

Deno.test("misfitsIn names each place once, in order, whatever a file holds", () => {
  const definitions = search.definitions as unknown as Schemas;
  const schemas = Object.keys(definitions).filter((name) => name.startsWith("file."));
  const words = ["type", "settings", "mappings", "properties", "method", "path", "body", "policy"];
  const key = fc.oneof(fc.string(), fc.constantFrom(...words, "index_patterns", "__proto__"));
  const { object } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue({ maxDepth: 0 }),
      tie("object"),
      tie("list"),
    ),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(fc.property(object, fc.constantFrom(...schemas), (value, name) => {
    const text = JSON.stringify(value);
    const offsets = misfitsIn(text, definitions[name]!, definitions).map(({ offset }) => offset);
    assertEquals(offsets, [...new Set(offsets)].sort((a, b) => a - b));
    assert(offsets.every((offset) => /[{["\-\dtfn]/.test(text[offset]!)));
  }));
});
