import { bun, type Command, DENO, node, workerd } from "../../tests/runtimes/executables.ts";
import { serving } from "../../tests/runtimes/serving.ts";
import { type Figure, median } from "../web/report.ts";
import type { Project, Side } from "./project.ts";

const ROUNDS = 15;
/** How many times as long as plain Hono it may take. */
const AT_MOST = { workerd: 1.6, Deno: 1.25, Bun: 1.6, "Node 24": 1.15 };
type Name = keyof typeof AT_MOST;
const SIDES: readonly Side[] = ["ours", "plain"];

/** From the start of a process to its first response, in turn with plain Hono. */
export async function coldStarts(project: Project): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, command] of Object.entries(await commandsOf(project))) {
    const times: Record<Side, number[]> = { ours: [], plain: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const time = await firstResponse(command[side], project.path);
        if (round > 0) times[side].push(time); // The first one fills caches.
      }
    }
    const [ours, plain] = [median(times.ours), median(times.plain)];
    figures.push({
      name: `first response of a new process, ${name}`,
      value: ours / plain,
      unit: "times plain Hono",
      bound: { atMost: AT_MOST[name as Name] },
      note: `${ours.toFixed(0)} ms, plain Hono ${plain.toFixed(0)} ms; ${ROUNDS} of each`,
    });
  }
  return figures;
}

async function commandsOf(project: Project): Promise<Record<Name, Record<Side, Command>>> {
  const servers = { ours: await project.server("ours"), plain: await project.server("plain") };
  const isolates = {
    ours: await workerdConfig(project, "ours"),
    plain: await workerdConfig(project, "plain"),
  };
  const both = (run: Command, files: Record<Side, string>, ...args: string[]) => ({
    ours: [...run, files.ours, ...args],
    plain: [...run, files.plain, ...args],
  });
  return {
    workerd: both([await workerd(), "serve"], isolates, "--control-fd=1"),
    Deno: both(DENO, servers),
    Bun: both(await bun(), servers),
    "Node 24": both(await node(24), servers),
  };
}

async function firstResponse(command: Command, cwd: string): Promise<number> {
  const start = performance.now();
  await using server = await serving(command, cwd, 1);
  const response = await fetch(`${server.urls[0]}/hello/Ada`);
  const text = await response.text();
  const time = performance.now() - start;
  if (text !== '{"message":"Hello Ada"}') throw new Error(`${command.join(" ")} answered ${text}`);
  return time;
}

async function workerdConfig(project: Project, side: Side): Promise<string> {
  await project.worker(side);
  const path = `${project.path}/${side}.capnp`;
  await Deno.writeTextFile(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "main", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "${side}.worker.js")],
  compatibilityDate = "2025-09-01",
);
`,
  );
  return path;
}
