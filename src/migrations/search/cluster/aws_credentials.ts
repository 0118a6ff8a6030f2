import { errorOf, withoutFinalLineBreak } from "../../../text/mod.ts";
import { within } from "../../../runtime/mod.ts";
import type { AwsCredentials, AwsSettings, CredentialsOptions } from "../types.ts";

/** How long before their expiry credentials are renewed: a request takes time to arrive. */
const BEFORE_END_MS = 60_000;

/**
 * Makes a function that gives the credentials of the moment: those of a function that a program has given, which is
 * called again shortly before they end, or those of the environment.
 *
 * @throws {ConfigError} when there is no such function and the environment has none
 */
export function awsCredentials(
  settings: AwsSettings,
  { credentials: provide, variable = () => undefined, timeoutMs, now = Date.now }:
    CredentialsOptions,
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
    if (given === LATE) throw new Error(`no answer within ${timeoutMs / 1000} s`);
    return current = checked(given);
  };
  return async () => {
    const left = current ? leftMs(current, now) : 0;
    if (current && left > BEFORE_END_MS) return current;
    // Heartbeats sign beside what a file sends: one question is enough for both.
    asked ??= ask().finally(() => asked = undefined);
    if (current && left > 0) {
      // Valid until then: no request waits, and after a failure the next request asks again.
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

/** The names that every tool of AWS reads. */
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
      `Expected AWS credentials in the environment variables ${ID} and ${SECRET}, with ${TOKEN} where they are ` +
        `temporary: there is no ${missing.join(" and no ")}${roleHint(variable)}`,
    );
  }
  const wrong = [ID, SECRET, TOKEN].find((name) => !/^[\x21-\x7e]*$/.test(valueOf(name)));
  if (wrong !== undefined) {
    throw error(`Expected one word of ASCII characters in the environment variable ${wrong}`);
  }
  const sessionToken = valueOf(TOKEN);
  return {
    accessKeyId: valueOf(ID),
    secretAccessKey: valueOf(SECRET),
    ...(sessionToken !== "" && { sessionToken }),
  };
}

/** By these a container or a profile says whose role it has: providers of the AWS SDK make keys of it. */
const ROLES = [
  ...["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI"],
  ...["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_PROFILE"],
];

function roleHint(variable: (name: string) => string | undefined): string {
  const found = ROLES.find((name) => variable(name));
  if (found === undefined) return "";
  return `; ${found} is there, which a program can use, by migrateSearch({ credentials }), and the command line ` +
    "by 'aws configure export-credentials --format env'";
}

/** What a program gives comes from code that no compiler may have seen. The message has none of its values. */
function checked(given: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = Object(given);
  const texts = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) continue;
    throw new TypeError(`expected '${name}' to be one word of ASCII characters`);
  }
  if (expiration != null && !(expiration instanceof Date && !isNaN(expiration.getTime()))) {
    throw new TypeError("expected 'expiration' to be a Date");
  }
  return { ...texts, ...(expiration != null && { expiration }) };
}
