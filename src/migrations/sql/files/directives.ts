import { defined, DURATION, durationMs, listed } from "../../../text/mod.ts";
import type { InvalidFilesError } from "../../runner/mod.ts";
import { invalidFile, type Script } from "./script.ts";
import type { Split } from "../syntax/splitter.ts";

export const DIRECTIVE = /^--[ \t]*irori[ \t]*:[ \t]*/i;

export interface Directives {
  /** `no-transaction`: statement by statement, each committed by itself. */
  readonly noTransactionAt?: number;
  /** `repeatable`: an edited file runs again. */
  readonly repeatable: boolean;
  /** `lock-timeout 30s`: how long a statement may wait for a lock, in milliseconds. */
  readonly lockTimeoutMs?: number;
  readonly lockTimeoutAt?: number;
  readonly allowances: readonly Allowance[];
}

/** `allow <rule>, <rule>: <reason>`: what is not told of a file or of a statement, and why. */
export interface Allowance {
  readonly rule: string;
  readonly at: number;
  readonly reason: string;
  /** Index of the statement that it stands before; absent at the head of the file: it holds for all of it. */
  readonly statement?: number;
}

const LOCK_TIMEOUT = "lock-timeout";
/** Directives that stand at the head of a file. */
const KNOWN = ["no-transaction", "repeatable", LOCK_TIMEOUT];
const ALLOW = "allow";

/**
 * Reads the directives at the head of a file, before its first statement, and what is allowed there or right before a
 * statement:
 *
 * ```sql
 * -- irori: no-transaction, lock-timeout 30s
 * CREATE INDEX CONCURRENTLY users_email ON users (email);
 * -- irori: allow drop-column: no release reads it since May
 * ALTER TABLE users DROP COLUMN nickname;
 * ```
 *
 * @throws {InvalidFilesError} for a directive that is not known, lacks what belongs to it, or stands behind a statement
 */
export function readDirectives(
  path: string,
  script: Script,
  { comments, statements }: Split,
): Directives {
  const fail = (message: string, offset: number): InvalidFilesError =>
    invalidFile(path, message, script.locate(offset));
  const places = new Map<string, number>();
  const allowances: Allowance[] = [];
  let lockTimeoutMs: number | undefined;
  for (const { start, end } of comments) {
    const found = DIRECTIVE.exec(script.text.slice(start, end));
    if (found === null) continue;
    const from = start + found[0].length;
    const rest = script.text.slice(from, end);
    const [, opening] = /^(allow)\b/i.exec(rest) ?? [];
    if (opening !== undefined) {
      const next = statements.findIndex((statement) => statement.start > start);
      if (next < 0) throw fail("'allow' must come before a statement", start);
      const about = readAllowances(rest.slice(opening.length), from + opening.length, fail);
      allowances.push(...about.map((one) => next === 0 ? one : { ...one, statement: next }));
      continue;
    }
    if (start > (statements[0]?.start ?? Infinity)) {
      throw fail("A directive must come before the first statement of the file", start);
    }
    lockTimeoutMs = !/^after\b/i.test(rest) && readWords(rest, from, places, fail) || lockTimeoutMs;
  }
  const noTransactionAt = places.get("no-transaction");
  const lockTimeoutAt = places.get(LOCK_TIMEOUT);
  return {
    repeatable: places.has("repeatable"),
    allowances,
    ...defined({ noTransactionAt, lockTimeoutMs, lockTimeoutAt }),
  };
}

function readWords(
  text: string,
  offset: number,
  places: Map<string, number>,
  fail: Fail,
): number | undefined {
  const words = [...text.matchAll(/[^\s,]+/g)];
  if (words.length === 0) throw unknown("", offset, fail);
  let lockTimeoutMs: number | undefined;
  for (let word = words.shift(); word; word = words.shift()) {
    const directive = word[0].toLowerCase();
    const at = offset + word.index;
    if (!KNOWN.includes(directive)) throw unknown(word[0], at, fail);
    places.set(directive, at);
    if (directive !== LOCK_TIMEOUT) continue;
    const value = words.shift();
    lockTimeoutMs = value && durationMs(value[0]);
    if (lockTimeoutMs) continue;
    const place = value ? offset + value.index : at + directive.length;
    throw fail(`Expected ${DURATION} after 'lock-timeout', found '${value ?? ""}'`, place);
  }
  return lockTimeoutMs;
}

type Fail = (message: string, offset: number) => InvalidFilesError;

function readAllowances(text: string, offset: number, fail: Fail): readonly Allowance[] {
  const colon = text.indexOf(":");
  const reason = colon < 0 ? "" : text.slice(colon + 1).trim();
  if (reason === "") {
    const place = offset + (colon < 0 ? text.trimEnd().length : colon + 1);
    throw fail("Expected a reason after 'allow <rule>', as in 'allow drop-table: …'", place);
  }
  const rules = [...text.slice(0, colon).matchAll(/[^\s,]+/g)];
  if (rules.length === 0) throw fail("Expected the name of a rule after 'allow'", offset);
  return rules.map(({ 0: rule, index }) => ({
    rule: rule.toLowerCase(),
    at: offset + index,
    reason,
  }));
}

function unknown(name: string, offset: number, fail: Fail): InvalidFilesError {
  const expected = listed([...KNOWN, ALLOW].map((known) => `'${known}'`), "or");
  return name === ""
    ? fail(`The directive is empty: expected ${expected}`, offset)
    : fail(`There is no directive '${name}': expected ${expected}`, offset);
}
