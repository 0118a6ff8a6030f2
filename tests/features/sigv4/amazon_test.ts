/** Whole runs against a gateway that checks every signature by botocore, as Amazon OpenSearch Service does. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import {
  type AwsCredentials,
  ConnectionError,
  migrateSearch,
  MigrationRunError,
  searchHealth,
} from "../../../src/migrations/mod.ts";
import { AWS as KEY, type AwsSettings } from "../../../src/features/sigv4/settings.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { awsSigner } from "../../../src/features/sigv4/sign.ts";
import { workspace } from "../../e2e/command_line.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { faultProxy, type Passing } from "../../servers/fault_proxy.ts";
import { ask, clusterTest, PLAIN_CLUSTERS } from "../../servers/real.ts";
import { signaturesByBotocore, startSignedGateway } from "./signed_gateway.ts";
import { apply, connectionTo, type Environment } from "../../migrations/search/runner.ts";

const REGION = "eu-central-1";
const KEYS = {
  accessKeyId: "ASIAEXAMPLE0123456",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "IQoJb3JpZ2luX2VjEPT//////////wEXAMPLE+token/of/the/tests==",
};
const AWS: AwsSettings = {
  region: REGION,
  service: "es",
  error: (message) => new ConfigError(message),
};
const GATEWAY = { region: REGION, keys: [KEYS] };

function signedTo(hosts: string | readonly string[], settings = AWS): SearchConnection {
  return { ...connectionTo(...[hosts].flat()), offers: [KEY.offer(settings)], timeoutMs: 30_000 };
}

function withKeys(keys: AwsCredentials = KEYS): Environment {
  return { credentials: () => keys };
}

const envelope = (method: string, path: string, body?: unknown) =>
  JSON.stringify({ method, path, ...(body !== undefined && { body }) });

/** Ids of documents as a path writes them, and as they are meant. */
const IDS: readonly (readonly [written: string, meant: string])[] = [
  ["a%20b", "a b"],
  ["a%2Fb", "a/b"],
  ["a+b", "a+b"],
  ["a%2Bb", "a+b"],
  ["a*b", "a*b"],
  ["(a)!'~$&,;=:@", "(a)!'~$&,;=:@"],
  ["äö", "äö"],
  ["%E1%88%B4", "ሴ"],
  ["😀", "😀"],
];

for (const cluster of PLAIN_CLUSTERS) {
  clusterTest(cluster, "a run signs every request of every kind", async () => {
    const name = `aws${crypto.randomUUID().slice(0, 8)}`;
    try {
      await using gateway = await startSignedGateway(cluster.url, GATEWAY);
      const tree = {
        [`01/${name}-template.json`]: `{"index_patterns":["${name}-t*"],"priority":7}`,
        [`02/${name}.json`]: '{"settings":{"number_of_replicas":0}}',
        "03.json": envelope("PUT", `/<${name}-{now/d{yyyy.MM|+12:00}}>`, {}),
        "04.json": envelope("PUT", `/${name}/_doc/1`, { name: "Grüße 😀" }),
        "05.json": envelope("PUT", `/${name}/_doc/1?if_seq_no=0&if_primary_term=1&refresh`, {
          name: "x",
        }),
        "06.json": envelope("POST", `/${name}/_bulk?refresh=true`, [
          { index: { _id: "bulk ä" } },
          { name: "of a bulk" },
        ]),
        ...Object.fromEntries(
          IDS.map(([id], number) => [
            `07/${number}.json`,
            envelope("PUT", `/${name}/_doc/${id}?routing=r`, { number }),
          ]),
        ),
        "08.json": envelope("GET", `/${name}*/_search?q=name:(x+OR+y)+*!'&size=1&filter_path=took`),
        "09.json": envelope("POST", `/${name}/_refresh`),
        "10.json": envelope("HEAD", `/${name}`),
      };
      const connection = { ...signedTo(gateway.url), name };
      const report = await apply(connection, tree, withKeys());
      assertEquals(report.error, undefined);
      assertEquals(
        new Set(report.results.map(({ outcome }) => outcome)),
        new Set(["applied"]),
      );
      const { json } = await ask(cluster, "GET", `/${name}/_search?size=100&_source=false`);
      const { hits: { hits } } = json as { hits: { hits: { _id: string }[] } };
      assertEquals(
        new Set(hits.map(({ _id }) => _id)),
        new Set(["1", "bulk ä", ...IDS.map(([, meant]) => meant)]),
      );
      const again = await apply(connection, tree, withKeys());
      assertEquals([again.error, again.requests], [undefined, 1]);
    } finally {
      await ask(cluster, "DELETE", `/_index_template/${name}*`);
      await ask(cluster, "DELETE", `/${name}*`);
      await ask(cluster, "POST", "/framework_migrations*/_delete_by_query?refresh", {
        query: { term: { connection: name } },
      });
    }
  });
}

Deno.test("a run creates and updates a policy by signed requests, host by host", async () => {
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, GATEWAY);
  await using proxy = await faultProxy(gateway.url);
  const connection = signedTo([proxy.url, gateway.url]);
  const policy = (text: string) => ({
    "a-policy.json": `{"policy":{"description":"${text}","default_state":"s","states":[` +
      '{"name":"s","actions":[],"transitions":[]}]}}',
  });
  assertEquals((await apply(connection, policy("first"), withKeys())).error, undefined);
  proxy.fault = {
    kind: "close",
    isDone: false,
    hits: (line) => line.startsWith("PUT /_plugins"),
    times: 2,
  };
  assertEquals((await apply(connection, policy("second"), withKeys())).error, undefined);
  const [line = ""] = double.requests.map(({ line }) => line)
    .filter((line) => line.startsWith("PUT /_plugins")).slice(-1);
  assertStringIncludes(line, "if_primary_term=");
});

const TREE = {
  "1.json": envelope("PUT", "/_index_template/a?master_timeout=1s", { index_patterns: ["a-*"] }),
};
const isPut = ({ method }: Passing) => method === "PUT";

const ALTERED: Readonly<Record<string, (request: Passing) => Partial<Passing>>> = {
  "the body": ({ body }) => {
    const altered = Buffer.from(body);
    altered[altered.length - 3]! ^= 1;
    return { body: altered };
  },
  "the query": ({ url }) => ({ url: url.replace("=1s", "=2s") }),
  "the path": ({ url }) => ({ url: url.replace("/a?", "/b?") }),
  "the method": () => ({ method: "POST" }),
  "the type": ({ headers }) => ({ headers: { ...headers, "content-type": "application/jsom" } }),
  "the host": ({ headers }) => ({ headers: { ...headers, host: "other.example.org" } }),
  "the date": ({ headers }) => ({
    headers: {
      ...headers,
      "x-amz-date": String(headers["x-amz-date"]).replace(/.Z$/, (last) => `${+last[0]! ^ 1}Z`),
    },
  }),
  "the signature": ({ headers }) => ({
    headers: {
      ...headers,
      authorization: headers.authorization!.replace(/.$/, (last) => last === "0" ? "1" : "0"),
    },
  }),
};

for (const [what, alter] of Object.entries(ALTERED)) {
  Deno.test(`a run is refused where one byte of ${what} is another`, async () => {
    await using double = startClusterDouble();
    await using gateway = await startSignedGateway(double.url, GATEWAY);
    await using proxy = await faultProxy(gateway.url);
    assertEquals((await apply(signedTo(proxy.url), {}, withKeys())).error, undefined);
    const before = double.requests.length;
    proxy.alter = (request) => isPut(request) ? alter(request) : {};
    const { error } = await apply(signedTo(proxy.url), TREE, withKeys());
    assertRefused(
      error,
      "request signature we calculated does not match",
      "a proxy must not change",
    );
    const lines = double.requests.slice(before).map(({ line }) => line);
    assertEquals(lines.filter((line) => line.includes("_index_template")), []);
  });
}

/** A refusal that names none of the secrets, although the gateway repeats them. */
function assertRefused(error: Error | undefined, ...parts: readonly string[]): void {
  assertEquals(error instanceof ConnectionError, true, String(error));
  const { message } = error!;
  for (const part of parts) assertStringIncludes(message, part);
  for (const secret of [...Object.values(KEYS), "Signature=", "Canonical"]) {
    assertEquals(message.includes(secret), false, message);
  }
}

const HOUR_MS = 3_600_000;
const REFUSED: readonly (readonly [string, Environment, AwsSettings, ...string[]])[] = [
  [
    "another secret",
    withKeys({ ...KEYS, secretAccessKey: "another" }),
    AWS,
    "request signature we calculated does not match",
    "check the secret access key",
  ],
  [
    "an unknown key",
    withKeys({ ...KEYS, accessKeyId: "AKIAOTHER" }),
    AWS,
    "security token included in the request is invalid",
    "AWS_SESSION_TOKEN",
  ],
  [
    "no session token",
    withKeys({ ...KEYS, sessionToken: undefined }),
    AWS,
    "security token included in the request is invalid",
  ],
  [
    "another region",
    withKeys(),
    { ...AWS, region: "us-east-1" },
    "Credential should be scoped to a valid region",
    "signed for the region 'us-east-1'",
  ],
  [
    "a clock that is slow",
    { ...withKeys(), now: () => Date.now() - HOUR_MS },
    AWS,
    "Signature expired",
    "the clock of this machine shows",
  ],
  [
    "a clock that is fast",
    { ...withKeys(), now: () => Date.now() + HOUR_MS },
    AWS,
    "Signature not yet current",
    "the clock of this machine shows",
  ],
];

for (const [what, environment, aws, ...parts] of REFUSED) {
  Deno.test(`a run with ${what} is refused, and says why`, async () => {
    await using double = startClusterDouble();
    await using gateway = await startSignedGateway(double.url, GATEWAY);
    const { error } = await apply(signedTo(gateway.url, aws), TREE, environment);
    assertRefused(error, "does not allow this: HTTP 403", ...parts);
    assertEquals(double.requests, []);
  });
}

Deno.test("a run that does not sign is refused with Amazon's answer to an anonymous user", async () => {
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, GATEWAY);
  const { error } = await apply(connectionTo(gateway.url), TREE);
  assertRefused(error, "HTTP 403: User: anonymous is not authorized to perform: es:ESHttpPost");
});

Deno.test("a run goes on with new credentials when those before end", async () => {
  const next = { ...KEYS, accessKeyId: "ASIANEXT0123456789", sessionToken: "next//token==" };
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, { ...GATEWAY, keys: [KEYS, next] });
  const given = [{ ...KEYS, expiration: new Date() }];
  const credentials = () => given.shift() ?? next;
  const { error } = await apply(signedTo(gateway.url), TREE, { credentials });
  assertEquals(error, undefined);
});

Deno.test("a run without credentials ends before it sends anything, and so does its health", async () => {
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, GATEWAY);
  await using space = await workspace({ "migrations/logs/1.json": TREE["1.json"] });
  const config = createConfig({
    search: {
      name: "logs",
      hosts: [gateway.url],
      auth: { type: "aws", region: REGION },
      migrations: { enabled: true },
    },
  });
  const sqlPath = `${space.path}/migrations`;
  const given = { logs: () => Promise.resolve(KEYS) };
  const failing = { logs: () => Promise.reject(new Error(`${KEYS.secretAccessKey.length} chars`)) };

  const failed = await migrateSearch({ sqlPath, credentials: failing })(config).catch((e) => e);
  assertEquals(failed instanceof MigrationRunError, true);
  assertEquals(failed.cause instanceof ConnectionError, true);
  assertStringIncludes(failed.cause.message, "Cannot get AWS credentials: 40 chars");
  assertEquals(double.requests, []);

  const misnamed = await migrateSearch({ sqlPath, credentials: { log: given.logs } })(config)
    .catch((error) => error);
  assertEquals(
    misnamed.message,
    "'credentials' names the search connection 'log', which does not exist: found 'logs'",
  );

  await migrateSearch({ sqlPath, credentials: given })(config);
  const { logs } = await searchHealth({ credentials: given })(config);
  assertEquals(await logs!.health(), { status: "UP", details: { type: "search" } });
  const { logs: down } = await searchHealth({ credentials: failing })(config);
  const { status, details } = await down!.health();
  assertEquals(status, "DOWN");
  assertStringIncludes(String(details?.error), "Cannot get AWS credentials");
});

Deno.test("irori + signs with the keys of the environment; without them it exits with 2, refused with 7", async () => {
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, GATEWAY);
  await using space = await workspace({
    "config/application.yml":
      `search:\n  - name: logs\n    hosts: [${gateway.url}]\n    auth: { type: aws }\n` +
      "    migrations: { enabled: true }\n",
    "migrations/logs/1.json": TREE["1.json"],
  });
  const env = {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    AWS_SESSION_TOKEN: KEYS.sessionToken,
  };
  const none = await space.runWith({ ...env, AWS_SECRET_ACCESS_KEY: "" }, "-m", "search");
  assertEquals(none.code, 2, none.stderr);
  assertStringIncludes(
    none.stderr,
    "application.yml:4: 'search[0].auth': Expected AWS credentials",
  );
  assertStringIncludes(none.stderr, "ones: AWS_SECRET_ACCESS_KEY must be set");

  const offline = await space.runWith({ AWS_REGION: "" }, "validate", "-m", "search");
  assertEquals(offline.code, 0, offline.stderr);

  const refused = await space.runWith({ ...env, AWS_SECRET_ACCESS_KEY: "x" }, "-m", "search");
  assertEquals(refused.code, 7, refused.stderr);
  assertStringIncludes(refused.stderr, "does not match the signature you provided");
  assertEquals(refused.stderr.includes(KEYS.sessionToken), false, refused.stderr);

  const done = await space.runWith(env, "-m", "search");
  assertEquals(done.code, 0, done.stderr);
});

Deno.test("awsSigner + gives the signatures that botocore gives, whatever path, query and body", async () => {
  const character = fc.constantFrom(
    ...["a", "Z", "0", "-", ".", "_", "~", "!", "'", "(", ")", "*", "+", ",", ";", ":", "@", "$"],
    ...["&", "=", "%20", "%2F", "%2B", "%25", "%2a", "%", "%zz", " ", "<", ">", "{", "|", "}"],
    ...["^", "`", '"', "[", "]", "\\", "ä", "ሴ", "😀"],
  );
  const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(""));
  const request = fc.record({
    method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE"),
    path: fc.array(fc.oneof(text, fc.constant("/"), fc.constant("..")), {
      maxLength: 4,
    }),
    query: fc.option(
      fc.array(fc.oneof(text, fc.tuple(text, text).map((pair) => pair.join("="))), {
        maxLength: 3,
      }),
      { nil: undefined },
    ),
    body: fc.option(fc.string({ unit: "binary" }), { nil: undefined }),
    type: fc.constantFrom("application/json", "application/x-ndjson"),
  });
  const signer = await awsSigner(AWS, { timeoutMs: 5000, credentials: () => KEYS });
  const requests = await Promise.all(
    fc.sample(request, { numRuns: 500, seed: 1 }).map(
      async ({ method, path, query, body: text, type }) => {
        const body = text?.toWellFormed();
        const url = `http://127.0.0.1:9200/${path.join("/")}${query ? `?${query.join("&")}` : ""}`;
        const headers = { ...(body !== undefined && { "Content-Type": type }) };
        const signed = await signer.sign({ method, url, headers, body });
        return { method, ...signed, ...(body !== undefined && { body }) };
      },
    ),
  );
  const signatures = requests.map(({ headers }) =>
    headers["authorization"]!.split("Signature=")[1]!
  );
  assertEquals(signatures, [...await signaturesByBotocore(requests, KEYS, REGION)]);
});
