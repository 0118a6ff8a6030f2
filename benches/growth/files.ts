import { fromFileUrl, join } from "@std/path";
import { startClusterDouble } from "../../tests/servers/cluster_double.ts";
import { execute } from "../process.ts";
import type { Chart, Point } from "./chart.ts";

const SIZES = [10, 50, 100, 500, 1000, 2500, 5000, 10_000];
const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));

/** How a run of the command line grows with the files, against a cluster in memory. */
export async function files(): Promise<readonly Chart[]> {
  const points = { time: lines(), requests: lines(), memory: lines() };
  for (const size of SIZES) {
    await using cluster = startClusterDouble();
    const root = await Deno.makeTempDir({ prefix: "irori-bench-" });
    await write(root, cluster.url, size);
    const args = [
      "-c",
      join(root, "config"),
      "--sqlPath",
      join(root, "migrations"),
      "-m",
      "search",
    ];
    const command = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", CLI, ...args];
    for (const phase of ["first", "unchanged"] as const) {
      const before = cluster.requests.length;
      const { milliseconds, megabytes } = await execute(command, true);
      points.time[phase].push([size, milliseconds]);
      points.requests[phase].push([size, cluster.requests.length - before]);
      points.memory[phase].push([size, megabytes]);
    }
    await Deno.remove(root, { recursive: true });
  }
  const chart = (title: string, unit: string, { first, unchanged }: Lines): Chart => ({
    title,
    by: "files",
    unit,
    lines: [{ name: "first run", points: first }, { name: "unchanged", points: unchanged }],
  });
  return [
    chart("Time", "ms", points.time),
    chart("Requests", "number", points.requests),
    chart("Peak memory", "MB", points.memory),
  ];
}

type Lines = Record<"first" | "unchanged", Point[]>;

function lines(): Lines {
  return { first: [], unchanged: [] };
}

async function write(root: string, url: string, count: number): Promise<void> {
  const folder = join(root, "migrations", "main");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.mkdir(join(root, "config"));
  const settings = { name: "main", hosts: [url], migrations: { enabled: true } };
  const config = JSON.stringify({ search: [settings] });
  await Deno.writeTextFile(join(root, "config", "application.yml"), config);
  for (let i = 0; i < count; i++) {
    const id = `growth-${String(i).padStart(5, "0")}`;
    const template = {
      index_patterns: [`${id}-*`],
      template: { mappings: { properties: { at: { type: "date" }, text: { type: "text" } } } },
    };
    await Deno.writeTextFile(join(folder, `${id}-template.json`), JSON.stringify(template));
  }
}
