import { assertEquals } from "@std/assert";
import { masked, shown } from "../../../src/migrations/search/compare/masking.ts";

const API = "/_plugins/_security/api/";
const redact = (text: string) => text.replaceAll("Passw0rd-1", "${pw}");

const TABLE: readonly (readonly [method: string, path: string, body: string, shown: string])[] = [
  ["PUT", `${API}user/bob`, '{"password":"S3CRET"}', '{"password":"***"}'],
  ["PUT", `${API}user/bob`, '{"password": 12345678901 }', '{"password": "***" }'],
  ["PUT", `${API}user/bob`, '{"pass\\u0077ord":"S3CRET"}', '{"pass\\u0077ord":"***"}'],
  ["PUT", `${API}user/bob`, '{"password":"Passw0rd-1"}', '{"password":"${pw}"}'],
  ["PUT", `${API}user/bob`, '{"hash":"$2y$12"} x', '{"hash":"***"} x'],
  [
    "PUT",
    `${API}account`,
    '{"current_password":"S3CRET","password":"S3CRET2"}',
    '{"current_password":"***","password":"***"}',
  ],
  [
    "PATCH",
    `${API}internalusers`,
    '[{"op":"add","path":"/b","value":{"password":"S3CRET"}},{"value":"S","path":"/b/hash","op":"add"}]',
    '[{"op":"add","path":"/b","value":{"password":"***"}},{"value":"***","path":"/b/hash","op":"add"}]',
  ],
  ["PUT", "/_security/user/a/_password", '{"password":"S3CRET"}', '{"password":"***"}'],
  [
    "PUT",
    "/_snapshot/s3",
    '{"type":"s3","settings":{"bucket":"b","access_key":"S","secret_key":"S"}}',
    '{"type":"s3","settings":{"bucket":"b","access_key":"***","secret_key":"***"}}',
  ],
  [
    "POST",
    "/_reindex",
    '{"source":{"remote":{"username":"u","password":"S3CRET"}}}',
    '{"source":{"remote":{"username":"u","password":"***"}}}',
  ],
  ["POST", "/_bulk", '{"index":{}}\n{"token":"S"}\n', '{"index":{}}\n{"token":"***"}\n'],
  // A text that is no secret stays, with every token.
  ...[
    '{"analysis":{"tokenizer":"standard","token_chars":["a"],"x":{"max_token_length":255}}}',
    '{"sort":{"_key":"asc"},"key":"a","routing_key":"b", "n": 1.0, "hash":"x"}',
    '{"token":true,"password":null}',
  ].map((body) => ["PUT", "/x", body, body] as const),
];

for (const [method, path, body, expected] of TABLE) {
  Deno.test(`shown has no secret of ${method} ${path} ${body}`, () => {
    assertEquals(shown({ method, path, body }, redact), `${method} ${path}\n${expected}`);
  });
}

Deno.test("shown has no secret of a query", () => {
  const path = "/x?pretty&password=S3CRET&api%5Fkey=S&q=token";
  assertEquals(
    shown({ method: "GET", path }, redact),
    "GET /x?pretty&password=***&api%5Fkey=***&q=token",
  );
});

Deno.test("masked has no value of a member that is named like a secret", () => {
  const differences = [
    { path: "settings.secret_key", wanted: "S1", live: "S2" },
    { path: "settings", wanted: { access_key: "S1", bucket: "b" }, live: undefined },
  ];
  const drift = masked({ file: "a", resource: "r", differences }, (text) => text);
  assertEquals(drift.differences, [
    { path: "settings.secret_key", wanted: "***", live: "***" },
    { path: "settings", wanted: { access_key: "***", bucket: "b" }, live: undefined },
  ]);
});
