/** The command line as users install it signs requests on each runtime; a gateway checks them by botocore. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { workspace } from "../e2e/command_line.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { runProgram } from "../servers/python.ts";
import { startSignedGateway } from "../features/sigv4/signed_gateway.ts";
import { builtCli } from "./built_cli.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Project } from "./project.ts";

const BIN = "node_modules/irori/bin.js";
const KEYS = {
  accessKeyId: "ASIAEXAMPLE0123456",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "token//of+the+tests==",
};
const ENVIRONMENT = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  AWS_SESSION_TOKEN: KEYS.sessionToken,
};
/** In an address, some runtimes write some of these in other ways. */
const IDS = ["a%20b", "a%2Fb", "a+b", "a*b", "(a)!'~$&,;=:@", "a^b|c", "äö", "😀"];

const built = (async () => { // One after the other: a build ends the bundler for all.
  const npm = await Project.equipped();
  return { npm, file: await builtCli(npm.path) };
})();

const COMMANDS: Readonly<
  Record<string, (folders: Awaited<typeof built>) => Command | Promise<Command>>
> = {
  "Node 22": async ({ npm }) => [...await node(22), npm.file(BIN)],
  "Node 24": async ({ npm }) => [...await node(24), npm.file(BIN)],
  "Bun": async ({ npm }) => [...await bun(), npm.file(BIN)],
  "Deno": ({ npm }) => [...DENO, npm.file(BIN)],
  "one file on Node 22": async ({ file }) => [...await node(22), file],
};

for (const [name, command] of Object.entries(COMMANDS)) {
  declare(`irori + signs its requests with ${name}`, async (folders) => {
    const { code, text, lines } = await migrate(await command(folders));
    assertEquals(code, 0, text);
    assertEquals(lines.filter((line) => line.startsWith("PUT /logs/_doc/")).length, IDS.length);
  });
}

declare("irori + asks for 'aws4fetch' on Node, where it is not installed", async ({ npm }) => {
  await Deno.rename(npm.file("node_modules/aws4fetch"), npm.file("elsewhere"));
  try {
    const { code, text, lines } = await migrate([...await node(22), npm.file(BIN)]);
    assertEquals([code, lines], [2, []], text);
    assertStringIncludes(text, "npm install aws4fetch");
  } finally {
    await Deno.rename(npm.file("elsewhere"), npm.file("node_modules/aws4fetch"));
  }
});

Deno.test.afterAll(async () => {
  const { npm } = await built;
  await npm[Symbol.asyncDispose]();
});

async function migrate([program = "", ...args]: Command) {
  await using double = startClusterDouble();
  await using gateway = await startSignedGateway(double.url, {
    region: "eu-central-1",
    keys: [KEYS],
  });
  const requests = IDS.map((id) => ({
    method: "PUT",
    path: `/logs/_doc/${id}?refresh&routing=(a+b)*!'`,
    body: { text: "Grüße 😀" },
  }));
  await using space = await workspace({
    "config/application.yml":
      `search:\n  - name: logs\n    hosts: [${gateway.url}]\n    auth: { type: aws }\n` +
      "    migrations: { enabled: true }\n",
    ...Object.fromEntries(
      requests.map((request, number) => [
        `migrations/logs/${number}.json`,
        JSON.stringify(request),
      ]),
    ),
    "migrations/logs/a-template.json": '{"index_patterns":["a-*"]}',
  });
  const options = [
    ...["-m", "search", "-c", `${space.path}/config`, "--sqlPath", `${space.path}/migrations`],
  ];
  const done = await runProgram(program, [...args, ...options], {
    cwd: space.path,
    env: ENVIRONMENT,
  });
  return { ...done, lines: double.requests.map(({ line }) => line) };
}

function declare(
  name: string,
  fn: (folders: Awaited<typeof built>) => Promise<void>,
): void {
  Deno.test({
    name,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => await fn(await built),
  });
}
