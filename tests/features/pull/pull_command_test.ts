import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import {
  type ClusterDouble,
  type DoubleOptions,
  startClusterDouble,
} from "../../servers/cluster_double.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

const KINDS = "cluster-settings,pipelines,components,templates,policies,snapshots";
const PULL = ["pull", "-m", "search", "--kinds", KINDS];

/** A configured cluster, and a configuration for it without any file. */
async function configured(options?: DoubleOptions): Promise<
  AsyncDisposable & { readonly double: ClusterDouble; readonly space: Workspace }
> {
  const double = startClusterDouble(options);
  const put = async (path: string, body: unknown, method = "PUT") => {
    const answer = await fetch(double.url + path, { method, body: JSON.stringify(body) });
    assertEquals(answer.ok, true, await answer.text());
  };
  await put("/_component_template/base", { template: { settings: { number_of_shards: 1 } } });
  await put("/_index_template/logs", { index_patterns: ["logs-*"], composed_of: ["base"] });
  await put("/_plugins/_ism/policies/logs", {
    policy: { description: "d", default_state: "a", states: [{ name: "a" }] },
  });
  await put("/_plugins/_sm/policies/daily", {
    creation: { schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } } },
    snapshot_config: { repository: "r" },
  }, "POST");
  const space = await workspace({ "config/application.yml": connectionsTo(double.url, "logs") });
  return {
    double,
    space,
    [Symbol.asyncDispose]: async () => {
      await space[Symbol.asyncDispose]();
      await double.stop();
    },
  };
}

function connectionsTo(url: string, ...names: string[]): string {
  return `search:\n${
    names.map((name) =>
      `  - name: ${name}\n    hosts: [${url}]\n    migrations: { enabled: true }\n`
    )
      .join("")
  }`;
}

const TEMPLATE = "migrations/logs/55-templates/logs-template.json";

Deno.test("cli pull takes a cluster over: plan and drift have nothing to say afterwards", async () => {
  await using live = await configured();
  const { space, double } = live;
  const dry = await space.run(...PULL, "--dry-run");
  assertEquals([dry.code, dry.stderr], [0, ""]);
  assertEquals(
    dry.stdout,
    `logs: 4 new
  new        50-components/base-component.json  (component_template base)
  new        55-templates/logs-template.json  (index_template logs)
  new        60-policies/logs-policy.json  (policy logs)
  new        65-snapshots/daily-snapshots.json  (snapshot policy daily)
`,
  );
  const writes = double.requests.filter(({ line }) => !line.startsWith("GET"));
  const taken = await space.run(...PULL, "--baseline");
  assertEquals([taken.code, taken.stderr], [0, ""]);
  assertMatch(taken.stdout, /^logs: 4 written\n[^]*logs: 4 recorded without applying\n$/);
  assertEquals(
    await Deno.readTextFile(join(space.path, TEMPLATE)),
    `{
  "index_patterns": [
    "logs-*"
  ],
  "composed_of": [
    "base"
  ]
}
`,
  );
  const plan = await space.run("plan", "-m", "search");
  assertMatch(plan.stdout, /^logs: nothing/);
  const drift = await space.run("drift", "-m", "search");
  assertEquals(drift.code, 0, drift.stdout + drift.stderr);
  const migrate = await space.run("-m", "search");
  assertStringIncludes(migrate.stdout, "up to date, 4 unchanged (1 round trip)");
  // Nothing of the configuration was written.
  const own = double.requests.filter(({ line }) => /^(?:PUT|POST) .*(?:template|polic)/.test(line));
  assertEquals(own.length, writes.filter(({ line }) => /template|polic/.test(line)).length);
  const again = await space.run(...PULL, "--baseline", "--json");
  const { files, recorded } = JSON.parse(again.stdout);
  assertEquals(files.map(({ state }: { state: string }) => state), Array(4).fill("unchanged"));
  assertEquals(recorded, []);
});

Deno.test("cli pull replaces nothing without --yes, and then writes all or nothing", async () => {
  await using live = await configured();
  const { space } = live;
  await space.write(TEMPLATE, '{"index_patterns":["mine-*"]}');
  const refused = await space.run(...PULL);
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stdout, "  differs    55-templates/logs-template.json");
  assertEquals(
    refused.stderr,
    "error: Nothing was written: 1 file with other content would be replaced; " +
      "add '--yes' to replace, '--dry-run' to see\n",
  );
  assertEquals(
    await Deno.readTextFile(join(space.path, TEMPLATE)),
    '{"index_patterns":["mine-*"]}',
  );
  assertEquals([...Deno.readDirSync(join(space.path, "migrations/logs"))].length, 1);
  // Recorded as it was, and replaced: it is recorded again.
  assertEquals((await space.run("baseline", "-m", "search")).code, 0);
  const replaced = await space.run(...PULL, "--yes", "--baseline");
  assertEquals([replaced.code, replaced.stderr], [0, ""]);
  assertMatch(replaced.stdout, /^logs: 4 written\n[^]*4 recorded without applying/);
  assertEquals((await space.run("drift", "-m", "search")).code, 0);
});

Deno.test("cli pull tells what other files make, and what of its files cannot be written", async () => {
  await using live = await configured();
  const { space } = live;
  await space.write("migrations/logs/old/logs-template.json", '{"index_patterns":["x-*"]}');
  await space.write("migrations/logs/60-policies", "a file in place of the folder");
  const { code, stderr } = await space.run(...PULL);
  assertEquals(code, 8);
  assertMatch(stderr, /^error: logs\/60-policies\/logs-policy\.json: Cannot write the file: .*\n/);
  assertStringIncludes(
    stderr,
    "1 of 3 files are written, those before it; pull again for the rest\n",
  );
  await Deno.mkdir(join(space.path, "migrations/logs/65-snapshots/daily-snapshots.json"), {
    recursive: true,
  });
  for (const args of [PULL, [...PULL, "--dry-run"], [...PULL, "--yes"]]) {
    const taken = await space.run(...args);
    assertEquals(taken.code, 8);
    assertMatch(
      taken.stderr,
      /^error: logs\/65-snapshots\/daily-snapshots\.json: Cannot write the file: '.*' is a folder\n {2}Nothing was written\n$/,
    );
  }
  await space.remove("migrations/logs/65-snapshots");
  await space.remove("migrations/logs/60-policies");
  const rest = await space.run(...PULL);
  assertMatch(rest.stdout, /^logs: 2 written, 1 unchanged, 1 elsewhere\n/);
  assertStringIncludes(
    rest.stdout,
    "elsewhere  (index_template logs is in old/logs-template.json, which has other content)",
  );
});

Deno.test("cli pull asks to declare passwords before it records their users", async () => {
  const user = { backend_roles: ["b"], hash: "", reserved: false, hidden: false, static: false };
  await using live = await configured({
    intercept: (line) =>
      line === "GET /_plugins/_security/api/internalusers"
        ? Response.json({ "ada": user, "admin": { ...user, reserved: true }, "a.b": user })
        : undefined,
  });
  const { space } = live;
  const users = ["pull", "-m", "search", "--kinds", "users"];
  const asked = await space.run(...users, "--baseline");
  assertEquals(asked.code, 2);
  assertMatch(asked.stderr, /^error: Nothing was written or recorded: declare the secrets of/);
  const written = await space.run(...users);
  assertEquals([written.code, written.stderr], [0, ""]);
  assertStringIncludes(
    written.stdout,
    `migrations:
  placeholders:
    USER_A_B___E61D9919_PASSWORD: "\${USER_A_B___E61D9919_PASSWORD}"  # the password of user 'a.b'
    USER_ADA_PASSWORD: "\${USER_ADA_PASSWORD}"  # the password of user 'ada'
`,
  );
  assertEquals(
    await Deno.readTextFile(join(space.path, "migrations/logs/86-users/ada-user.json")),
    '{\n  "password": "${USER_ADA_PASSWORD}",\n  "backend_roles": [\n    "b"\n  ]\n}\n',
  );
  await space.write(
    "config/application.yml",
    connectionsTo(live.double.url, "logs").replace(
      "enabled: true",
      'enabled: true, placeholders: { USER_ADA_PASSWORD: "P-1", USER_A_B___E61D9919_PASSWORD: "P-2" }',
    ),
  );
  const recorded = await space.run(...users, "--baseline");
  assertEquals([recorded.code, recorded.stderr], [0, ""]);
  assertMatch(recorded.stdout, /^logs: 2 unchanged\n[^]*logs: 2 recorded without applying\n$/);
  assertMatch((await space.run("-m", "search")).stdout, /up to date, 2 unchanged/);
});

Deno.test("cli pull says what is wrong with its arguments", async () => {
  await using live = await configured();
  const { space, double } = live;
  await space.write("config/application.yml", connectionsTo(double.url, "logs", "audit"));
  const none = [...PULL, "--connection", "logs", "--match", "none", "--baseline"];
  const nothing = await space.run(...none);
  assertEquals([nothing.code, nothing.stdout], [0, "logs: nothing to pull\n"]);
  const table: [args: string[], message: RegExp][] = [
    [["pull"], /^error: Cannot pull from SQL databases: expected '-m search'\n/],
    [PULL, /^error: Expected '--connection' to select one connection: 'logs', 'audit'\n/],
    [
      [...PULL, "--connection", "x"],
      /^error: There is no connection 'x' .*: found 'logs', 'audit'/,
    ],
    [
      ["pull", "-m", "search", "--connection", "logs", "--kinds", "role"],
      /^error: Unknown kind 'role': expected one or more of 'repositories', 'cluster-settings', /,
    ],
    [
      ["pull", "-m", "search", "--connection", "logs", "--kinds", "roles"],
      /^error: Cannot read roles: http:.*no handler found for uri/,
    ],
    [
      [...PULL, "--baseline", "--dry-run"],
      /^error: Expected --baseline or --dry-run, found both\n/,
    ],
    [["pul", "-m", "search"], /^error: unknown command 'pul'\n\(Did you mean pull\?\)/],
  ];
  for (const [args, message] of table) {
    const { code, stderr } = await space.run(...args);
    assertEquals(code, 2, stderr);
    assertMatch(stderr, message);
  }
});

Deno.test("cli pull --baseline records no password that was changed and not sent", async () => {
  const user = { backend_roles: ["b"], hash: "", reserved: false, hidden: false, static: false };
  await using live = await configured({
    intercept: (line) => {
      if (!line.includes("/_plugins/_security/")) return undefined;
      return line.startsWith("GET")
        ? Response.json({ ada: user })
        : Response.json({ status: "OK", message: "done" });
    },
  });
  const { space, double } = live;
  const file = "migrations/logs/86-users/ada-user.json";
  const users = ["pull", "-m", "search", "--kinds", "users", "--baseline"];
  await space.write(file, '{"password":"one","backend_roles":["b"]}');
  assertMatch((await space.run(...users)).stdout, /1 recorded without applying/);
  await space.write(file, '{"password":"two","backend_roles":["b"]}');
  const again = await space.run(...users);
  assertEquals(again.code, 0);
  assertEquals(again.stdout.includes("recorded"), false);
  assertMatch(
    again.stderr,
    /86-users\/ada-user\.json is not recorded: its secret was changed, or may have been, since it/,
  );
  assertEquals((await space.run("-m", "search")).code, 0);
  const sent = double.requests.filter(({ line }) => line.startsWith("PUT /_plugins/_security/"));
  assertEquals(sent.map(({ body }) => JSON.parse(body).password), ["two"]);
});

Deno.test("cli pull that is killed leaves files that are whole, and goes on the next time", async () => {
  await using live = await configured();
  const { space, double } = live;
  const total = 124;
  for (let index = 4; index < total; index++) {
    const body = { template: { mappings: { _meta: { text: "x".repeat(100_000) } } } };
    const path = `${double.url}/_component_template/c${index}`;
    const answer = await fetch(path, { method: "PUT", body: JSON.stringify(body) });
    assertEquals(answer.ok, true, await answer.text());
  }
  const folder = join(space.path, "migrations/logs/50-components");
  const names = () => {
    try {
      return [...Deno.readDirSync(folder)].map(({ name }) => name);
    } catch {
      return [];
    }
  };
  for (let round = 0; round < 4; round++) {
    const before = names().length;
    const killed = space.start(...PULL);
    let hasEnded = false;
    killed.status.then(() => hasEnded = true);
    while (names().length < before + 5 + round && !hasEnded) {
      await new Promise((next) => setTimeout(next));
    }
    assertEquals(hasEnded, false);
    killed.kill("SIGKILL");
    await killed.status;
    for (const name of names().filter((name) => name.endsWith(".json"))) {
      JSON.parse(await Deno.readTextFile(join(folder, name)));
    }
  }
  // A kill between the two steps of a write leaves this.
  await Deno.writeTextFile(join(folder, ".base-component.json.part"), "{");
  const rest = await space.run(...PULL);
  assertEquals([rest.code, rest.stderr], [0, ""]);
  const again = await space.run(...PULL, "--baseline");
  assertMatch(again.stdout, new RegExp(`^logs: ${total} unchanged\n`));
  assertEquals((await space.run("drift", "-m", "search")).code, 0);
});
