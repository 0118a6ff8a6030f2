import { proxyOf } from "../shared/proxy.ts";
import { tlsOptions } from "../shared/pem.ts";
import type { Environment, HttpClientOptions, Requests } from "../types.ts";

export function bunClient(env: Environment, options: HttpClientOptions): Requests {
  let tls: unknown;
  return {
    fetch: async (url, init, { once = false } = {}) => {
      tls ??= tlsOptions(options);
      // `false` keeps Bun from asking the environment again; an empty text would not.
      const settings = {
        tls,
        proxy: proxyOf(url, options, env) ?? false,
        ...(once && { keepalive: false }),
      };
      try {
        return await fetch(url, { ...init, ...settings } as RequestInit);
      } catch (cause) {
        throw (cause as { readonly code?: string }).code === "ERR_TLS_CERT_ALTNAME_INVALID"
          ? otherName(url)
          : cause;
      }
    },
    close: () => Promise.resolve(),
  };
}

function otherName(url: string): Error {
  const { hostname } = new URL(url);
  return new Error(`the certificate of the server is not for '${hostname}'`);
}
