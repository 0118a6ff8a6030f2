import type { Figure } from "../web/report.ts";
import type { Project } from "./project.ts";

/**
 * How large a worker of one route on `./edge` is beside the same route on plain Hono: each bundled from the npm packages
 * into one file by esbuild, minified and gzipped. The same bytes on every machine.
 */
export async function bundleSizes(project: Project): Promise<readonly Figure[]> {
  const plain = await gzipped(await project.worker("plain"));
  const figure = async (by: string, path: Promise<string>, atMost: number): Promise<Figure> => {
    const ours = await gzipped(await path);
    return {
      name: `minified and gzipped bundle of one route on ./edge, by ${by}`,
      value: ours / plain,
      unit: "times plain Hono",
      bound: { atMost },
      note: `${ours} bytes, plain Hono ${plain}`,
    };
  };
  return [
    await figure("esbuild", project.worker("ours"), 6.22),
    await figure("'irori build'", project.built(), 4.93),
  ];
}

async function gzipped(path: string): Promise<number> {
  const { body } = await fetch(`file://${path}`);
  const stream = body?.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
