import { assert } from "@std/assert";
import { join } from "@std/path";
import { irori, type Outcome } from "../../../e2e/command_line.ts";
import { type D1Api, d1Api } from "./api.ts";
import { variablesOf } from "./clients.ts";
import { type Project, project } from "./project.ts";

export const TREE = {
  "migrations/0001_a.sql": "CREATE TABLE a (n INTEGER);\nINSERT INTO a VALUES (1);\n",
  "migrations/0002_b.sql": "INSERT INTO a VALUES (2);\nCREATE TABLE b (n INTEGER);\n",
};
export const DONE = [{ n: 1 }, { n: 2 }];

export interface Remote extends AsyncDisposable {
  readonly api: D1Api;
  readonly id: string;
  readonly space: Project;
  run(...args: readonly string[]): Promise<Outcome>;
  /** The same with other variables; `undefined` is one that is not set. */
  runWith(
    variables: Readonly<Record<string, string | undefined>>,
    ...args: readonly string[]
  ): Promise<Outcome>;
  rows(sql: string): Record<string, unknown>[];
}

/** A project whose database is behind the double. */
export async function remote(
  database: object = {},
  tree: Readonly<Record<string, string>> = TREE,
): Promise<Remote> {
  const api = await d1Api();
  const id = api.create("main");
  const space = await project(tree, {
    url: "d1:DB?remote",
    database: { database_id: id, ...database },
  });
  const runWith: Remote["runWith"] = async (variables, ...args) => {
    const all: Readonly<Record<string, string | undefined>> = {
      ...{ NO_COLOR: "1", ...variablesOf(api), ...variables },
    };
    const own = { get: (name: string) => all[name], names: () => Object.keys(all) };
    const outcome = await irori([...args, "-c", join(space.path, "config")], own);
    const text = outcome.stdout + outcome.stderr;
    for (const token of [api.token, all.CLOUDFLARE_API_TOKEN || api.token]) {
      assert(!text.includes(token), `the token is in the output of ${args.join(" ")}: ${text}`);
    }
    return outcome;
  };
  return {
    ...{ api, id, space, runWith },
    run: (...args) => runWith({}, ...args),
    rows(sql) {
      const [{ columns, rows } = { columns: [], rows: [] }] = api.database(id).run([{ sql }]);
      return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await space[Symbol.asyncDispose]();
    },
  };
}
