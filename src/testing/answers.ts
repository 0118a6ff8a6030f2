import { isRecord, isSchema, type SchemaReader } from "../contract/reader.ts";
import { essence as essenceOf, isJson, PROBLEM_JSON } from "../text/mod.ts";
import type { SchemaChecks } from "./schema_checks.ts";

/** What is asked of the answer to one request. */
export interface Expectation {
  /** `accepted`: the document calls the request valid; `refused`: invalid; `open`: it cannot be told. */
  readonly outcome: "accepted" | "refused" | "open";
  /** The statuses that alone will do. */
  readonly statuses?: readonly number[];
  /** Whether a status of routing will do, such as 404 for a path that no pattern matches. */
  readonly mayMissRoute?: boolean;
}

/** Statuses that say that a request itself is wrong. */
const REFUSALS = [400, 406, 413, 414, 415, 422, 431];

/** What is wrong with an answer, by the responses of its operation. Reads its body, or leaves it. */
export async function answerProblems(
  response: Response,
  responses: Readonly<Record<string, unknown>>,
  { outcome, statuses, mayMissRoute = false }: Expectation,
  reader: SchemaReader,
  checks: SchemaChecks,
): Promise<readonly string[]> {
  const { status } = response;
  const problems: string[] = [];
  const own = responses[status] ?? responses[`${String(status)[0]}XX`];
  const isRouting = mayMissRoute && (status === 404 || status === 405);
  if (own === undefined && !isRouting) {
    const declared = Object.keys(responses).filter((key) => key !== "default").join(", ");
    problems.push(`status ${status} is not declared, expected one of ${declared || "none"}`);
  }
  if (outcome === "refused" && status < 300) {
    problems.push(`status ${status} for a request that the document calls invalid`);
  }
  // A rule that no schema can say is declared as 422.
  const isRule = status === 422 && own !== undefined;
  if (outcome === "accepted" && REFUSALS.includes(status) && !isRule) {
    problems.push(`status ${status} for a request that the document calls valid`);
  }
  if (statuses && !statuses.includes(status)) {
    problems.push(`status ${status}, expected ${statuses.join(" or ")}`);
  }
  const described = own ?? (status >= 400 ? responses.default : undefined);
  // Of a status that is not declared nothing else is said.
  if (described === undefined) await response.body?.cancel();
  const body = described === undefined
    ? []
    : await bodyProblems(response, reader.follow(described), checks);
  return [...problems, ...body];
}

async function bodyProblems(
  response: Response,
  described: Readonly<Record<string, unknown>>,
  checks: SchemaChecks,
): Promise<readonly string[]> {
  const type = response.headers.get("content-type");
  const essence = essenceOf(type ?? "");
  const content = isRecord(described.content) ? described.content : undefined;
  const status = `body of ${response.status}`;
  if (content === undefined) {
    if (!await hasBody(response)) return [];
    const found = `${status} is of type ${type ?? "none"}, and the document has none`;
    return [`${found}: say it by 'returns' of the mapping or by @Operation`];
  }
  if (/^text\/event-stream$|^application\/octet-stream$/.test(essence)) {
    await response.body?.cancel();
  }
  const types = Object.keys(content);
  const declared = types.find((one) => essenceOf(one) === essence) ??
    types.find((one) => one === "*/*" || one === `${essence.split("/")[0]}/*`);
  if (declared === undefined) {
    if (!response.bodyUsed) await response.body?.cancel();
    return [`${status} is of type ${type ?? "none"}, expected ${types.join(" or ")}`];
  }
  if (response.bodyUsed) return [];
  const { schema } = content[declared] as { readonly schema?: unknown };
  const text = await response.text();
  if (!isSchema(schema)) return [];
  const problem = (what: string) => `${status}: ${what}`;
  if (isJson(essence)) {
    try {
      const value: unknown = JSON.parse(text);
      // Problem details may have members of their own (RFC 9457, 3.2).
      if (essence === PROBLEM_JSON && checks.fits(schema, value)) return [];
      return checks.problems(schema, value).map(problem);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return [problem("is no JSON")];
    }
  }
  return essence.startsWith("text/") ? checks.problems(schema, text).map(problem) : [];
}

/** Whether there is one byte of a body; what comes behind it is left. */
async function hasBody({ body }: Response): Promise<boolean> {
  if (body === null) return false;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value.length > 0) return !done;
    }
  } finally {
    await reader.cancel();
  }
}
