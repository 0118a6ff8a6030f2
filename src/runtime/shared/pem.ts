import { builtin } from "./builtin.ts";
import type { HttpClientOptions } from "../types.ts";

export type PemKind = "certificate" | "key";

export function pemProblem(text: string, kind: PemKind): string | undefined {
  const { createPrivateKey, X509Certificate } = builtin<typeof import("node:crypto")>(
    "node:crypto",
  );
  const [expected, label, read] = kind === "certificate"
    ? ["a certificate", "CERTIFICATE", (part: string) => new X509Certificate(part)] as const
    : ["a private key", "PRIVATE KEY", (part: string) => createPrivateKey(part)] as const;
  const block = new RegExp(`-----BEGIN ([A-Z\\d ]*${label})-----[^]*?-----END \\1-----`, "g");
  const parts = [...text.matchAll(block)].map(([part]) => part);
  if (parts.length === 0) return `Expected ${expected} in PEM, found none`;
  for (const part of kind === "key" ? parts.slice(0, 1) : parts) {
    try {
      read(part);
    } catch {
      const found = part.includes("ENCRYPTED") ? "with a passphrase" : "that cannot be read";
      return `Expected ${expected} in PEM, found one ${found}`;
    }
  }
}

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
