/** Each row of the table of checks that can be unavailable: none of them passes for want of what it needs. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exitCodeOf } from "../../src/cli/exit_code_of.ts";
import { dumpMysql } from "../../src/features/schema/dumps.ts";
import { datasourceOf } from "../features/lint/support.ts";
import { type DoubleOptions, startClusterDouble } from "../servers/cluster_double.ts";
import { workspace } from "../e2e/command_line.ts";
import { SEARCH, start } from "./advice.ts";

type Line = readonly [line: string, code: number, printed?: RegExp];

/** Runs commands in a folder with these files for one cluster. */
async function check(
  files: Readonly<Record<string, string>>,
  lines: readonly (Line | (() => void))[],
  double: DoubleOptions = {},
  config = SEARCH,
): Promise<readonly string[]> {
  await using cluster = startClusterDouble(double);
  await using space = await workspace({ "config/application.yml": config });
  await space.write("config/application.yml", config.replaceAll("CLUSTER", cluster.url));
  for (const [name, text] of Object.entries(files)) await space.write(name, text);
  for (const one of lines) {
    if (typeof one === "function") {
      one();
      continue;
    }
    const [line, code, printed] = one;
    const written = /^write (\S+) (.*)$/s.exec(line);
    if (written) {
      await space.write(written[1]!, written[2]!);
      continue;
    }
    const { stdout, stderr, ...ended } = await start(space, line);
    assertEquals(ended.code, code, `${line}: ${stdout}${stderr}`);
    if (printed) assertMatch(stderr + stdout, printed, line);
  }
  return cluster.requests.map(({ line }) => line);
}

const TEMPLATE = "migrations/live/logs-template.json";
const VALID = '{ "index_patterns": ["logs-*"] }';
const POLICY = "migrations/live/p-policy.json";
const policy = (description: string) =>
  JSON.stringify({
    policy: {
      description,
      default_state: "a",
      states: [{ name: "a" }],
      ism_template: [{ index_patterns: ["a-*"] }],
    },
  });
const answer = (status: number, text: string) =>
  Response.json({ error: { type: "e", reason: text }, status }, { status });

/** Answers in place of the double from the moment on at which `begin` is called. */
function later(start: string, response: () => Response) {
  let isOn = false;
  return {
    begin: () => void (isOn = true),
    double: {
      intercept: (line: string) => isOn && line.startsWith(start) ? response() : undefined,
    },
  };
}

/** A test of another file, by a part of its text. */
const inFile = (file: string, ...texts: readonly string[]) => async () => {
  const source = await Deno.readTextFile(`tests/${file}`);
  for (const text of texts) assertStringIncludes(source, text);
};
const WITHOUT_PACKAGES = "runtimes/unavailable_test.ts";

const OFFLINE = (lint: string) =>
  `datasource:
  - { name: main, url: "postgres://u:p@127.0.0.1/db", migrations: { enabled: true, lint: ${lint} } }
`;

async function unreadable(): Promise<void> {
  for (const status of [400, 403, 500]) {
    const { begin, double } = later(
      "GET /_index_template/logs",
      () => answer(status, "no permissions for [indices:admin/index_template/get]"),
    );
    await check({ [TEMPLATE]: VALID }, [
      ["migrate -m search", 0],
      ["drift -m search", 0, /no drift/],
      begin,
      ["drift -m search", 7, /no permissions for \[indices:admin\/index_template\/get\]/],
      ["drift -m search --json", 7],
      ["drift -m search --format github", 7, /::error /],
    ], double);
  }
}

async function unlisted(): Promise<void> {
  for (const [status, code] of [[403, 7], [500, 8]] as const) {
    const explain = "POST /_plugins/_ism/explain";
    const { begin, double } = later(explain, () => answer(status, "no"));
    const config = SEARCH.replace("true }", "true, policy_changes: apply }");
    const requests = await check(
      { [POLICY]: policy("one") },
      [
        ["migrate -m search", 0],
        begin,
        [`write ${POLICY} ${policy("two")}`, 0],
        ["migrate -m search", code, /The effect of the policy on its indices is unknown/],
        ["status --check -m search", 4],
      ],
      double,
      config,
    );
    assertEquals(requests.filter((line) => line.startsWith("PUT /_plugins")).length, 1);
  }
}

async function unlistedAliases(): Promise<void> {
  for (const [changes, code] of [["keep", 0], ["rollover", 3]] as const) {
    const { begin, double } = later("GET /_alias", () => answer(403, "no"));
    const requests = await check(
      { [TEMPLATE]: VALID },
      [
        begin,
        ["plan -m search", code, /Cannot read the indices that it reaches/],
        ["migrate -m search", code, /Cannot read the indices that it reaches/],
      ],
      double,
      SEARCH.replace("true }", `true, template_changes: ${changes} }`),
    );
    const sent = requests.filter((line) => line.startsWith("PUT /_index_template"));
    assertEquals(sent.length, code === 0 ? 1 : 0);
  }
}

async function withoutPlugins(): Promise<void> {
  const none = () =>
    Response.json({ error: "no handler found for uri [/_plugins] and method [PUT]" }, {
      status: 400,
    });
  const files = {
    [POLICY]: policy("one"),
    "migrations/live/r-role.json": '{ "cluster_permissions": ["a"] }',
    "migrations/live/s-snapshots.json": JSON.stringify({
      creation: { schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } } },
      snapshot_config: { repository: "r" },
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    await check({ [path]: text }, [
      ["migrate -m search", 8],
      ["status --check -m search", 4, /1 pending|pending/],
    ], { intercept: (line) => /_plugins|_opendistro/.test(line) ? none() : undefined });
  }
}

async function unknownUser(): Promise<void> {
  const path = "/_plugins/_security/api/rolesmapping/all_access";
  const mapping = JSON.stringify({ method: "PUT", path, body: { users: ["other"] } });
  const config = SEARCH.replace('"CLUSTER"]', '"CLUSTER"], username: admin, password: secret');
  const double: DoubleOptions = {
    intercept: (line) =>
      line.includes("/authinfo")
        ? answer(403, "no")
        : line.includes("/_security/")
        ? Response.json({ status: "OK" }, { status: line.startsWith("GET") ? 404 : 201 })
        : undefined,
  };
  const requests = await check(
    { "migrations/live/mapping.json": mapping },
    [
      ["migrate -m search", 2, /probably 'admin'[^]*'--yes'|'--yes'[^]*probably 'admin'/],
      ["migrate -m search --yes", 0],
    ],
    double,
    config,
  );
  assertEquals(requests.filter((line) => line.startsWith("PUT /_plugins/_security")).length, 1);
}

const OF_VALIBOT = `import { PostMapping, RequestBody, RestController } from "${new URL(
  "../../mod.ts",
  import.meta.url,
)}";
import * as v from "valibot";
@RestController()
export class A {
  @PostMapping("/a", RequestBody(v.object({ name: v.string() })))
  create(_value: { name: string }) {}
}
`;

const ROWS: Readonly<Record<string, () => Promise<unknown>>> = {
  "`lint: error` of files for PostgreSQL": inFile(
    WITHOUT_PACKAGES,
    '["validate", "lint: error", GRAMMAR]',
    "with 'lint: error' ends with 2 and applies nothing",
  ),
  "`lint: warn`": inFile(WITHOUT_PACKAGES, "goes on by keywords, with a notice"),
  "a statement that the grammar rejects, or that is longer than 50 kB": async () => {
    const found = /main\/1\.sql:2:1: Only the keywords were checked: .*\(unchecked-statement\)/;
    const files = { "migrations/main/1.sql": "SELECT 1;\nALTER TABLE a ADD b int SPARSE;\n" };
    await check(files, [["validate", 3, found]], {}, OFFLINE("error"));
    await check(files, [["validate", 0, found]], {}, OFFLINE("warn"));
  },
  "sizes of tables, emptiness of tables": inFile(
    "migrations/sql/locks_test.ts",
    "The types and sizes of tables are not known",
  ),
  "`schema --check`, `types` of PostgreSQL": inFile(
    WITHOUT_PACKAGES,
    '["schema --check", "schema_file: schema.sql", DUMPED]',
    '["types", "enabled: true", PGLITE]',
  ),
  "`schema`, `drift` of PostgreSQL, MySQL, MariaDB": async () => {
    await inFile(WITHOUT_PACKAGES, "schema and drift without pg_dump end with 2")();
    const failed = await dumpMysql(
      datasourceOf("mysql"),
      {
        execute: () => Promise.resolve(undefined),
      } as unknown as Parameters<typeof dumpMysql>[1],
    ).catch((error: Error) => error);
    assertMatch((failed as Error).message, /'mariadb-dump'.*'mysqldump'/);
    assertEquals(exitCodeOf(failed as Error), 2);
  },
  "`status --check`, `plan`, `drift`": async () => {
    const config =
      `${SEARCH}  - { name: gone, hosts: ["http://127.0.0.1:1"], migrations: { enabled: true } }\n`;
    await check(
      { [TEMPLATE]: VALID, "migrations/gone/x-template.json": VALID },
      [
        ["status --check -m search", 7, /gone/],
        ["plan -m search", 7, /gone/],
        ["drift -m search", 7, /gone/],
      ],
      {},
      config,
    );
  },
  "`drift` of a resource that the user may not read, or whose read the server does not answer":
    unreadable,
  "`drift --unmanaged` of a kind that the user may not list, or whose plugin is missing":
    async () => {
      const script = '{"script":{"lang":"painless","source":"1"}}';
      for (
        const [status, text] of [
          [403, "no permissions for [cluster:monitor/state]"],
          [400, "no handler found for uri [/_cluster/state] and method [GET]"],
        ] as const
      ) {
        const { begin, double } = later(
          "GET /_cluster/state",
          () => Response.json({ error: text, status }, { status }),
        );
        await check({ "migrations/live/one-script.json": script }, [
          ["migrate -m search", 0],
          begin,
          ["drift -m search", 0],
          ["drift -m search --unmanaged", 7, /script: .*no (permissions|handler)/],
        ], double);
      }
    },
  "`drift` of a policy whose plugin was removed": async () => {
    const { begin, double } = later(
      "GET /_",
      () =>
        Response.json({ error: "no handler found for uri [/_plugins] and method [GET]" }, {
          status: 400,
        }),
    );
    await check({ [POLICY]: policy("one") }, [
      ["migrate -m search", 0],
      begin,
      ["drift -m search", 5, /cannot be compared: HTTP 400: no handler found/],
    ], double);
  },
  "`drift` of a file that was edited after it was applied": async () => {
    await check({ [TEMPLATE]: VALID }, [
      ["migrate -m search", 0],
      [`write ${TEMPLATE} { "index_patterns": ["other-*"] }`, 0],
      ["drift -m search", 0, /notice: .*edited since it was applied, so this cannot be compared/],
      ["status --check -m search", 4],
    ]);
  },
  "[lock-out](cluster-configuration.md#avoiding-lock-outs) by roles and users": unknownUser,
  "[policy changes](policy-changes.md)": unlisted,
  "[template changes](template-changes.md)": unlistedAliases,
  "a policy, a role, a snapshot policy": withoutPlugins,
  "`contract --against FILE`": async () => {
    await check({}, [["contract --against absent.json", 2, /absent\.json/]]);
  },
  "`build`": inFile(WITHOUT_PACKAGES, '["build main.ts --out out.js"'),
  "[tokens](login.md#access-and-refresh-tokens) signed by a key of a key set": inFile(
    "features/security/jwks_test.ts",
    "answers 503 while the keys cannot be fetched",
    "takes cached keys while the issuer is down",
  ),
  "schemas of packages that cannot describe themselves in [OpenAPI](openapi.md)": async () => {
    const warned =
      /warning: .*schema 'a_create_body' is described as any value: export openApi\(\{ jsonSchema/i;
    await check(
      { "src/a.ts": OF_VALIBOT },
      [["openapi", 0, warned], ["contract", 0, warned]],
      {},
      "component-scan: src\n",
    );
  },
};

const PAGE = await Deno.readTextFile("docs/guide/ci.md");
const TITLES = PAGE.slice(PAGE.indexOf("## Checks that are unavailable")).split("\n")
  .filter((line) => line.startsWith("| ")).slice(2).map((line) =>
    line.split(" | ")[0]!.slice(2).trim()
  );

Deno.test("ci.md + each check that can be unavailable has a test", () => {
  assertEquals(TITLES, Object.keys(ROWS));
});

for (const [title, verify] of Object.entries(ROWS)) {
  Deno.test(`ci.md + a check that is unavailable: ${title}`, async () => {
    await verify();
  });
}
