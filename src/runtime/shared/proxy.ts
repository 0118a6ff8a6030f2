import type { Environment, HttpClientOptions } from "../types.ts";

/**
 * The proxy for a URL: that of the settings, else the one that `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY` names unless
 * `NO_PROXY` excepts the host. Decided here because the runtimes' own ways differ. Names are taken in either case, the
 * lower one first, as curl has it.
 */
export function proxyOf(
  url: string,
  { proxy }: HttpClientOptions,
  env: Environment,
): string | undefined {
  if (proxy !== undefined) return proxy || undefined;
  const { protocol, hostname, port } = new URL(url);
  const read = (name: string) => env.get(name) || env.get(name.toUpperCase());
  const found = read(protocol === "https:" ? "https_proxy" : "http_proxy") ?? read("all_proxy");
  if (!found || isExcepted(hostname, port || DEFAULT_PORTS[protocol], read("no_proxy"))) {
    return undefined;
  }
  return found.includes("://") ? found : `http://${found}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** `host`, `.host` and `*.host` stand for the host and everything below it; `host:port` for that port, `*` for all. */
function isExcepted(hostname: string, port: string | undefined, exceptions = ""): boolean {
  return exceptions.split(/[\s,]+/).filter((entry) => entry !== "").some((entry) => {
    if (entry === "*") return true;
    const [, name = "", onlyPort] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== port) return false;
    const suffix = name.toLowerCase().replace(/^\*?\./, "");
    return hostname === suffix || hostname.endsWith(`.${suffix}`);
  });
}
