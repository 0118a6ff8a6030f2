import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { stop } from "esbuild";
import { irori } from "../../../src/features/vite/mod.ts";

const DECORATED = `
import { Service } from "irori";
@Service()
export class Clock { now(): number { return 1; } }
`;

test("compiles decorators and types, and says where lines were", async () => {
  const compiled = await irori().transform(DECORATED, "/app/clock.ts");
  assertEquals(/^\s*@|: number/m.test(compiled?.code ?? ""), false);
  assertMatch(compiled?.code ?? "", /from "irori"/);
  assertEquals(JSON.parse(compiled?.map ?? "{}").sources, ["/app/clock.ts"]);
});

test("leaves to Vite what has no decorators, is no module of the project, or is asked for as text", async () => {
  const table: [id: string, code: string][] = [
    ["/app/clock.ts", "/**\n * @param a something\n */\n// @ts-check\nexport const a: number = 1;"],
    [
      "/app/clock.ts",
      '/* write @Service() */ import b from "@scope/b";\nexport const a: string = "@Service()";',
    ],
    ["/app/page.js", '/** @jsx h */ import "@scope/b"; export const a = <p title="@x()" />;'],
    ["/app/node_modules/x/clock.ts", DECORATED],
    ["C:\\app\\node_modules\\x\\clock.ts", DECORATED],
    ["\0virtual.ts", DECORATED],
    ["/app/clock.css", "@media print {}"],
    ["/app/clock.ts?raw", DECORATED],
    ["/app/clock.ts?t=1&url", DECORATED],
  ];
  for (const [id, code] of table) {
    assertEquals(await irori().transform(code, id), undefined, id);
  }
});

test("compiles decorators wherever they stand", async () => {
  const table = [
    "export @dec class A {}",
    "export class A { @dec x; }",
    "export default @dec() class {}",
    "export class A { @ns.dec() accessor x = 1 }",
    "export class A { @(dec) x() {} }",
    "@/* of beans */ dec() export class A {}",
    "@\ndec() export class A {}",
  ];
  for (const code of table) {
    const compiled = await irori().transform(code, "/app/a.ts?t=1");
    assertEquals(/@(?!__PURE__)/.test(compiled?.code ?? "@"), false, code);
  }
});

test("keeps attributes of imports for the bundler", async () => {
  const code = 'import q from "./q.sql" with { type: "text" };\n@dec export class A { q = q }';
  const compiled = await irori().transform(code, "/app/a.ts");
  assertStringIncludes(compiled?.code ?? "", 'with { type: "text" }');
});

test("keeps JSX for Vite, and the names of classes for those who minify", async () => {
  const code =
    "/** @jsxImportSource hono/jsx */\n@dec export class Page { render() { return <p>{this.x}</p>; } }";
  const compiled = await irori().transform(code, "/app/page.tsx");
  assertStringIncludes(compiled?.code ?? "", "/** @jsxImportSource hono/jsx */");
  assertStringIncludes(compiled?.code ?? "", "<p>{this.x}</p>");
  assertStringIncludes(compiled?.code ?? "", '"Page"');
});

test("keeps the names of models in modules without decorators", async () => {
  const code = "export class User\n  extends Model(schema) {}";
  for (const id of ["/app/user.ts", "/app/user.js"]) {
    const compiled = await irori().transform(code, id);
    assertStringIncludes(compiled?.code ?? "", '__name(this, "User")', id);
  }
  const plain = "/** A class that extends nothing. */\nexport class User {}";
  assertEquals(await irori().transform(plain, "/app/user.ts"), undefined);
});

Deno.test("irori/vite + lets Vitest load the library, unless it loads all itself", () => {
  const { config } = irori();
  const expected = { test: { server: { deps: { inline: ["irori", "@irori/irori"] } } } };
  assertEquals(config({}), expected);
  assertEquals(config({ test: { server: { deps: { inline: ["other"] } } } }), expected);
  assertEquals(config({ test: { server: { deps: { inline: true } } } }), undefined);
});

Deno.test.afterAll(() => stop());

function test(name: string, fn: () => Promise<void>): void {
  // esbuild's own process goes on until the end.
  Deno.test({ name: `irori/vite + ${name}`, fn, sanitizeOps: false, sanitizeResources: false });
}
