import { builtin } from "./builtin.ts";
import type { HttpClientOptions } from "../types.ts";

/** TLS settings by the names that Node gave them, which undici and Bun's `fetch` take. */
export function tlsOptions(options: HttpClientOptions): Record<string, unknown> {
  const { getCACertificates } = builtin<typeof import("node:tls")>("node:tls");
  const { verifyTls = true, caCert, clientCert, clientKey } = options;
  return {
    rejectUnauthorized: verifyTls,
    // `ca` replaces what is trusted otherwise.
    ...(caCert !== undefined && { ca: [...getCACertificates("default"), caCert] }),
    ...(clientCert !== undefined && { cert: clientCert, key: clientKey }),
  };
}
