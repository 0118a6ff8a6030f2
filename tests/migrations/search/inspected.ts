/** Files of tests that compare a cluster with them. */
import { classifyAll } from "../../../src/migrations/runner/prepare.ts";
import { type Tree, withSession } from "./runner.ts";

export const template = (shards: number) =>
  JSON.stringify({
    index_patterns: ["logs-*"],
    priority: 5,
    template: {
      settings: { number_of_shards: shards, index: { refresh_interval: "5s" } },
      mappings: { properties: { at: { type: "date" } } },
      aliases: { all: {} },
    },
  });

export const index = JSON.stringify({
  settings: { "index.refresh_interval": "5s", number_of_replicas: 0 },
  mappings: { properties: { host: { type: "keyword", index: true } } },
  aliases: { people: {} },
});

export const policy = (age: string) =>
  JSON.stringify({
    policy: {
      policy_id: "old",
      description: "d",
      default_state: "hot",
      states: [{ name: "hot", actions: [{ rollover: { min_index_age: age } }], transitions: [] }],
      ism_template: { index_patterns: ["logs-*"], priority: 1 },
    },
  });

export const actions = '{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}';

export const files = {
  "1/logs-template.json": template(1),
  "2/users-index.json": index,
  "3/old-policy.json": policy("1d"),
  "4/alias.json": `{"method":"POST","path":"/_aliases","body":${actions}}`,
};

/** Previews every file, whether or not it has to be applied. */
export const preview = (url: string, tree: Tree) =>
  withSession(url, tree, async ({ journal, executor }, files) => {
    const { entries } = await journal.read(files.map(({ path }) => path));
    const loaded = await executor();
    const { migrations } = await classifyAll(loaded, files);
    return await Promise.all(
      migrations.map((migration) =>
        loaded.preview(migration, entries.get(migration.file.path)?.applied)
      ),
    );
  });

export const put = (path: string, body: unknown) => JSON.stringify({ method: "PUT", path, body });

export const send = async (url: string, method: string, path: string, body?: unknown) => {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  await (await fetch(url + path, init)).body?.cancel();
};
