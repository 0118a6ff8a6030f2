export class FileNotFoundError extends Error {
  override readonly name = "FileNotFoundError";

  constructor(readonly path: string, options?: ErrorOptions) {
    super(`There is no file '${path}'`, options);
  }
}

export class FileExistsError extends Error {
  override readonly name = "FileExistsError";

  constructor(readonly path: string, options?: ErrorOptions) {
    super(`There is a file '${path}' already`, options);
  }
}

export class FileWriteError extends Error {
  override readonly name = "FileWriteError";
}

/** A package from npm that is not installed; the message says how to install it. */
export class PackageNotFoundError extends Error {
  override readonly name = "PackageNotFoundError";

  constructor(readonly packageName: string, readonly range: string, options?: ErrorOptions) {
    super(
      `Cannot find the package '${packageName}': install it with 'npm install ${packageName}@${range}'`,
      options,
    );
  }
}

export class ConnectError extends Error {
  override readonly name = "ConnectError";
}

/** An address that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = "ListenError";

  /** @param reason why not, as the end of a sentence */
  constructor(
    readonly hostname: string,
    readonly port: number,
    reason: string,
    options?: ErrorOptions,
  ) {
    const host = hostname.includes(":") ? `[${hostname}]` : hostname;
    super(`Cannot listen on ${host}:${port}: ${reason}`, options);
  }
}

/** Why an address cannot be listened on or connected to, in the same words on every runtime. */
export function reasonOf(cause: unknown): string {
  const { code = "", message } = cause as Error & { readonly code?: string };
  // Deno gives it no code.
  return REASONS[message.startsWith("failed to lookup address") ? "ENOTFOUND" : code] ?? message;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "the address is not available on this machine",
  EACCES: "it is not permitted",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
  ETIMEDOUT: "no connection in time",
};
