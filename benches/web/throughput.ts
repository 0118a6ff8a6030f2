import { app as hono } from "../http/servers/hono_app.ts";
import { ours } from "../http/servers/ours_app.ts";
import { type Figure, median } from "./report.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const ROUNDS = 21;
const REQUESTS = 20_000;

const CASES: readonly {
  readonly name: string;
  readonly atLeast: number;
  readonly request: () => Request;
}[] = [
  {
    name: "GET /users/{id}",
    atLeast: 0.8,
    request: () => new Request("http://localhost/users/42"),
  },
  {
    name: "GET /users/search?email=",
    atLeast: 0.95,
    request: () => new Request("http://localhost/users/search?email=ada@example.com"),
  },
  { name: "POST /users with schema", atLeast: 0.65, request: post },
];

/** Requests per second, ours over Hono's, of each case: rounds take turns, so that both meet the same noise. */
export async function throughput(): Promise<readonly Figure[]> {
  const app = await ours();
  const sides: readonly [Fetch, Fetch] = [app.fetch, hono.fetch];
  const figures: Figure[] = [];
  for (const { name, atLeast, request } of CASES) {
    const compare = await compared(sides, request);
    figures.push({ name, ...compare, unit: "of Hono by hand", bound: { atLeast } });
  }
  return figures;
}

/** Requests per second of the first, over those of the second: rounds take turns. */
export async function compared(
  sides: readonly [Fetch, Fetch],
  request: () => Request,
): Promise<{ readonly value: number; readonly note: string }> {
  await sameAnswer(sides, request);
  for (const fetch of sides) await perSecond(fetch, request);
  const rates: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes with each round, because the first one cleans up after the one before.
    const order = round % 2 === 0 ? [0, 1] as const : [1, 0] as const;
    const pair: [number, number] = [0, 0];
    for (const side of order) pair[side] = await perSecond(sides[side], request);
    rates.push(pair);
  }
  const [mine, theirs] = [median(rates.map(([a]) => a)), median(rates.map(([, b]) => b))];
  return {
    value: median(rates.map(([a, b]) => a / b)),
    note: `${Math.round(mine)} against ${Math.round(theirs)} requests/s`,
  };
}

async function sameAnswer([mine, theirs]: readonly [Fetch, Fetch], request: () => Request) {
  const [a, b] = [await mine(request()), await theirs(request())];
  const [textA, textB] = [await a.text(), await b.text()];
  if (a.status !== b.status || textA !== textB) {
    throw new Error(`The answers differ: ${a.status} ${textA} and ${b.status} ${textB}`);
  }
}

async function perSecond(fetch: Fetch, request: () => Request): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < REQUESTS; index++) {
    const response = fetch(request());
    if (response instanceof Promise) await response;
  }
  return REQUESTS / (performance.now() - start) * 1000;
}

function post(): Request {
  const body = '{"name":"Ada","email":"ada@example.com"}';
  return new Request("http://localhost/users", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Content-Length": String(body.length) },
    body,
  });
}
