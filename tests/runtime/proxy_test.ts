import { assertEquals } from "@std/assert";
import { proxyOf } from "../../src/runtime/shared/proxy.ts";

const PROXY = "http://proxy:3128";

type Case = readonly [
  url: string,
  env: Readonly<Record<string, string>>,
  expected: string | undefined,
];

const CASES: readonly Case[] = [
  ["http://a.test", {}, undefined],
  ["http://a.test", { HTTP_PROXY: PROXY }, PROXY],
  ["http://a.test", { http_proxy: PROXY, HTTP_PROXY: "http://other" }, PROXY],
  ["https://a.test", { HTTP_PROXY: PROXY }, undefined],
  ["https://a.test", { HTTPS_PROXY: PROXY }, PROXY],
  ["https://a.test", { ALL_PROXY: PROXY }, PROXY],
  ["https://a.test", { https_proxy: "", ALL_PROXY: PROXY }, PROXY],
  ["http://a.test", { HTTP_PROXY: "proxy:3128" }, PROXY],
  ["http://a.test", { HTTP_PROXY: PROXY, NO_PROXY: "*" }, undefined],
  ["http://a.test", { HTTP_PROXY: PROXY, NO_PROXY: "b.test, A.TEST" }, undefined],
  ["http://x.a.test", { HTTP_PROXY: PROXY, NO_PROXY: "a.test" }, undefined],
  ["http://x.a.test", { HTTP_PROXY: PROXY, no_proxy: ".a.test" }, undefined],
  ["http://x.a.test", { HTTP_PROXY: PROXY, no_proxy: "*.a.test" }, undefined],
  ["http://xa.test", { HTTP_PROXY: PROXY, NO_PROXY: "a.test" }, PROXY],
  ["http://a.test:9200", { HTTP_PROXY: PROXY, NO_PROXY: "a.test:9200" }, undefined],
  ["http://a.test", { HTTP_PROXY: PROXY, NO_PROXY: "a.test:80" }, undefined],
  ["http://a.test", { HTTP_PROXY: PROXY, NO_PROXY: "a.test:9200" }, PROXY],
  ["http://[::1]:9200", { HTTP_PROXY: PROXY, NO_PROXY: "[::1]" }, undefined],
  ["http://127.0.0.1", { HTTP_PROXY: PROXY, NO_PROXY: ",, localhost  127.0.0.1" }, undefined],
];

Deno.test("proxyOf takes the environment's proxy, its exceptions left out", () => {
  for (const [url, env, expected] of CASES) {
    const environment = { get: (name: string) => env[name], names: () => Object.keys(env) };
    assertEquals(proxyOf(url, {}, environment), expected, JSON.stringify([url, env]));
    assertEquals(proxyOf(url, { proxy: false }, environment), undefined);
    assertEquals(proxyOf(url, { proxy: "http://own" }, environment), "http://own");
  }
});
