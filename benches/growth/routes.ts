import { fromFileUrl } from "@std/path";
import { median } from "../web/report.ts";
import type { Chart } from "./chart.ts";

const SIZES = [10, 50, 100, 500, 1000, 2500, 5000];
const ROUNDS = 3;
const SCRIPT = fromFileUrl(new URL("routes_once.ts", import.meta.url));

/** How start and latency grow with the routes of an application. */
export async function routes(): Promise<readonly Chart[]> {
  const starts = [];
  const firsts = [];
  const latencies = [];
  for (const size of SIZES) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await once(size));
    starts.push([size, median(rounds.map(({ start }) => start))] as const);
    firsts.push([size, median(rounds.map(({ first }) => first))] as const);
    latencies.push([size, median(rounds.map(({ latency }) => latency))] as const);
  }
  return [
    {
      title: "Start",
      by: "routes",
      unit: "ms",
      lines: [
        { name: "bootstrap", points: starts },
        { name: "first request", points: firsts },
      ],
    },
    { title: "Latency", by: "routes", unit: "µs", lines: [{ name: "request", points: latencies }] },
  ];
}

async function once(size: number): Promise<{ start: number; first: number; latency: number }> {
  const args = ["run", "-A", "--no-check", "--quiet", SCRIPT, String(size)];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
