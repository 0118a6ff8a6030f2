import { idOf, order } from "./documents.ts";

/** Sends a request and reads its answer. @throws {Error} when it is refused */
// deno-lint-ignore no-explicit-any -- answers of many shapes
export async function send(url: string, method: string, body?: unknown): Promise<any> {
  const isLines = typeof body === "string";
  const response = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": isLines ? "application/x-ndjson" : "application/json" },
      body: isLines ? body : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Fills an index with the orders from 0 on, and waits until the server has come to rest. */
export async function fill(url: string, index: string, documents: number): Promise<void> {
  const chunks: (() => Promise<void>)[] = [];
  for (let from = 0; from < documents; from += CHUNK) {
    chunks.push(() => index_(url, index, from, Math.min(from + CHUNK, documents)));
  }
  let next = 0;
  const work = async () => {
    while (next < chunks.length) await chunks[next++]!();
  };
  await Promise.all([work(), work()]);
  await send(`${url}/${index}/_flush`, "POST");
  await send(`${url}/${index}/_refresh`, "POST");
  const deadline = performance.now() + REST_MS;
  while (performance.now() < deadline) {
    const { _all } = await send(`${url}/${index}/_stats/merge`, "GET");
    if (_all.total.merges.current === 0) return;
    await pause(100);
  }
  throw new Error(`"${index}" was still merged after ${REST_MS / 1000} s`);
}

const CHUNK = 5000;
const REST_MS = 120_000;

async function index_(url: string, index: string, from: number, to: number): Promise<void> {
  let lines = "";
  for (let number = from; number < to; number++) {
    const action = { index: { _id: idOf(number) } };
    lines += `${JSON.stringify(action)}\n${JSON.stringify(order(number, 0))}\n`;
  }
  const { errors } = await send(`${url}/${index}/_bulk?filter_path=errors`, "POST", lines);
  if (errors) throw new Error(`"${index}" could not be filled`);
}

/** Waits as long. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
