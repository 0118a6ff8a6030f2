import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { awsCredentials, awsSigner } from "../../../src/features/sigv4/sign.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { AWS, type AwsSettings } from "../../../src/features/sigv4/settings.ts";
import type { AwsCredentials, SignerOptions } from "../../../src/migrations/runner/mod.ts";
import { FEATURES } from "../all.ts";
import { load } from "../../config/support.ts";
import { VECTOR_KEYS, VECTORS } from "./sign_vectors.ts";

const AT = Date.parse("2015-08-30T12:36:00Z");
const SETTINGS: AwsSettings = {
  region: "us-east-1",
  service: "es",
  error: (message) => new ConfigError(message),
};
const KEYS: AwsCredentials = {
  accessKeyId: "AKIAEXAMPLE0123456",
  secretAccessKey: "secret/of+the/tests0123456789abcdefghij",
  sessionToken: "token//of+the+tests==",
};

function optionsWith(options: Partial<SignerOptions> = {}): SignerOptions {
  return { timeoutMs: 5000, now: () => AT, ...options };
}

for (const { name, method, target, headers = {}, body, sessionToken, signature } of VECTORS) {
  Deno.test(`awsSigner + gives the published signature of ${name}`, async () => {
    const credentials = { ...VECTOR_KEYS, ...(sessionToken !== undefined && { sessionToken }) };
    const signer = await awsSigner(
      { ...SETTINGS, service: "service" as "es" },
      optionsWith({ credentials: () => credentials }),
    );
    const url = `https://example.amazonaws.com${target}`;
    const signed = await signer.sign({ method, url, headers, body });
    assertEquals(signed.headers["authorization"]?.split("Signature=")[1], signature);
  });
}

const QUERIES: readonly (readonly [written: string, sent: string])[] = [
  ["", ""],
  ["?", ""],
  ["?pretty", "?pretty="],
  ["?q=a+b", "?q=a%20b"],
  ["?q=a%2Bb", "?q=a%2Bb"],
  ["?q=*!'()", "?q=%2A%21%27%28%29"],
  ["?q=%c3%a9", "?q=%C3%A9"],
  ["?q=ä/ö", "?q=%C3%A4%2F%C3%B6"],
  ["?b=2&a=1&a=0", "?b=2&a=1&a=0"],
  ["?&a=1&&", "?a=1"],
  ["?a=b=c", "?a=b%3Dc"],
];

for (const [written, sent] of QUERIES) {
  Deno.test(`awsSigner + sends the query '${written}' as '${sent}'`, async () => {
    const signer = await awsSigner(SETTINGS, optionsWith({ credentials: () => KEYS }));
    const url = `https://logs.es.amazonaws.com/a%2Fb/_search${written}`;
    const signed = await signer.sign({ method: "GET", url, headers: {} });
    assertEquals(signed.url, `https://logs.es.amazonaws.com/a%2Fb/_search${sent}`);
  });
}

Deno.test("awsSigner + signs the host with its port, the given headers and the token", async () => {
  const signer = await awsSigner(SETTINGS, optionsWith({ credentials: () => KEYS }));
  const { headers } = await signer.sign({
    method: "PUT",
    url: "https://Logs.example.org:9443/a",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  assertEquals(
    headers["authorization"]?.split(", ").slice(0, 2),
    [
      `AWS4-HMAC-SHA256 Credential=${KEYS.accessKeyId}/20150830/us-east-1/es/aws4_request`,
      "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token",
    ],
  );
  assertEquals(headers["x-amz-date"], "20150830T123600Z");
  assertEquals(headers["x-amz-security-token"], KEYS.sessionToken);
});

Deno.test("awsSigner + takes credentials and signatures out of texts", async () => {
  const signer = await awsSigner(SETTINGS, optionsWith({ credentials: () => KEYS }));
  const { headers } = await signer.sign({ method: "GET", url: "https://h/", headers: {} });
  const { accessKeyId, secretAccessKey, sessionToken } = KEYS;
  const authorization = headers["authorization"]!;
  const signature = authorization.slice(-64);
  const text = signer.redact(
    `Authorization: ${authorization}; Signature=${signature}; ${accessKeyId} ${secretAccessKey} ${sessionToken} ` +
      `${encodeURIComponent(sessionToken!)} ${JSON.stringify({ authorization })}; region us-east-1`,
  );
  for (const secret of [accessKeyId, secretAccessKey, sessionToken!, signature]) {
    assertEquals(text.includes(secret), false, text);
  }
  assertStringIncludes(text, "region us-east-1");
});

Deno.test("awsSigner + goes on hiding credentials that were replaced", async () => {
  const given = [{ ...KEYS, expiration: new Date(AT) }, { ...KEYS, accessKeyId: "ASIANEXT0123" }];
  const signer = await awsSigner(SETTINGS, optionsWith({ credentials: () => given.shift()! }));
  for (let time = 0; time < 2; time++) {
    await signer.sign({ method: "GET", url: "https://h/", headers: {} });
  }
  assertEquals(signer.redact("AKIAEXAMPLE0123456 ASIANEXT0123"), "*** ***");
});

const REGIONS: readonly (readonly [Record<string, string>, string | undefined, string])[] = [
  [{ AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "eu-west-2" }, "us-gov-east-1", "us-gov-east-1"],
  [{ AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "eu-west-2" }, undefined, "eu-west-1"],
  [{ AWS_REGION: "", AWS_DEFAULT_REGION: "eu-west-2" }, undefined, "eu-west-2"],
];

for (const [variables, region, expected] of REGIONS) {
  Deno.test(`awsSigner + takes ${expected} of ${region} and ${JSON.stringify(variables)}`, async () => {
    const { region: _, ...others } = SETTINGS;
    const signer = await awsSigner(
      { ...others, ...(region !== undefined && { region }) },
      optionsWith({ credentials: () => KEYS, variable: (name) => variables[name] }),
    );
    const { headers } = await signer.sign({ method: "GET", url: "https://h/", headers: {} });
    assertStringIncludes(headers["authorization"]!, `/20150830/${expected}/es/`);
  });
}

Deno.test("awsSigner + refuses to sign without a region, or for what is none", async () => {
  const { region: _, ...settings } = SETTINGS;
  for (const AWS_REGION of ["", "Frankfurt"]) {
    const variable = (name: string) => ({ AWS_REGION })[name];
    const options = optionsWith({ credentials: () => KEYS, variable });
    const { message } = await assertRejects(() => awsSigner(settings, options), ConfigError);
    assertStringIncludes(
      message,
      AWS_REGION === "" ? "nor the environment variable AWS_REGION" : "found 'Frankfurt'",
    );
  }
});

const ENVIRONMENTS: readonly (readonly [Record<string, string>, string])[] = [
  [{}, "ones: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set"],
  [{ AWS_ACCESS_KEY_ID: "AKIA" }, "ones: AWS_SECRET_ACCESS_KEY must be set"],
  [
    { AWS_WEB_IDENTITY_TOKEN_FILE: "/var/run/secrets/token" },
    "AWS_WEB_IDENTITY_TOKEN_FILE is set: a program can use it with migrateSearch({ credentials })",
  ],
  [
    { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "word" },
    "ones: AWS_ACCESS_KEY_ID must be set",
  ],
  [
    { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "two words" },
    "ASCII characters without spaces in the environment variable AWS_SECRET_ACCESS_KEY",
  ],
];

for (const [variables, expected] of ENVIRONMENTS) {
  Deno.test(`awsCredentials + refuses ${JSON.stringify(variables)} at once`, () => {
    const options = optionsWith({ variable: (name) => variables[name] });
    const { message } = assertThrows(() => awsCredentials(SETTINGS, options), ConfigError);
    assertStringIncludes(message, expected);
    assertEquals(message.includes("two words"), false);
  });
}

Deno.test("awsCredentials + reads the environment for every request", async () => {
  const variables: Record<string, string> = {
    AWS_ACCESS_KEY_ID: "AKIA\n",
    AWS_SECRET_ACCESS_KEY: "word\n",
  };
  const read = awsCredentials(SETTINGS, optionsWith({ variable: (name) => variables[name] }));
  assertEquals(await read(), { accessKeyId: "AKIA", secretAccessKey: "word" });
  variables.AWS_SESSION_TOKEN = "token";
  assertEquals((await read()).sessionToken, "token");
});

Deno.test("awsCredentials + calls a function once, and again a minute before its credentials end", async () => {
  let now = AT;
  let calls = 0;
  const read = awsCredentials(SETTINGS, {
    timeoutMs: 5000,
    now: () => now,
    credentials: () => ({
      ...KEYS,
      accessKeyId: `AKIA${++calls}`,
      expiration: new Date(now + 600_000),
    }),
  });
  const ids = async () => (await Promise.all([read(), read()])).map((keys) => keys.accessKeyId);
  assertEquals(await ids(), ["AKIA1", "AKIA1"]);
  now += 539_999;
  assertEquals(await ids(), ["AKIA1", "AKIA1"]);
  now += 1;
  assertEquals(await ids(), ["AKIA1", "AKIA1"]); // Valid for a minute more, so no request waits.
  await new Promise((resolve) => setTimeout(resolve)); // For the answer to come in.
  assertEquals([await ids(), calls], [["AKIA2", "AKIA2"], 2]);
  now += 600_000;
  assertEquals(await ids(), ["AKIA3", "AKIA3"]);
});

Deno.test("awsCredentials + uses credentials to their end where there are no new ones", async () => {
  let now = AT;
  let isDown = false;
  const read = awsCredentials(SETTINGS, {
    timeoutMs: 5000,
    now: () => now,
    credentials: () => {
      if (isDown) throw new Error("no route to 169.254.169.254");
      return { ...KEYS, expiration: new Date(AT + 120_000) };
    },
  });
  assertEquals((await read()).accessKeyId, KEYS.accessKeyId);
  isDown = true;
  now += 119_999;
  assertEquals((await read()).accessKeyId, KEYS.accessKeyId);
  now += 1;
  const { message } = await assertRejects(read, Error);
  assertEquals(message, "Cannot get AWS credentials: no route to 169.254.169.254");
});

const WRONG: readonly (readonly [given: unknown, expected: string])[] = [
  [undefined, "expected 'accessKeyId' to be ASCII characters without spaces"],
  [{ accessKeyId: "AKIA" }, "expected 'secretAccessKey' to be ASCII characters without spaces"],
  [
    { ...KEYS, secretAccessKey: "hidden\nword" },
    "expected 'secretAccessKey' to be ASCII characters without spaces",
  ],
  [{ ...KEYS, sessionToken: 5 }, "expected 'sessionToken' to be ASCII characters without spaces"],
  [{ ...KEYS, expiration: "2026-01-01" }, "expected 'expiration' to be a Date"],
  [{ ...KEYS, expiration: new Date("soon") }, "expected 'expiration' to be a Date"],
];

for (const [given, expected] of WRONG) {
  Deno.test(`awsCredentials + refuses a function's ${JSON.stringify(given)}`, async () => {
    const credentials = () => given as AwsCredentials;
    const read = awsCredentials(SETTINGS, optionsWith({ credentials }));
    const { message } = await assertRejects(read, Error);
    assertStringIncludes(message, `Cannot get AWS credentials: ${expected}`);
    assertEquals(message.includes("hidden"), false);
  });
}

Deno.test("awsCredentials + does not wait for ever for a function", async () => {
  const credentials = () => new Promise<AwsCredentials>(() => {});
  const read = awsCredentials(SETTINGS, { credentials, timeoutMs: 20 });
  const { message } = await assertRejects(read, Error);
  assertEquals(message, "Cannot get AWS credentials: it took longer than 0.02 s");
});

/** The connection as it is read. */
function connectionWith(entries: ConfigMap) {
  const search = { name: "logs", hosts: ["https://h"], ...entries };
  return readSearchConnections(createConfig({ search }), FEATURES)[0]!;
}

Deno.test("readSearchConnections reads 'auth', with its defaults", () => {
  assertEquals(AWS.of(connectionWith({})), undefined);
  assertEquals(AWS.of(connectionWith({ auth: null })), undefined);
  const { error: _, ...short } = AWS.of(connectionWith({ auth: { type: "aws" } }))!;
  assertEquals(short, { service: "es" });
  const auth = { type: "aws", region: "eu-central-1", service: "es" };
  const { error: __, ...long } = AWS.of(connectionWith({ auth, username: null }))!;
  assertEquals(long, { service: "es", region: "eu-central-1" });
});

const REFUSED: readonly (readonly [ConfigMap, key: string, message: string])[] = [
  [{ auth: "aws" }, "auth", "Expected a map of 'type', 'region', 'service'"],
  [{ auth: {} }, "auth.type", "Expected 'aws', found nothing"],
  [{ auth: { type: "gcp" } }, "auth.type", "Expected 'aws', found 'gcp'"],
  [{ auth: { type: "aws", regoin: "x" } }, "auth.regoin", "There is no setting 'regoin'"],
  [
    { auth: { type: "aws", region: "EU central" } },
    "auth.region",
    "Expected a region, such as eu-central-1, found 'EU central'",
  ],
  [{ auth: { type: "aws", service: "s3" } }, "auth.service", "Expected 'es', found 's3'"],
  [{ auth: { type: "aws", service: "aoss" } }, "auth.service", "Serverless ('aoss')"],
  ...["username", "password", "api_key", "bearer_token"].map((key) =>
    [
      { auth: { type: "aws" }, [key]: "hidden" },
      key,
      "Expected no other credentials, because 'auth' signs requests",
    ] as const
  ),
  [
    { auth: { type: "aws" }, hosts: ["https://a", "https://ada:hidden@b"] },
    "hosts[1]",
    "Expected a URL without credentials, because 'auth' signs requests",
  ],
];

for (const [entries, key, message] of REFUSED) {
  Deno.test(`readSearchConnections refuses ${JSON.stringify(entries)}`, () => {
    const error = assertThrows(() => connectionWith(entries), ConfigError);
    assertEquals(error.key, `search.${key}`);
    assertStringIncludes(error.message, message);
    assertEquals(error.message.includes("hidden"), false);
  });
}

Deno.test("readSearchConnections lets the signer name the place in the configuration", async () => {
  const config = await load({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: [http://h]\n    auth: { type: aws }\n",
  });
  const [connection] = readSearchConnections(config, FEATURES);
  const { message } = await assertRejects(
    () => awsSigner(AWS.of(connection!)!, { timeoutMs: 5000 }),
    ConfigError,
  );
  assertStringIncludes(message, "application.yml:4: 'search[0].auth': Expected a 'region'");
});

const EXPLAINED: readonly (readonly [said: string, explanation: string | undefined])[] = [
  [
    "HTTP 403: Signature expired: 20150830T123600Z is now earlier than 20150830T131000Z",
    "a signature is valid for five minutes, and the clock of this machine shows 2015-08-30T12:36:00.000Z",
  ],
  [
    "HTTP 403: The security token included in the request is expired",
    "check AWS_ACCESS_KEY_ID and AWS_SESSION_TOKEN: temporary credentials expire",
  ],
  [
    "HTTP 403: Credential should be scoped to a valid region, not 'eu-west-1'.",
    "it was signed for the region 'us-east-1'",
  ],
  [
    "HTTP 401: Your request: '/_cluster/reroute' is not allowed.",
    "Amazon OpenSearch Service does not offer it",
  ],
  ["HTTP 403: User: arn:aws:iam::1:role/a is not authorized to perform: es:ESHttpPut", undefined],
  ["HTTP 403: security_exception: no permissions for [indices:admin/create]", undefined],
];

for (const [said, explanation] of EXPLAINED) {
  Deno.test(`awsSigner + explains '${said}'`, async () => {
    const signer = await awsSigner(SETTINGS, optionsWith({ credentials: () => KEYS }));
    assertEquals(signer.explain(said), explanation);
  });
}
