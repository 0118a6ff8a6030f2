import type { Command } from "../../tests/runtimes/executables.ts";
import { serving } from "../../tests/runtimes/serving.ts";
import { type Load, press } from "./load.ts";

/** Whose code it is, or what the engine does. */
export type CodePlace = string;

/**
 * Processor time of a request by place, in microseconds, as the runtime samples it under load. What the process does before
 * and after, its start above all, is counted too: with tens of thousands of requests it is little of each.
 *
 * @param command of the runtime
 * @param server what the command is given
 */
export async function profileOf(
  [executable = "", ...options]: Command,
  server: readonly string[],
  cwd: string,
  load: Pick<Load, "path" | "body">,
  headers?: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<CodePlace, number>> {
  const folder = await Deno.makeTempDir({ prefix: "irori-profile-" });
  try {
    await Deno.writeTextFile(`${folder}/end.mjs`, END);
    const preload = executable.endsWith("node") ? "--import" : "--preload";
    const command = [
      executable,
      ...options,
      "--cpu-prof",
      `--cpu-prof-dir=${folder}`,
      ...(executable.endsWith("bun") ? [] : ["--cpu-prof-interval=200"]),
      preload,
      `${folder}/end.mjs`,
      ...server,
    ];
    let requests = 0;
    {
      await using process = await serving(command, cwd, 1);
      ({ requests } = await press(process.urls[0]!, load, SECONDS, headers));
    }
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.endsWith(".cpuprofile")) continue;
      return timesOf(JSON.parse(await Deno.readTextFile(`${folder}/${name}`)), requests);
    }
    throw new Error(`Cannot profile ${command.join(" ")}: it wrote no profile`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const SECONDS = 8;

/** A profile is written when the process ends by itself. */
const END = `import process from "node:process"; process.on("SIGTERM", () => process.exit(0));`;

/** As the developer tools of browsers have it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** The times of a profile, for each of so many requests. */
export function timesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  requests: number,
): ReadonlyMap<CodePlace, number> {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<CodePlace, number>();
  for (const [index, sample] of samples.entries()) {
    const place = places.get(sample) ?? "";
    if (place === "(idle)") continue;
    times.set(place, (times.get(place) ?? 0) + timeDeltas[index]! / requests);
  }
  return times;
}

function placeOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): CodePlace {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  if (/^(?:node|ext|bun):/.test(url)) return "the runtime's JavaScript";
  if (url !== "") return "the application";
  if (functionName.startsWith("(")) return functionName;
  return /^writev?$/.test(functionName) ? "writing to the socket" : "built in";
}
