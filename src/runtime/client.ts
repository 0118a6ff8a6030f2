/** Requests with their own TLS and proxy settings, apart from `mod.ts` so that bundles for edge isolates leave them out. */
import { bunClient } from "./bun/client.ts";
import { denoClient } from "./deno/client.ts";
import { undiciClient } from "./node/undici_client.ts";
import { probe } from "./shared/probe.ts";
import { proxyOf } from "./shared/proxy.ts";
import type { HttpClient, HttpClientOptions, Runtime } from "./types.ts";

export function httpClient(
  { name, env }: Pick<Runtime, "name" | "env">,
  options: HttpClientOptions = {},
): HttpClient {
  const open = { bun: bunClient, deno: denoClient, node: undiciClient }[name];
  return {
    ...open(env, options),
    probe: (url, timeoutMs) => probe(url, proxyOf(url, options, env), timeoutMs),
  };
}
