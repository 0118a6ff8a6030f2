import { build, stop } from "esbuild";
import { Graph } from "../../tools/_graph.ts";
import type { Figure } from "../web/report.ts";
import type { Project } from "./project.ts";

/** How large the worker is beside that of plain Hono, and what is in it of rooms that it does not need. */
export async function bundleSizes(project: Project): Promise<readonly Figure[]> {
  const ours = await gzipped(await project.worker("ours"));
  const plain = await gzipped(await project.worker("plain"));
  const unused = await unusedRooms();
  return [
    {
      name: "minified and gzipped bundle of one route",
      value: ours / plain,
      unit: "times plain Hono",
      bound: { atMost: 1.6 },
      note: `${ours} bytes, plain Hono ${plain}`,
    },
    {
      name: "rooms in it that it does not need",
      value: unused.length,
      unit: "rooms",
      bound: { atMost: 0 },
      note: unused.join(", ") || "none",
    },
  ];
}

/** What the package has conditions for, so that it is left out. */
const REPLACED = {
  "src/runtime/load.ts": "export const loadRuntime = () => {};",
  "src/app/files.ts": "export {};",
  "src/app/server.ts": "export {};",
};
const NEEDED = ["app", "config", "container", "http", "text", "web"];
/** Makes responses, and looks at the age of the runtime; the rest of that room is of processes. */
const NEEDED_MODULES = /src\/runtime\/(?:responses|_supported)\.ts$/;

/** By the modules that have code in the bundle; the package has no modules any more, so from the sources. */
async function unusedRooms(): Promise<readonly string[]> {
  const entry = "benches/edge/ours.ts";
  const graph = await Graph.of([entry]);
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    plugins: [graph.plugin({ replaced: REPLACED })],
  });
  await stop();
  const [output] = Object.values(metafile.outputs);
  const rooms = Object.entries(output?.inputs ?? {})
    .filter(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 && !isReplaced(path) && !NEEDED_MODULES.test(path)
    )
    .map(([path]) => /(?:^|:)(?:src|links)\/(\w+)\//.exec(path)?.[1])
    .filter((room) => room !== undefined);
  return [...new Set(rooms)].filter((room) => !NEEDED.includes(room)).sort();
}

function isReplaced(path: string): boolean {
  return Object.keys(REPLACED).some((name) => path.endsWith(name));
}

async function gzipped(path: string): Promise<number> {
  const { body } = await fetch(`file://${path}`);
  const stream = body?.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
