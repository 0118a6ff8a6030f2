import { notInstalled, within } from "../../runtime/mod.ts";
import { errorOf, masker, withoutFinalLineBreak } from "../../text/mod.ts";
import { type AwsSettings, isRegion } from "./settings.ts";
import type { AwsCredentials, Signer, SignerOptions } from "../../migrations/runner/mod.ts";

export async function awsSigner(
  settings: AwsSettings,
  options: SignerOptions,
): Promise<Signer> {
  const { now = Date.now } = options;
  const region = regionOf(settings, options);
  const credentials = awsCredentials(settings, options);
  const { AwsV4Signer } = await import("aws4fetch").catch(notInstalled("aws4fetch"));
  const secrets = new Set<string>();
  let redact = masker([]);
  const remember = (...values: (string | undefined)[]) => {
    const known = secrets.size;
    for (const value of values) if (value !== undefined) secrets.add(value);
    if (secrets.size > known) redact = masker([...secrets].map((value) => [value, "***"]));
  };
  return {
    async sign({ method, url, headers, body }) {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      remember(accessKeyId, secretAccessKey, sessionToken ?? undefined);
      const signed = await new AwsV4Signer({
        method,
        url: withStrictQuery(url),
        headers: { ...headers },
        ...(body !== undefined && { body }),
        accessKeyId,
        secretAccessKey,
        ...(sessionToken != null && { sessionToken }),
        service: settings.service,
        region,
        datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
        // Otherwise aws4fetch omits `Content-Type`.
        allHeaders: true,
      }).sign();
      return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
    },
    redact: (text) => redact(text.replace(SIGNATURE, "***")),
    explain: (refusal) => explanation(refusal, region, new Date(now())),
  };
}

const SIGNATURE =
  /AWS4-HMAC-SHA256 Credential=[^"'\n]*?Signature=[0-9a-f]+|\bSignature=[0-9a-f]{8,}/g;

function regionOf(
  { region, error }: AwsSettings,
  { variable = () => undefined }: SignerOptions,
): string {
  const found = region ?? (variable("AWS_REGION") || variable("AWS_DEFAULT_REGION") || undefined);
  if (found === undefined) {
    throw error(
      "Expected a 'region', such as eu-central-1: neither it nor the environment variable AWS_REGION or " +
        "AWS_DEFAULT_REGION is set",
    );
  }
  if (!isRegion(found)) throw error(`Expected a region, such as eu-central-1, found '${found}'`);
  return found;
}

/** Encodes the query strictly by RFC 3986, because the server has to decode `+`, `*` and others as the client does. */
function withStrictQuery(text: string): string {
  const url = new URL(text);
  const pairs = [...url.searchParams].filter(([name]) => name !== "");
  url.search = pairs.map((pair) => pair.map(strict).join("=")).join("&");
  return url.href;
}

function strict(text: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}

const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [
    /signature expired|signature not yet current|RequestTimeTooSkewed/i,
    "a signature is valid for five minutes, and the clock of this machine shows ${now}",
  ],
  [
    /signature we calculated does not match/i,
    "check the secret access key; a proxy must not change host, path, query or body",
  ],
  [
    /security token included in the request is (?:invalid|expired)/i,
    "check AWS_ACCESS_KEY_ID and AWS_SESSION_TOKEN: temporary credentials expire",
  ],
  [/credential should be scoped/i, "it was signed for the region '${region}'"],
  [
    /^\W*HTTP \d+\W+your request: .* not allowed/i,
    "Amazon OpenSearch Service does not offer it",
  ],
];

function explanation(refusal: string, region: string, now: Date): string | undefined {
  const [, text] = EXPLANATIONS.find(([pattern]) => pattern.test(refusal)) ?? [];
  return text?.replace("${now}", now.toISOString()).replace("${region}", region);
}

/** How long before their expiry credentials are renewed, because a request takes time to arrive. */
const BEFORE_END_MS = 60_000;

/** Calls a program's function again shortly before they expire, or reads the environment. @throws {ConfigError} */
export function awsCredentials(
  settings: AwsSettings,
  { credentials: provide, variable = () => undefined, timeoutMs, now = Date.now }: SignerOptions,
): () => Promise<AwsCredentials> {
  if (provide === undefined) {
    const read = () => fromEnvironment(settings, variable);
    read();
    return () => Promise.resolve().then(read);
  }
  let current: AwsCredentials | undefined;
  let asked: Promise<AwsCredentials> | undefined;
  const ask = async () => {
    const given = await within(Promise.resolve().then(provide), timeoutMs, LATE);
    if (given === LATE) throw new Error(`it took longer than ${timeoutMs / 1000} s`);
    return current = requireKeys(given);
  };
  return async () => {
    const left = current ? leftMs(current, now) : 0;
    if (current && left > BEFORE_END_MS) return current;
    // Heartbeats and files sign at the same time, and share one call.
    asked ??= ask().finally(() => asked = undefined);
    if (current && left > 0) {
      // The current credentials are still valid, so no request waits; after a failure the next request asks again.
      asked.catch(() => {});
      return current;
    }
    try {
      return await asked;
    } catch (cause) {
      throw new Error(`Cannot get AWS credentials: ${errorOf(cause).message}`, { cause });
    }
  };
}

const LATE = Symbol("late");

function leftMs({ expiration }: AwsCredentials, now: () => number): number {
  return expiration === undefined ? Infinity : expiration.getTime() - now();
}

const ID = "AWS_ACCESS_KEY_ID";
const SECRET = "AWS_SECRET_ACCESS_KEY";
const TOKEN = "AWS_SESSION_TOKEN";

function fromEnvironment(
  { error }: AwsSettings,
  variable: (name: string) => string | undefined,
): AwsCredentials {
  const valueOf = (name: string) => withoutFinalLineBreak(variable(name) ?? "");
  const missing = [ID, SECRET].filter((name) => valueOf(name) === "");
  if (missing.length > 0) {
    throw error(
      `Expected AWS credentials in the environment variables ${ID} and ${SECRET}, with ${TOKEN} for ` +
        `temporary ones: ${missing.join(" and ")} must be set${roleHint(variable)}`,
    );
  }
  const wrong = [ID, SECRET, TOKEN].find((name) => !/^[\x21-\x7e]*$/.test(valueOf(name)));
  if (wrong !== undefined) {
    throw error(`Expected ASCII characters without spaces in the environment variable ${wrong}`);
  }
  const sessionToken = valueOf(TOKEN);
  return {
    accessKeyId: valueOf(ID),
    secretAccessKey: valueOf(SECRET),
    ...(sessionToken !== "" && { sessionToken }),
  };
}

/** Containers and profiles name their role by these variables, which only providers of the AWS SDK can use. */
const ROLES = ("AWS_WEB_IDENTITY_TOKEN_FILE AWS_CONTAINER_CREDENTIALS_FULL_URI " +
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_PROFILE").split(" ");

function roleHint(variable: (name: string) => string | undefined): string {
  const found = ROLES.find((name) => variable(name));
  if (found === undefined) return "";
  return `; ${found} is set: a program can use it with migrateSearch({ credentials }), the command line ` +
    "with 'aws configure export-credentials --format env'";
}

function requireKeys(given: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = Object(given);
  const texts = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) continue;
    throw new TypeError(`expected '${name}' to be ASCII characters without spaces`);
  }
  if (expiration != null && !(expiration instanceof Date && !isNaN(expiration.getTime()))) {
    throw new TypeError("expected 'expiration' to be a Date");
  }
  return { ...texts, ...(expiration != null && { expiration }) };
}
