/**
 * The second door of this room: requests with TLS and proxy settings of their own. Apart from the first one, so that an
 * application which is bundled for an edge isolate carries none of it.
 *
 * @module
 */
import { bunClient } from "./bun/client.ts";
import { denoClient } from "./deno/client.ts";
import { undiciClient } from "./node/undici_client.ts";
import type { HttpClient, HttpClientOptions, Runtime } from "./types.ts";

export function httpClient(
  { name, env }: Pick<Runtime, "name" | "env">,
  options: HttpClientOptions = {},
): HttpClient {
  const open = { bun: bunClient, deno: denoClient, node: undiciClient }[name];
  return open(env, options);
}
