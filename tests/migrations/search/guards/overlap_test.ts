import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { classify } from "../../../../src/migrations/search/files/classify.ts";
import { checkTogether, overlap } from "../../../../src/migrations/search/guards/overlap.ts";
import { loadedFile } from "../../runner/memory.ts";

Deno.test("overlap finds whether two patterns have an index in common", () => {
  const table: [string, string, boolean][] = [
    ["logs-*", "logs-app-*", true],
    ["logs-*", "metrics-*", false],
    ["*-prod", "logs-*", true],
    ["a", "a", true],
    ["a", "b", false],
    ["a*b", "a*c", false],
    ["*", "anything", true],
    ["sf-events*", "sf-events-audit*", true],
    ["", "*", true],
  ];
  for (const [a, b, expected] of table) {
    assertEquals([overlap(a, b), overlap(b, a)], [expected, expected], `${a} ${b}`);
  }
});

Deno.test("overlap agrees with trying every short text", () => {
  const texts = [""];
  for (const text of texts) {
    if (text.length < 4) texts.push(...["a", "b"].map((letter) => text + letter));
  }
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 4 });
  fc.assert(fc.property(pattern, pattern, (a, b) => {
    const [first, second] = [a, b].map((p) => new RegExp(`^${p.replaceAll("*", ".*")}$`));
    // Patterns of four have a common text of at most six letters, if any.
    const long = texts.flatMap((text) =>
      texts.filter((t) => t.length < 3).map((end) => text + end)
    );
    assertEquals(overlap(a, b), long.some((text) => first!.test(text) && second!.test(text)));
  }));
});

Deno.test("checkTogether names templates that collide at one priority, and files for one resource", async () => {
  const files = await Promise.all([
    loadedFile("1/sf-events-template.json", '{"template":{}}'),
    loadedFile("2/sf-events-audit-template.json", '{"template":{}}'),
    loadedFile("3/sf-events-high-template.json", '{"priority":5,"template":{}}'),
    loadedFile("4/sf-events-template.json", '{"template":{}}'),
  ]);
  const problems = checkTogether({ name: "logs" }, files.map((file) => classify(file, "reapply")));
  assertEquals(problems.map(({ severity, path }) => [severity, path]), [
    ["warning", "4/sf-events-template.json"],
    ["error", "2/sf-events-audit-template.json"],
    ["error", "4/sf-events-template.json"],
  ]);
  assertMatch(
    problems[1]!.message,
    /'sf-events\*' and 'sf-events-audit\*' of '1\/sf-events-template\.json'.*priority \(0\)/,
  );
});

const policy = (ism_template: unknown) =>
  JSON.stringify({ policy: { default_state: "a", states: [{ name: "a" }], ism_template } });

Deno.test("checkTogether names policies whose templates collide, as index state management refuses them", async () => {
  const files = await Promise.all([
    loadedFile("1-policy.json", policy([{ index_patterns: ["e*"], priority: 7 }])),
    loadedFile("2-policy.json", policy({ index_patterns: ["ee-*"], priority: 8 })),
    loadedFile("3-policy.json", policy([{ index_patterns: ["ee-1*"], priority: 7 }])),
    loadedFile(
      "4-policy.json",
      policy([{ index_patterns: ["y-*"] }, { index_patterns: ["y-1*"] }]),
    ),
    loadedFile("5-policy.json", policy([{ index_patterns: ["e*", "-ee*"], priority: 7 }])),
    loadedFile("6-policy.json", policy(null)),
    loadedFile("e-template.json", '{"priority":7,"template":{}}'),
  ]);
  const problems = checkTogether({ name: "logs" }, files.map((file) => classify(file, "reapply")));
  assertEquals(problems.map(({ severity, path }) => [severity, path]), [
    ["error", "3-policy.json"],
    ["error", "4-policy.json"],
  ]);
  assertMatch(problems[0]!.message, /'e\*' and 'ee-1\*' of '1-policy\.json' and this file/);
  assertMatch(problems[1]!.message, /'y-\*' and 'y-1\*' of this file match .*priority \(0\)/);
});

Deno.test("checkTogether shows the name of a resource that two files make as it is", async () => {
  const files = await Promise.all([
    loadedFile("order_items.json", '{"settings":{}}'),
    loadedFile("1/order_items.json", '{"settings":{}}'),
    loadedFile("a b-role.json", '{"cluster_permissions":[]}'),
    loadedFile("1/a b-role.json", '{"cluster_permissions":[]}'),
  ]);
  const problems = checkTogether({ name: "logs" }, files.map((file) => classify(file, "reapply")));
  assertEquals(problems.map(({ message }) => message), [
    "Makes the index order_items that 'order_items.json' makes too: the first one counts",
    "Makes the role a b that 'a b-role.json' makes too: the last one counts",
  ]);
});

Deno.test("checkTogether tells of an index whose file is named like something else", async () => {
  const file = await loadedFile("app-component.json", '{"settings":{}}');
  const [problem, ...others] = checkTogether({ name: "logs" }, [classify(file, "reapply")]);
  assertEquals([problem?.severity, others], ["warning", []]);
  assertMatch(problem!.message, /^Makes the index of '\/app-component', .* ends with '-component'/);
});

Deno.test("checkTogether names settings that two files say otherwise", async () => {
  const files = [
    ["1-cluster-settings.json", '{"persistent":{"search.max_buckets":1,"a.b":1}}'],
    ["2-cluster-settings.json", '{"persistent":{"search":{"max_buckets":2},"a.b":"1"}}'],
  ] as const;
  const migrations = await Promise.all(
    files.map(async ([path, text]) => classify(await loadedFile(path, text), "reapply")),
  );
  const [problem, ...others] = checkTogether({ name: "logs" }, migrations);
  assertEquals([problem?.path, others], ["2-cluster-settings.json", []]);
  assertMatch(problem!.message, /^Sets 'persistent\.search\.max_buckets' of the cluster settings/);
});

Deno.test("checkTogether reads priorities as clusters do, and names without a resource as none", async () => {
  const template = (priority: string) => `{"index_patterns":["a-*"],"priority":${priority}}`;
  const found = async (...files: [path: string, text: string][]) => {
    const loaded = await Promise.all(files.map(([path, text]) => loadedFile(path, text)));
    return checkTogether({ name: "c" }, loaded.map((file) => classify(file, "reapply"))).length;
  };
  assertEquals(await found(["a-template.json", template('"200"')], ["b.json", template("0")]), 0);
  assertEquals(await found(["a-template.json", template('"2e2"')], ["b.json", template("200")]), 1);
  assertEquals(await found(["user.json", '{"mappings":{}}'], ["tenant.json", '{"aliases":{}}']), 0);
});
