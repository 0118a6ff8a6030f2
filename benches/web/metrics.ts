import { actuator } from "../../src/actuator/mod.ts";
import { ensureWrk, press } from "../http/load.ts";
import { ours } from "./ours.ts";
import { type Figure, median } from "./report.ts";

const ROUNDS = 11;
const LOOPBACK = { address: "127.0.0.1", port: 0 };
const LOAD = { name: "GET /users/{id}", path: "/users/42" };

/** Requests per second with metrics on, over those without an extension, served in turns by one process. */
export async function metricsCost(): Promise<Figure> {
  await ensureWrk();
  const plain = await ours({ config: { server: LOOPBACK } });
  const measured = await ours({
    extensions: [actuator()],
    config: { server: LOOPBACK, management: { endpoints: { include: ["metrics", "prometheus"] } } },
  });
  try {
    const urls = [(await plain.listen()).url, (await measured.listen()).url] as const;
    for (const url of urls) await press(url, LOAD, 1);
    const rates: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pair: [number, number] = [0, 0];
      for (const side of round % 2 === 0 ? [0, 1] as const : [1, 0] as const) {
        pair[side] = (await press(urls[side], LOAD, 1)).perSecond;
      }
      rates.push(pair);
    }
    const [without, with_] = [median(rates.map(([a]) => a)), median(rates.map(([, b]) => b))];
    return {
      name: "GET /users/{id} over a socket with metrics",
      value: median(rates.map(([a, b]) => b / a)),
      unit: "of the same without",
      bound: { atLeast: 0.97 },
      note: `${Math.round(with_)} against ${Math.round(without)} requests/s`,
    };
  } finally {
    await plain.close();
    await measured.close();
  }
}
