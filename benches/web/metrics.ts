import { cpuUsage } from "node:process";
import { actuator } from "../../src/actuator/mod.ts";
import { ensureWrk, press } from "../http/load.ts";
import { ours } from "../http/servers/ours_app.ts";
import { type Figure, median } from "./report.ts";

const ROUNDS = 15;
const LOOPBACK = { address: "127.0.0.1", port: 0 };
const LOAD = { name: "GET /users/{id}", path: "/users/42" };

/**
 * Processor time of a request with metrics on, over that without an extension: both are served in turns by one process.
 * Rates differ by a fifth from round to round, and could not show a few hundredths.
 */
export async function metricsCost(): Promise<Figure> {
  await ensureWrk();
  const plain = await ours({ config: { server: LOOPBACK } });
  const measured = await ours({
    extensions: [actuator()],
    config: {
      server: LOOPBACK,
      management: { endpoints: { include: ["metrics", "prometheus"] } },
    },
  });
  try {
    const urls = [(await plain.listen()).url, (await measured.listen()).url] as const;
    for (const url of urls) await processorTime(url);
    const times: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const pair: [number, number] = [0, 0];
      for (const side of round % 2 === 0 ? [0, 1] as const : [1, 0] as const) {
        pair[side] = await processorTime(urls[side]);
      }
      times.push(pair);
    }
    const [without, with_] = [median(times.map(([a]) => a)), median(times.map(([, b]) => b))];
    return {
      name: "GET /users/{id} over a socket with metrics",
      value: median(times.map(([a, b]) => b / a)),
      unit: "of the same without",
      bound: { atMost: 1.03 },
      note: `${with_.toFixed(2)} against ${without.toFixed(2)} µs of the processor for a request`,
    };
  } finally {
    await plain.close();
    await measured.close();
  }
}

/** Microseconds for a request. */
async function processorTime(url: string): Promise<number> {
  const before = cpuUsage();
  const { requests } = await press(url, LOAD, 1);
  const { user, system } = cpuUsage(before);
  return (user + system) / requests;
}
