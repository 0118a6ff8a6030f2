import { cases as suite } from "./cases/mod.ts";
import type { Case, Outcome } from "./types.ts";

/** Answers a request: `app.fetch`, or the global `fetch` of a client. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Sends every request of the suite to the application under test (`app.ts`) and compares the answers. Uses
 * nothing but the fetch API, so that it runs on every runtime.
 *
 * @param target the base URL of a listening application, or its `fetch`
 * @param cases others in place of the suite, for another application
 */
export async function conformance(
  target: string | Fetch,
  cases: readonly Case[] = suite,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, ...rest } of cases) outcomes.push({ name, failures: await run(rest, target) });
  return outcomes;
}

async function run(expected: Omit<Case, "name">, target: string | Fetch): Promise<string[]> {
  const { method = "GET", path, headers, body } = expected;
  const base = typeof target === "string" ? target : "http://localhost";
  const request = new Request(base + path, {
    method,
    headers,
    body: body?.(),
    // Without it no runtime takes a stream as a body.
    ...{ duplex: "half" },
    redirect: "manual",
  });
  try {
    const response = await (typeof target === "string" ? fetch(request) : target(request));
    return compare(expected, response, await response.text());
  } catch (error) {
    return [`threw ${error}`];
  }
}

function compare(expected: Omit<Case, "name">, response: Response, text: string): string[] {
  const failures: string[] = [];
  const check = (what: string, found: unknown, wanted: unknown) => {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) failures.push(`${what}: expected ${b}, found ${a}`);
  };
  check("status", response.status, expected.status);
  for (const [name, value] of Object.entries(expected.responseHeaders ?? {})) {
    // The blank in front of a parameter has no meaning (RFC 9110, 5.6.6).
    const plain = (text: string | null) => text?.replaceAll("; ", ";") ?? null;
    check(`header ${name}`, plain(response.headers.get(name)), plain(value));
  }
  if (expected.text !== undefined) check("body", text, expected.text);
  if (expected.json !== undefined) check("body", parse(text), expected.json);
  if (expected.problem !== undefined) {
    check("header content-type", response.headers.get("content-type"), "application/problem+json");
    const found = parse(text) as Record<string, unknown>;
    check("problem status", found?.status, expected.status);
    check("problem type", found?.type, "about:blank");
    check(
      "problem instance",
      found?.instance,
      new URL(`http://localhost${expected.path}`).pathname,
    );
    if (expected.problem !== true) check("problem errors", found?.errors, expected.problem);
  }
  return failures;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text}`;
  }
}
