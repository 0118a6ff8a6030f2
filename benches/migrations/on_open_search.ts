import { fromFileUrl } from "@std/path";
import { countingProxy } from "../../tests/servers/counting_proxy.ts";
import type { EmptyTarget, Program } from "./compare.ts";
import { ours } from "./ours.ts";
import type { Peers } from "./peers.ts";
import { template } from "../search/template.ts";

/** Runners of index templates. */
export function searchPrograms(peers: Peers): readonly Program[] {
  const name = (number: number) => `bench-${String(number).padStart(4, "0")}`;
  const json = (number: number) => JSON.stringify(template(name(number)), null, 2);
  const plain: Program["file"] = (number) => [`${name(number)}-template.json`, json(number)];
  return [
    {
      name: "bare script",
      isBare: true,
      file: plain,
      command: (url, folder, phase) => [...BARE, phase, url, folder],
    },
    ...ours("search", peers.irori, (url) => ({ hosts: [url] }), plain),
    {
      name: "elasticsearch-evolution",
      file: (number) => [
        `V${String(number + 1).padStart(4, "0")}__template.http`,
        `PUT /_index_template/${name(number)}\nContent-Type: application/json\n\n${json(number)}`,
      ],
      command: (url, folder) => ["java", "-cp", peers.classPath, "Evolve", url, folder],
    },
  ];
}

const BARE = [
  ...[Deno.execPath(), "run", "-A", "--no-check", "--quiet"],
  fromFileUrl(new URL("../search/bare.ts", import.meta.url)),
];

/** The server without templates of ours and without histories. */
export async function openCluster(server: string, isCounted: boolean): Promise<EmptyTarget> {
  await clean(server);
  const proxy = isCounted ? await countingProxy(server) : undefined;
  return {
    url: proxy?.url ?? server,
    requests: () => proxy?.requests.length ?? 0,
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
      await clean(server);
    },
  };
}

async function clean(server: string): Promise<void> {
  const indices = "framework_migrations,framework_migrations_lock,es_evolution";
  for (const path of ["/_index_template/bench-*", `/${indices}?ignore_unavailable=true`]) {
    const response = await fetch(server + path, { method: "DELETE" });
    await response.body?.cancel();
  }
}
