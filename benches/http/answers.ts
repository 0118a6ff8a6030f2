import { LOADS } from "./load.ts";

const EXPECTED = [
  { status: 200, value: { id: 1, name: "Ada" } },
  { status: 200, value: { id: 1, email: "ada@example.com" } },
  { status: 201, value: { name: "Ada", email: "ada@example.com" } },
];
const REFUSED = [
  { path: "/users/x" },
  { path: "/users/search?mail=ada" },
  { path: "/users", body: { name: "Ada", email: "nobody" } },
];

/** Whether a server does what all of them have to do. @throws {Error} where it does something else */
export async function checkAnswers(url: string): Promise<void> {
  for (const [index, load] of LOADS.entries()) {
    const response = await ask(url, load);
    const found = { status: response.status, value: await response.json() };
    expect(url, load.name, found, EXPECTED[index]);
  }
  for (const request of REFUSED) {
    const response = await ask(url, request);
    await response.body?.cancel();
    const isRefused = [400, 422].includes(response.status);
    expect(url, request.path, isRefused ? "refused" : response.status, "refused");
  }
}

function ask(
  url: string,
  { path, body }: { readonly path: string; readonly body?: unknown },
): Promise<Response> {
  if (body === undefined) return fetch(`${url}${path}`);
  const headers = { "Content-Type": "application/json" };
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function expect(url: string, name: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  const texts = [expected, found].map((value) => JSON.stringify(value));
  throw new Error(`${name} of ${url}: expected ${texts[0]}, found ${texts[1]}`);
}
