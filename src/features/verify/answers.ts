import { isRecord, isSchema, type Json } from "../contract/reader.ts";
import { essence as essenceOf, isJson, PROBLEM_JSON } from "../../text/mod.ts";
import type { SchemaChecks } from "./schema_checks.ts";

export interface Expectation {
  /** `accepted`: the document calls the request valid; `refused`: invalid; `open`: unknown. */
  readonly outcome: "accepted" | "refused" | "open";
  readonly statuses?: readonly number[];
  /** Whether a status of routing is correct, such as 404 for a path that no pattern matches. */
  readonly mayMissRoute?: boolean;
}

const REFUSALS = [400, 406, 413, 414, 415, 422, 431];

export async function answerProblems(
  response: Response,
  responses: Json,
  expected: Expectation,
  checks: SchemaChecks,
): Promise<readonly string[]> {
  const { status } = response;
  const own = responses[status] ?? responses[`${String(status)[0]}XX`];
  const problems = statusProblems(status, own !== undefined, responses, expected);
  const described = own ?? (status >= 400 ? responses.default : undefined);
  if (described !== undefined) {
    return [...problems, ...await bodyProblems(response, checks.reader.follow(described), checks)];
  }
  await response.body?.cancel();
  return problems;
}

function statusProblems(
  status: number,
  isDeclared: boolean,
  responses: Json,
  { outcome, statuses, mayMissRoute }: Expectation,
): readonly string[] {
  const isRouting = mayMissRoute === true && (status === 404 || status === 405);
  const declared = Object.keys(responses).filter((key) => key !== "default").join(", ") || "none";
  // A declared 422 is for rules that a schema cannot express.
  const isRefusal = REFUSALS.includes(status) && !(status === 422 && isDeclared);
  const isWrong = outcome === "refused" && status < 300 || outcome === "accepted" && isRefusal;
  const called = outcome === "refused" ? "invalid" : "valid";
  return [
    !isDeclared && !isRouting && `status ${status} is not declared, expected one of ${declared}`,
    isWrong && `status ${status} for a request that the document calls ${called}`,
    statuses?.includes(status) === false && `status ${status}, expected ${statuses.join(" or ")}`,
  ].filter((problem) => problem !== false);
}

async function bodyProblems(
  response: Response,
  described: Json,
  checks: SchemaChecks,
): Promise<readonly string[]> {
  const type = response.headers.get("content-type") ?? "none";
  const essence = essenceOf(type);
  const status = `body of ${response.status}`;
  if (!isRecord(described.content)) {
    if (!await hasBody(response)) return [];
    const found = `${status} is of type ${type}, and the document has none`;
    return [`${found}: declare it by 'returns' of the mapping or by @Operation`];
  }
  const types = Object.keys(described.content);
  const declared = types.find((one) => essenceOf(one) === essence) ??
    types.find((one) => one === "*/*" || one === `${essence.split("/")[0]}/*`);
  const isStream = /^text\/event-stream$|^application\/octet-stream$/.test(essence);
  if (declared === undefined || isStream) {
    await response.body?.cancel();
    return declared ? [] : [`${status} is of type ${type}, expected ${types.join(" or ")}`];
  }
  const { schema } = described.content[declared] as { readonly schema?: unknown };
  const text = await response.text();
  if (!isSchema(schema)) return [];
  const problemsOf = (value: unknown) =>
    checks.problems(schema, value).map((what) => `${status}: ${what}`);
  if (!isJson(essence)) return essence.startsWith("text/") ? problemsOf(text) : [];
  try {
    const value: unknown = JSON.parse(text);
    // Problem details may have further members (RFC 9457, 3.2).
    return essence === PROBLEM_JSON && checks.fits(schema, value) ? [] : problemsOf(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [`${status}: is not JSON`];
  }
}

async function hasBody({ body }: Response): Promise<boolean> {
  for await (const { length } of body ?? []) {
    if (length > 0) return true;
  }
  return false;
}
