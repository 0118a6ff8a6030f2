import { assertEquals, assertThrows } from "@std/assert";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { loadedFile } from "../runner/memory.ts";

const TABLE: readonly (readonly [content: string, line: number, source: string])[] = [
  ['{"password":"S3CRET" "x":1}', 1, '{"password…'],
  ['{"pass\\u0077ord":"S3CRET" "x":1}', 1, '{"pass\\u0077ord…'],
  ["{password: 'S3CRET'}", 1, "{password…"],
  ['{\n  "a": 1,\n  "hash": "S3CRET,\n}', 3, '  "hash…'],
  ['{\n  "password":\n    S3CRET\n}', 3, "…"],
  ['[{"op":"add","path":"/b/password","value":"S3CRET"},]', 1, '[{"op":"add","path":"/b/password…'],
  // A text without secrets is shown.
  ['{"tokenizer": "standard" "x":1}', 1, '{"tokenizer": "standard" "x":1}'],
  ['{\n  "password": "S3CRET",\n  "a" 1\n}', 3, '  "a" 1'],
];

for (const [content, line, source] of TABLE) {
  Deno.test(`an error in ${JSON.stringify(content)} shows no value of a secret`, async () => {
    const file = await loadedFile("a.json", content);
    const { problems } = assertThrows(() => classify(file, "reapply"), InvalidFilesError);
    assertEquals([problems[0]?.line, problems[0]?.source], [line, source]);
  });
}
