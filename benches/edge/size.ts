import type { Figure } from "../web/report.ts";
import type { Project } from "./project.ts";

/**
 * How large a worker of one route on `./edge` is beside the same route on plain Hono: each bundled from the npm packages
 * into one file by esbuild, minified and gzipped. The same bytes on every machine.
 */
export async function bundleSize(project: Project): Promise<Figure> {
  const ours = await gzipped(await project.worker("ours"));
  const plain = await gzipped(await project.worker("plain"));
  return {
    name: "minified and gzipped bundle of one route on ./edge",
    value: ours / plain,
    unit: "times plain Hono",
    bound: { atMost: 6.2 },
    note: `${ours} bytes, plain Hono ${plain}`,
  };
}

async function gzipped(path: string): Promise<number> {
  const { body } = await fetch(`file://${path}`);
  const stream = body?.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
