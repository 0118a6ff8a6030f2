import { assertEquals } from "@std/assert";
import { MYSQL } from "../../../../src/migrations/sql/engines/mysql/grammar.ts";
import { POSTGRESQL } from "../../../../src/migrations/sql/engines/postgresql/grammar.ts";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import type { Grammar } from "../../../../src/migrations/sql/syntax/grammar.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";
import { CASES } from "./cases.ts";

const GRAMMARS: Record<keyof typeof CASES, Grammar> = {
  postgresql: POSTGRESQL,
  mysql: MYSQL,
  sqlite: SQLITE,
};

for (const dialect of ["postgresql", "mysql", "sqlite"] as const) {
  for (const { name, text, statements } of CASES[dialect]) {
    Deno.test(`split ${dialect}: ${name}`, () => {
      const found = split(text, GRAMMARS[dialect]);
      assertEquals(found.statements.map(({ text }) => text), statements);
      assertEquals(found.unfinished, undefined);
      for (const { text: part, start, end } of found.statements) {
        assertEquals(text.slice(start, end), part);
      }
    });
  }
}

const UNFINISHED: [keyof typeof CASES, string, number, string][] = [
  ["postgresql", "SELECT 1; SELECT 'a;", 17, "Unterminated string: expected '"],
  ["postgresql", 'SELECT "a', 7, 'Unterminated quoted name: expected "'],
  ["postgresql", "SELECT $a$ $b$", 7, "Unterminated string: expected $a$"],
  ["postgresql", "/* /* */ SELECT 1", 0, "Unterminated comment: expected */"],
  ["postgresql", "SELECT E'\\'", 7, "Unterminated string: expected '"],
  [
    ...["postgresql", "SELECT 1 --> statement-breakpoint SELECT 2", 9] as const,
    "Unterminated comment: expected a line break after '--> statement-breakpoint'",
  ],
  ["mysql", "SELECT `a", 7, "Unterminated quoted name: expected `"],
  ["mysql", "SELECT 'a\\'", 7, "Unterminated string: expected '"],
  ["mysql", "SELECT 1 /* x", 9, "Unterminated comment: expected */"],
  ["sqlite", "SELECT 1; /* SELECT 2;", 10, "Unterminated comment: expected */"],
  ["sqlite", "SELECT [a", 7, "Unterminated quoted name: expected ]"],
];

for (const [dialect, text, offset, message] of UNFINISHED) {
  Deno.test(`split ${dialect} finds what has no end in ${text}`, () => {
    assertEquals(split(text, GRAMMARS[dialect]).unfinished, { offset, message });
  });
}

Deno.test("split gives the first words of a statement, without comments and quoted names", () => {
  const [statement] =
    split('/* a */ create /* b */ unique INDEX "c" on d (e)', POSTGRESQL).statements;
  assertEquals(statement?.words, ["CREATE", "UNIQUE", "INDEX", "ON", "D", "E"]);
});

Deno.test("split gives the comments that stand between statements", () => {
  const text = "-- a\nSELECT 1; /* b */ SELECT /* c */ 2; -- d";
  const { comments } = split(text, POSTGRESQL);
  assertEquals(comments.map(({ start, end }) => text.slice(start, end)), [
    "-- a",
    "/* b */",
    "-- d",
  ]);
});

Deno.test("split takes a string of ten million characters", () => {
  const text = `SELECT '${"a''".repeat(3_000_000)}'; SELECT 2`;
  for (const grammar of Object.values(GRAMMARS)) {
    assertEquals(split(text, grammar).statements.length, 2);
  }
});
