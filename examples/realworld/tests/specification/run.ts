import assert from "node:assert/strict";
import type { Expected, Step } from "./steps.ts";

/** Sends the steps in their order. @returns the number of assertions */
export async function run(
  url: string,
  steps: readonly Step[],
): Promise<number> {
  const kept = new Map<string, unknown>();
  let assertions = 0;
  for (const [index, step] of steps.entries()) {
    const answer = await send(url, step, kept);
    const what = `step ${index + 1}, ${step.request}${step.as ? ` as ${step.as}` : ""}`;
    assert.equal(
      answer.status,
      step.status,
      `${what}: ${JSON.stringify(answer.body)}`,
    );
    assertions++;
    if (step.answer !== undefined) {
      assertions += check(answer.body, fill(step.answer, kept), `${what}: $`);
    }
    for (const [name, path] of Object.entries(step.keep ?? {})) {
      kept.set(name, partOf(answer.body, path));
    }
  }
  return assertions;
}

async function send(
  url: string,
  { request, as, body }: Step,
  kept: ReadonlyMap<string, unknown>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [method = "", path = ""] = request.split(" ");
  const headers = new Headers();
  if (as) {
    headers.set("Authorization", `Token ${kept.get(`token of ${as}`) ?? as}`);
  }
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const response = await fetch(`${url}/api${fill(path, kept)}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(fill(body, kept)),
  });
  const text = await response.text();
  const type = response.headers.get("Content-Type") ?? "";
  return {
    status: response.status,
    body: type.includes("json") ? JSON.parse(text) : text,
  };
}

/** Compares a value with what is expected. @returns how many comparisons that were */
function check(value: unknown, expected: Expected, path: string): number {
  if (typeof expected === "function") {
    assert.ok(expected(value), `${path} is ${JSON.stringify(value)}`);
    return 1;
  }
  if (typeof expected !== "object" || expected === null) {
    assert.deepEqual(value, expected, path);
    return 1;
  }
  assert.ok(
    typeof value === "object" && value !== null,
    `${path} is ${JSON.stringify(value)}`,
  );
  assert.deepEqual(
    Object.keys(value).sort(),
    Object.keys(expected).sort(),
    path,
  );
  return Object.entries(expected).reduce(
    (sum, [key, part]) => sum + check(partOf(value, key), part, `${path}.${key}`),
    1,
  );
}

function partOf(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(
    (part, key) => (part as Readonly<Record<string, unknown>>)[key],
    value,
  );
}

/** Replaces `{name}` in all texts by what was kept. */
function fill<T>(value: T, kept: ReadonlyMap<string, unknown>): T;
function fill(value: unknown, kept: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === "string") {
    const [, whole = ""] = /^\{([^}]+)\}$/.exec(value) ?? [];
    if (kept.has(whole)) return kept.get(whole);
    return value.replace(
      /\{([^}]+)\}/g,
      (text, name) => String(kept.get(name) ?? text),
    );
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, fill(part, kept)]),
  );
}
