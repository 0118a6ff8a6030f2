/**
 * Attacks a server, and prints its state as JSON. Runs on Node, which can reset connections.
 * `attacker.mjs <url> <seed> <count> <milliseconds between innocent requests> <Authorization> [<kind that is left out>…]`
 */
import { connect } from "node:net";
import process from "node:process";
import { type Attack, attacks } from "./attacks.ts";

/** The state of a server after the attacks. */
export interface AttackReport {
  /** How many attacks there were of each kind. */
  readonly attacks: Readonly<Record<string, number>>;
  /** How many innocent requests were answered. */
  readonly answered: number;
  /** The longest that one of them took, in milliseconds. */
  readonly slowest: number;
  /** Why others were not. */
  readonly failed: readonly string[];
}

const [url = "", seed, count, interval, authorization = "", ...without] = process.argv.slice(2);
const sent = `Authorization: ${authorization}\r\n`;
const { hostname, port } = new URL(url);
/** How many connections there are at once. */
const AT_ONCE = 16;
/** How long a client waits that has closed its end. */
const PATIENCE_MS = 2000;

function run({ text, pieces, pauses, isRead, end }: Attack): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const timers: ReturnType<typeof setTimeout>[] = [];
    const later = (milliseconds: number, what: () => void) => {
      timers.push(setTimeout(what, milliseconds));
    };
    socket.on("error", () => {}).on("close", () => {
      timers.forEach(clearTimeout);
      resolve();
    });
    if (isRead) socket.resume();
    const known = text.replaceAll("Host: localhost\r\n", (host) => host + sent);
    const bytes = Buffer.from(known, "latin1");
    const size = Math.ceil(bytes.length / pieces);
    const leave = () => {
      if (end === "reset") return socket.resetAndDestroy();
      if (end === "close") return socket.destroy();
      socket.end();
      socket.on("end", () => socket.destroy()).resume();
      later(PATIENCE_MS, () => socket.destroy());
    };
    const send = (piece: number) => {
      if (socket.destroyed) return;
      if (piece === pieces) return leave();
      socket.write(bytes.subarray(piece * size, (piece + 1) * size));
      later(pauses[piece] ?? 0, () => send(piece + 1));
    };
    socket.on("connect", () => send(0));
  });
}

let answered = 0;
let slowest = 0;
let isOver = false;
const failed: string[] = [];

/** Asks by connections of its own, as clients do that know nothing of the others. */
async function innocent(): Promise<void> {
  const begin = performance.now();
  try {
    const response = await fetch(`${url}/innocent`, {
      headers: { Connection: "close", Authorization: authorization },
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status === 200 && text === "innocent") answered++;
    else failed.push(`${response.status} ${text}`);
  } catch (error) {
    failed.push(String(error));
  }
  slowest = Math.max(slowest, Math.round(performance.now() - begin));
}

async function innocents(): Promise<void> {
  while (!isOver) {
    await innocent();
    await new Promise((resolve) => setTimeout(resolve, Number(interval)));
  }
  await innocent();
}

const all = attacks(Number(seed), Number(count), without);
const asking = innocents();
const waiting = [...all];
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await run(one);
}));
isOver = true;
await asking;
const kinds: Record<string, number> = {};
for (const { name } of all) kinds[name] = (kinds[name] ?? 0) + 1;
const report: AttackReport = { attacks: kinds, answered, slowest, failed };
process.stdout.write(JSON.stringify(report));
