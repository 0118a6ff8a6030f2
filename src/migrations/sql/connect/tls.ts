import type { Config } from "../../../config/mod.ts";
import type { FileSystem } from "../../../runtime/mod.ts";
import { defined } from "../../../text/mod.ts";
import { checkKeys, checkPair, loadPem, pemOf, type PemSource } from "../../runner/mod.ts";

export interface TlsSettings {
  /** `full`: the certificate and its host name. `chain`: the certificate. `none`: nothing. */
  readonly verify: "full" | "chain" | "none";
  /** Whether to go on without where the server has none. */
  readonly optional: boolean;
  /** Authorities to trust instead of the system's. */
  readonly ca?: PemSource;
  readonly cert?: PemSource;
  readonly key?: PemSource;
}

export type LoadedTls =
  & Pick<TlsSettings, "verify" | "optional">
  & { readonly [P in "ca" | "cert" | "key"]?: string };

/**
 * Reads `ssl` (`false`, `true`, or a map of `ca`, `cert`, `key`, `verify`) or, where it is not set, what the parameters
 * of the URL say: `sslmode` as PostgreSQL has it, `ssl-mode` as MySQL has it.
 *
 * @throws {ConfigError} for a value that means nothing
 */
export function readTls(
  config: Config,
  urlKey: string,
  parameters: Map<string, string>,
): TlsSettings | undefined {
  const fromUrl = tlsOfUrl(config, urlKey, parameters);
  const value = config.get("ssl");
  if (value === undefined || value === null) return fromUrl;
  if (typeof value !== "object") {
    return config.boolean("ssl") ? { verify: "full", optional: false } : undefined;
  }
  checkKeys(config, "ssl", ["ca", "cert", "key", "verify"]);
  checkPair(config, "ssl.cert", "ssl.key");
  const verify = config.boolean("ssl.verify", true) ? "full" : "none";
  const ca = pemOf(config, "ssl.ca", "certificate");
  const cert = pemOf(config, "ssl.cert", "certificate");
  const key = pemOf(config, "ssl.key", "key");
  return { verify, optional: false, ...defined({ ca, cert, key }) };
}

function tlsOfUrl(
  config: Config,
  key: string,
  parameters: Map<string, string>,
): TlsSettings | undefined {
  const taken = (name: string) => take(parameters, name);
  const file = (value: string | undefined, kind: PemSource["kind"] = "certificate") =>
    value === undefined ? undefined : pemOf(config, key, kind, value);
  const mode = taken("sslmode") ?? taken("ssl");
  const files = defined({
    ca: file(taken("sslrootcert") ?? taken("sslca")),
    cert: file(taken("sslcert")),
    key: file(taken("sslkey"), "key"),
  });
  const given = Object.keys(files).length > 0 ? "true" : "false";
  const name = mode?.toLowerCase().replaceAll("_", "-") ?? given;
  if (DISABLED.includes(name)) return undefined;
  const verify = VERIFY.get(name);
  if (verify !== undefined) {
    // PostgreSQL: `require` with a file of authorities means the same as `verify-ca`.
    const isChain = REQUIRED.includes(name) && "ca" in files;
    return { verify: isChain ? "chain" : verify, optional: PREFERRED.includes(name), ...files };
  }
  throw config.error(
    key,
    `The 'sslmode' of the URL is unknown: expected 'disable', 'prefer', 'require', 'verify-ca' or ` +
      "'verify-full'",
  );
}

/** A parameter, which is not left for others to understand. */
export function take(parameters: Map<string, string>, name: string): string | undefined {
  const value = parameters.get(name);
  parameters.delete(name);
  return value;
}

/** Values of `sslmode` in the spellings of PostgreSQL, MySQL and their JDBC drivers. */
const DISABLED = ["disable", "disabled", "false"];
const PREFERRED = ["allow", "prefer", "preferred"];
const REQUIRED = ["require", "required", "trust"];
const VERIFY: ReadonlyMap<string, TlsSettings["verify"]> = new Map([
  ...[...PREFERRED, ...REQUIRED].map((name) => [name, "none"] as const),
  ["verify-ca", "chain"],
  ...["verify-full", "verify-identity", "true"].map((name) => [name, "full"] as const),
]);

export async function loadTls(
  tls: TlsSettings | undefined,
  files: Pick<FileSystem, "readTextFile">,
): Promise<LoadedTls | undefined> {
  if (tls === undefined) return undefined;
  const { verify, optional, ...sources } = tls;
  const [ca, cert, key] = await Promise.all(
    [sources.ca, sources.cert, sources.key].map((source) => loadPem(source, files)),
  );
  return { verify, optional, ...defined({ ca, cert, key }) };
}
