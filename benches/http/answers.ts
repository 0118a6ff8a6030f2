import { LOADS } from "./load.ts";

/** A request, with a body as it is sent. */
interface Question {
  readonly path: string;
  readonly body?: BodyInit;
  /** The media type of the body. */
  readonly type?: string;
}

/** All servers refuse these by 400 or 422. */
const REFUSED: readonly Question[] = [
  { path: "/users/x" },
  { path: "/users/1.5" },
  { path: "/users/search?mail=ada" },
  { path: "/profiles/x" },
  { path: "/users", body: '{"name":"Ada","email":"invalid"}' },
  { path: "/users", body: '{"email":"ada@example.com"}' },
  { path: "/users", body: '{"name":"Ada",' },
  { path: "/orders", body: '{"customer":"Ada"}' },
  { path: "/orders", body: '{"customer":"","items":[]}' },
  { path: "/orders", body: '{"customer":"Ada","items":[{"product":"pen","quantity":0}]}' },
  {
    path: "/orders",
    body: '{"customer":"Ada","items":[{"product":"pen","quantity":1},{"quantity":1}]}',
  },
];

/**
 * Whether a server answers every load, refuses what all of them have to, and sends the fields of its scenario in each answer,
 * and no others.
 *
 * @throws {Error} where it does not
 */
export async function checkAnswers(
  url: string,
  headers: Fields = {},
  answered?: Fields,
): Promise<void> {
  for (const { name, path, body, answer } of LOADS) {
    const text = JSON.stringify(body);
    const response = await ask(url, { path, ...(body !== undefined && { body: text }) }, headers);
    const type = response.headers.get("content-type")?.split(";")[0];
    const found = { status: response.status, type, value: await response.json() };
    expect(url, name, found, {
      status: answer.status,
      type: "application/json",
      value: answer.value,
    });
    expectFields(url, name, response, answered);
  }
  for (const question of REFUSED) {
    const response = await ask(url, question, headers);
    const { status } = response;
    const name = `${question.path} ${question.body ?? ""}`;
    expect(url, name, [400, 422].includes(status) ? "refused" : status, "refused");
    expectFields(url, name, response, answered);
  }
}

/** Whether a server refuses a request without a token, and with a wrong one. @throws {Error} where it does not */
export async function checkRefusal(
  url: string,
  path: string,
  { Authorization: _, ...headers }: Fields = {},
  answered?: Fields,
): Promise<void> {
  for (const sent of [headers, { ...headers, Authorization: "Bearer a.b.c" }]) {
    const response = await ask(url, { path }, sent);
    const name = `${path} without a token`;
    expect(url, name, response.status, 401);
    expectFields(url, name, response, answered);
  }
}

/** The runtime, the body or a refusal decides about these fields, so they are not compared. */
const FREE =
  /^(?:connection|content-(?:length|type)|date|keep-alive|transfer-encoding|www-authenticate)$/;
/** Ours sends it in each answer, whatever the scenario is. */
const NOSNIFF = "x-content-type-options";

function expectFields(url: string, name: string, { headers }: Response, answered?: Fields): void {
  if (answered === undefined) return;
  const expected = new Headers(answered);
  const found = [...headers].filter(([field]) => {
    return !FREE.test(field) && (field !== NOSNIFF || expected.has(field));
  });
  expect(url, `fields of ${name}`, found, [...expected]);
}

type Fields = Readonly<Record<string, string>>;

const LIMIT = 1_048_576;

/** A server may refuse these, too; the tables say which of them do. */
const FURTHER: Readonly<Record<string, Question>> = {
  "beyond 2^53": { path: "/users/9007199254740993" },
  "given twice": { path: "/users/search?email=a%40b.de&email=c%40d.de" },
  "no JSON type": {
    path: "/users",
    body: '{"name":"Ada","email":"ada@example.com"}',
    type: "text/plain",
  },
  "over 1 MiB": {
    path: "/users",
    body: `{"name":"${"a".repeat(LIMIT)}","email":"ada@example.com"}`,
  },
  "no UTF-8": {
    path: "/users",
    body: Uint8Array.from('{"name":"\xff","email":"ada@example.com"}', (c) => c.charCodeAt(0)),
  },
};

/** The names of what a server may refuse besides, in the order of {@linkcode furtherChecks}. */
export const FURTHER_CHECKS: readonly string[] = Object.keys(FURTHER);

/** Whether a server refuses each of {@linkcode FURTHER}, in their order. */
export async function furtherChecks(
  url: string,
  headers: Fields = {},
): Promise<readonly boolean[]> {
  const found: boolean[] = [];
  for (const question of Object.values(FURTHER)) {
    // A server that does not read a long body completely may cut the connection before the answer is read.
    const status = await ask(url, question, headers).then(({ status }) => status, () => 413);
    found.push(status >= 400 && status < 500);
  }
  return found;
}

async function ask(
  url: string,
  { path, body, type = "application/json" }: Question,
  headers: Fields,
): Promise<Response> {
  const response = body === undefined
    ? await fetch(`${url}${path}`, { headers })
    : await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": type },
      body,
    });
  return new Response(await response.arrayBuffer(), response);
}

function expect(url: string, name: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  const texts = [expected, found].map((value) => JSON.stringify(value));
  throw new Error(`${name} of ${url}: expected ${texts[0]}, found ${texts[1]}`);
}
