/** Substitutes for the modules in `PARTS` of `tools/build_npm.ts`, which `irori build` may leave out: a use fails. */
import { type Config, ConfigError } from "../config/mod.ts";
import type * as config from "../config/mod.ts";
import type * as http from "../http/mod.ts";
import type * as schema from "../schema/mod.ts";
import type * as web from "../web/mod.ts";

function refusePart(part: string, what: string): never {
  throw new Error(
    `Cannot use ${what}: 'irori build' has left out the part '${part}'; add --with ${part}`,
  );
}

const refuseSchema = (): never => refusePart("schemas", "a schema");
const refuseVersion = (): never => refusePart("versions", "a version of the API");
const refuseProxies = (): never => refusePart("proxies", "'server.trusted-proxies'");

export const validatorOf: typeof schema.validatorOf = refuseSchema;
export const validateNow: typeof schema.validateNow = refuseSchema;
export const pointerOf: typeof schema.pointerOf = refuseSchema;
export const rejectUnknownKeys = refuseSchema;
/** No binder can have a schema, as each asks for its validator. */
export const rejectUnsendable = (): void => {};
export const takesNothing: typeof web.takesNothing = refuseSchema;
export const answerCheck = (returns: unknown): undefined => returns ? refuseSchema() : undefined;
export const checkAnswers = <I>({ returns }: web.ServedRoute, invoke: I): I =>
  answerCheck(returns) ?? invoke;
export const sourceOf = (): string => "";

export const isVersion: typeof web.isVersion = refuseVersion;
export const notVersion: typeof web.notVersion = refuseVersion;
export const ApiVersions = refuseVersion;
export const apiVersions = (config: Config): undefined =>
  config.get("server.api-version") === undefined ? undefined : refuseVersion();
export const deprecation: typeof web.deprecation = () => refusePart("versions", "'deprecated'");
export const versioned = ({ version, deprecated }: Readonly<Record<string, unknown>>): object =>
  version !== undefined
    ? refuseVersion()
    : deprecated
    ? refusePart("versions", "'deprecated'")
    : {};
export const agreedDeprecation = (): void => {};

export const parseAddresses: typeof http.parseAddresses = refuseProxies;
export const trustProxies: typeof http.trustProxies = refuseProxies;
/** No proxy is trusted, as none can be configured. */
export const behindProxies = <A>(peer: A): A => peer;

export const toXml: typeof http.toXml = () => refusePart("xml", "XML");
export const XmlError: typeof http.XmlError = TypeError as never;

/** Without values every key has its default. */
const EMPTY: Config = {
  root: "",
  get: () => undefined,
  string: (_key: string, fallback?: string) => fallback as string,
  number: (_key: string, fallback?: number) => fallback as number,
  boolean: (_key: string, fallback?: boolean) => fallback as boolean,
  required: (key: string) => refusePart("configuration", `'${key}'`),
  strings: () => undefined,
  section: () => undefined,
  sections: () => [],
  keys: () => [],
  bind: (prefix) => refusePart("configuration", `'${prefix}'`),
  error: (key, message) => new ConfigError(message, { key }),
};

export const createConfig: typeof config.createConfig = (values = {}, { env } = {}) => {
  const [name] = env === undefined ? Object.keys(values) : ["env"];
  return name === undefined ? EMPTY : refusePart("configuration", `'${name}'`);
};
