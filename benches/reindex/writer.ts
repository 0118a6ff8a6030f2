/**
 * Writes to an index as its applications do: `writer.ts <url> <alias> <documents> <writes a second> <seed>`. Of 100 writes
 * 35 replace an order, 35 update a part of one, 20 add one and 10 delete one. What a write block refuses is sent again until
 * it is taken, and what came due meanwhile follows. Ends when its stdin does and what was due is written, and prints what
 * it wrote (`Written`) as JSON.
 */
import { pause } from "./cluster.ts";
import { changed, idOf, order } from "./documents.ts";

export interface Written {
  /** Writes that were taken. */
  readonly writes: number;
  /** How long writes came due. */
  readonly milliseconds: number;
  /** How long writes were refused by a block each time: from the first that was to the first that was taken again. */
  readonly refusals: readonly number[];
  /** The longest that a write waited from when it was due until it was taken. */
  readonly longestWait: number;
  /** Numbers and revisions of the orders that it has changed, added or deleted (revision -1). */
  readonly revisions: readonly (readonly [number: number, revision: number])[];
}

interface Write {
  readonly action: "index" | "update" | "create" | "delete";
  readonly number: number;
  readonly revision: number;
}

/** How long one bulk request covers, and how soon a refused one is sent again. */
const INTERVALS = { bulk: 50, again: 25 };
/** Writes in one request, when it has to catch up. */
const MOST = 1000;
const PATIENCE_MS = 300_000;

async function write(url: string, alias: string, orders: Orders, rate: number): Promise<Written> {
  const started = performance.now();
  let ended: number | undefined;
  (async () => {
    for await (const _ of Deno.stdin.readable);
    ended = performance.now();
  })();
  const refusals: number[] = [];
  let writes = 0;
  let longestWait = 0;
  while (true) {
    const until = ended ?? performance.now();
    const due = Math.floor((until - started) / 1000 * rate);
    if (ended !== undefined && writes >= due) break;
    const batch = Array.from({ length: Math.min(due - writes, MOST) }, () => orders.next());
    if (batch.length > 0) {
      const refused = await take(`${url}/${alias}/_bulk`, batch);
      if (refused > 0) refusals.push(refused);
      longestWait = Math.max(longestWait, performance.now() - started - writes / rate * 1000);
      writes += batch.length;
    }
    if (due - writes < MOST) await pause(INTERVALS.bulk);
  }
  const milliseconds = ended! - started;
  return { writes, milliseconds, refusals, longestWait, revisions: [...orders.revisions] };
}

/** Sends writes until all are taken. @returns for how long a block refused them */
async function take(address: string, batch: readonly Write[]): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  let left = batch;
  let refusedFrom: number | undefined;
  while (true) {
    const sent = performance.now();
    const response = await fetch(`${address}?require_alias=true`, {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body: left.map(lines).join(""),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Writes were answered ${response.status}: ${text}`);
    const { items }: { items: Record<string, Item>[] } = JSON.parse(text);
    const answers = items.map((item) => Object.values(item)[0]!);
    const failed = answers.find(({ status }) => status >= 300 && !AGAIN.includes(status));
    if (failed) throw new Error(`A write failed: ${JSON.stringify(failed)}`);
    if (answers.some(({ status }) => status === 403)) refusedFrom ??= sent;
    left = left.filter((_, i) => AGAIN.includes(answers[i]!.status));
    const now = performance.now();
    if (left.length === 0) return refusedFrom === undefined ? 0 : now - refusedFrom;
    if (now > deadline) throw new Error(`Writes were not taken: ${text}`);
    await pause(INTERVALS.again);
  }
}

interface Item {
  readonly status: number;
  readonly error?: unknown;
}

/** Blocked, or too much at once. */
const AGAIN = [403, 429];

function lines({ action, number, revision }: Write): string {
  const head = `${JSON.stringify({ [action]: { _id: idOf(number) } })}\n`;
  if (action === "delete") return head;
  const body = action === "update" ? { doc: changed(number, revision) } : order(number, revision);
  return `${head}${JSON.stringify(body)}\n`;
}

/** The orders as they are to be, and what is written next. */
class Orders {
  /** Only documents that were written; the others are as they were filled in. */
  readonly revisions = new Map<number, number>();
  #count: number;
  #random: () => number;

  constructor(documents: number, seed: number) {
    this.#count = documents;
    this.#random = randomFrom(seed);
  }

  next(): Write {
    const part = this.#random();
    if (part >= 0.9) return this.#write("delete", this.#existing(), -1);
    if (part >= 0.7) return this.#write("create", this.#count++, 0);
    const number = this.#existing();
    const revision = (this.revisions.get(number) ?? 0) + 1;
    return this.#write(part < 0.35 ? "index" : "update", number, revision);
  }

  #existing(): number {
    while (true) {
      const number = Math.floor(this.#random() * this.#count);
      if (this.revisions.get(number) !== -1) return number;
    }
  }

  #write(action: Write["action"], number: number, revision: number): Write {
    this.revisions.set(number, revision);
    return { action, number, revision };
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [url = "", alias = "", documents = "", rate = "", seed = ""] = Deno.args;
  const orders = new Orders(Number(documents), Number(seed));
  console.log(JSON.stringify(await write(url, alias, orders, Number(rate))));
}
