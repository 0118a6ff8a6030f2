import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { type Outcome, workspace } from "./command_line.ts";

const configuration = (url: string, replicas: number) => `
search:
  - name: logs
    hosts: ['${url}']
    migrations:
      enabled: true
      placeholders: { replicas: ${replicas}, api_token: "\${TOKEN}" }
`;
const TEMPLATE = "migrations/logs/logs-template.json";
const template = `{
  "index_patterns": ["logs-*"],
  "template": { "settings": { "number_of_replicas": "\${replicas}" } },
  "_meta": { "hook": "https://hooks.example/\${api_token}" }
}
`;

Deno.test("cli fills placeholders, applies files again for other values, and shows no secret", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": configuration(double.url, 1),
    [TEMPLATE]: template,
  });
  const outcomes: Outcome[] = [];
  const cli = async (token: string, ...args: string[]) => {
    const outcome = await space.runWith({ TOKEN: token }, "-m", "search", ...args);
    outcomes.push(outcome);
    return outcome;
  };
  assertEquals((await cli("tok-one-1")).code, 0);
  assertEquals((await cli("tok-one-1", "status", "--check")).code, 0);
  assertEquals((await cli("tok-one-1", "drift")).code, 0);

  await space.write("config/application.yml", configuration(double.url, 2));
  assertMatch((await cli("tok-one-1", "status")).stdout, /changed {6}logs-template\.json/);
  const plan = await cli("tok-one-1", "plan");
  assertStringIncludes(plan.stdout, '"number_of_replicas": 2');
  assertStringIncludes(plan.stdout, "https://hooks.example/${api_token}");
  assertStringIncludes(
    plan.stdout,
    "logs is sent again: the values of its placeholders ('${replicas}') were changed",
  );
  assertEquals((await cli("tok-one-1", "--json")).code, 0);

  const rotated = await cli("tok-two-2");
  assertMatch(
    rotated.stderr + rotated.stdout,
    /'\$\{api_token\}' has changed since it was applied/,
  );
  const drift = await cli("tok-two-2", "drift");
  assertEquals(drift.code, 5);
  await cli("tok-two-2", "drift", "--json");
  const retried = await cli("tok-two-2", "resolve", "logs-template.json", "--retry");
  assertMatch(retried.stdout, /the next run applies it\n.*another value of a secret/);
  assertEquals((await cli("tok-two-2")).code, 0);
  assertEquals((await cli("tok-two-2", "drift")).code, 0);
  const { index_templates: [live] } = await (await fetch(`${double.url}/_index_template/logs`))
    .json();
  assertEquals(live.index_template._meta, { hook: "https://hooks.example/tok-two-2" });

  await space.write(TEMPLATE, template.replace("logs-*", "Logs-${api_token}"));
  const invalid = await cli("tok-two-2", "validate");
  assertEquals(invalid.code, 3);
  assertMatch(
    invalid.stdout + invalid.stderr,
    /logs-template\.json:2:21: .*\n.*2 \| .*Logs-\$\{api_token\}/,
  );

  for (const { stdout, stderr } of outcomes) {
    assertEquals(/tok-(?:one|two)/.test(stdout + stderr), false, stdout + stderr);
  }
});

Deno.test("cli names file, line and key of a placeholder that cannot be filled", async () => {
  await using space = await workspace({
    "config/application.yml": configuration("http://127.0.0.1:9", 1),
    [TEMPLATE]: template,
  });
  const { code, stderr } = await space.run("-m", "search", "validate");
  assertEquals(code, 2);
  assertMatch(stderr, /application\.yml:7: '.*placeholders\.api_token': Cannot fill '\$\{TOKEN\}'/);
});
