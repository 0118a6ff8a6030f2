import { isAbsolute, join } from "@std/path";
import type { Config } from "../../config/mod.ts";
import type { FileSystem } from "../../runtime/mod.ts";
import { DatabaseError } from "./errors.ts";

/** How a connection is encrypted. */
export interface TlsSettings {
  /** `full`: the certificate and its host name. `chain`: the certificate. `none`: nothing. */
  readonly verify: "full" | "chain" | "none";
  /** Whether to go on without where the server has none. */
  readonly optional: boolean;
  /** PEM text, or the path of a file of it: authorities to trust instead of the system's. */
  readonly ca?: string;
  /** The client's certificate, likewise. */
  readonly cert?: string;
  /** Its key, likewise. */
  readonly key?: string;
}

/**
 * Reads `ssl` (`false`, `true`, or a map of `ca`, `cert`, `key`, `verify`) or, where it is not set, what the
 * parameters of the URL say: `sslmode` as PostgreSQL has it, `ssl-mode` as MySQL has it.
 *
 * @param parameters of the URL; those about encryption are taken out of it
 * @throws {ConfigError} for a value that means nothing
 */
export function readTls(
  config: Config,
  parameters: Map<string, string>,
): TlsSettings | undefined {
  const fromUrl = tlsOfUrl(config, parameters);
  const file = (name: string) => fileOrText(config, config.string(`ssl.${name}`));
  const value = config.get("ssl");
  if (value === undefined || value === null) return fromUrl;
  if (typeof value !== "object") {
    return config.boolean("ssl") ? { verify: "full", optional: false } : undefined;
  }
  const verify = config.boolean("ssl.verify", true) ? "full" : "none";
  return {
    verify,
    optional: false,
    ...defined("ca", file("ca")),
    ...defined("cert", file("cert")),
    ...defined("key", file("key")),
  };
}

function tlsOfUrl(config: Config, parameters: Map<string, string>): TlsSettings | undefined {
  const take = (name: string) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const mode = take("sslmode") ?? take("ssl");
  const files = {
    ...defined("ca", fileOrText(config, take("sslrootcert") ?? take("sslca"))),
    ...defined("cert", fileOrText(config, take("sslcert"))),
    ...defined("key", fileOrText(config, take("sslkey"))),
  };
  switch (mode?.toLowerCase().replaceAll("_", "-")) {
    case undefined:
      return Object.keys(files).length > 0
        ? { verify: "full", optional: false, ...files }
        : undefined;
    case "disable":
    case "disabled":
    case "false":
      return undefined;
    case "allow":
    case "prefer":
    case "preferred":
      return { verify: "none", optional: true, ...files };
    case "require":
    case "required":
    case "trust":
      // PostgreSQL: with a file of authorities it means the same as `verify-ca`.
      return { verify: "ca" in files ? "chain" : "none", optional: false, ...files };
    case "verify-ca":
      return { verify: "chain", optional: false, ...files };
    case "verify-full":
    case "verify-identity":
    case "true":
      return { verify: "full", optional: false, ...files };
  }
  throw config.error(
    "url",
    `The 'sslmode' of the URL means nothing: expected 'disable', 'prefer', 'require', 'verify-ca' or ` +
      "'verify-full'",
  );
}

/** Reads the files that the settings name. @throws {DatabaseError} naming the one that cannot be read */
export async function loadTls(
  tls: TlsSettings | undefined,
  files: Pick<FileSystem, "readTextFile">,
): Promise<TlsSettings | undefined> {
  if (tls === undefined) return undefined;
  const read = async (name: "ca" | "cert" | "key") => {
    const value = tls[name];
    if (value === undefined || isText(value)) return defined(name, value);
    try {
      return defined(name, await files.readTextFile(value));
    } catch {
      throw new DatabaseError("lost", `Cannot read '${value}', the file of 'ssl.${name}'`);
    }
  };
  return { ...tls, ...await read("ca"), ...await read("cert"), ...await read("key") };
}

/** A path of the configuration starts at the application's root. */
function fileOrText({ root }: Config, value: string | undefined): string | undefined {
  const isPath = value !== undefined && !isText(value) && !isAbsolute(value);
  return isPath ? join(root, value) : value;
}

function isText(value: string): boolean {
  return value.includes("-----BEGIN");
}

function defined<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : { [key]: value } as { [P in K]: string };
}
