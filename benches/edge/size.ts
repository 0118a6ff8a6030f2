import type { Figure } from "../web/report.ts";
import { assertSameAnswers } from "./answers.ts";
import type { Project } from "./project.ts";

/**
 * How large workers on `./edge` are beside those that do the same on Hono: one route beside plain Hono, and two validated
 * routes with an OpenAPI document beside `@hono/zod-openapi`. Each is bundled from the npm packages into one file,
 * minified and gzipped: the same bytes on every machine.
 */
export async function bundleSizes(project: Project): Promise<readonly Figure[]> {
  const plain = await project.worker("plain");
  const whole = await project.built("ours_api_z");
  const plainApi = await project.worker("plain_api");
  const ours = { esbuild: await project.worker("ours"), build: await project.built("ours") };
  const api = { esbuild: await project.worker("ours_api"), build: await project.built("ours_api") };
  for (const worker of [...Object.values(api), whole]) await assertSameAnswers(worker, plainApi);
  const route = "bundle of one route";
  const routes = "bundle of two validated routes with a document";
  return [
    await figure(`${route}, by esbuild`, ours.esbuild, "plain Hono", plain, 6.22),
    await figure(`${route}, by 'irori build'`, ours.build, "plain Hono", plain, 4.93),
    await figure(`${routes}, by esbuild`, api.esbuild, ZOD_OPENAPI, plainApi, 0.8),
    await figure(`${routes}, by 'irori build'`, api.build, ZOD_OPENAPI, plainApi, 0.75),
    await figure(`${routes} and all of Zod, by 'irori build'`, whole, ZOD_OPENAPI, plainApi, 1.35),
  ];
}

const ZOD_OPENAPI = "Hono with @hono/zod-openapi";

async function figure(
  name: string,
  worker: string,
  peer: string,
  itsWorker: string,
  atMost: number,
): Promise<Figure> {
  const [ours, its] = [await gzipped(worker), await gzipped(itsWorker)];
  return {
    name: `${name}, gzipped`,
    value: ours / its,
    unit: `times ${peer}`,
    bound: { atMost },
    note: `${ours} bytes, ${peer} ${its}`,
  };
}

async function gzipped(path: string): Promise<number> {
  const { body } = await fetch(`file://${path}`);
  const stream = body?.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
