import { assertEquals, assertMatch } from "@std/assert";
import { InterruptedError, LockedError } from "../../src/migrations/runner/mod.ts";
import type { SearchConnection } from "../../src/migrations/search/mod.ts";
import {
  apply,
  type Environment,
  recorded,
  resolved,
  withSession,
} from "../migrations/search/runner.ts";
import { drifted } from "../features/drift/support.ts";
import { fileOf } from "../migrations/runner/memory.ts";

/** A cluster for {@linkcode searchClusterCases}. */
export interface Cluster {
  /** A connection of a name that no other case has; resources on the cluster start with that name. */
  readonly connection: SearchConnection;
  readonly environment: Environment;
  /** A request past the runner. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  /** Requests so far, `PUT /x`. */
  readonly requests: readonly string[];
}

interface Case {
  readonly name: string;
  readonly run: (cluster: Cluster) => Promise<void>;
}

/** The contract of the runner with any cluster. */
export const searchClusterCases: readonly Case[] = [
  {
    name: "applies every kind of file once, by r + 1 + 2k requests",
    run: async (cluster) => {
      const first = await applyTo(cluster, mixed(cluster));
      assertEquals(first.error, undefined);
      assertEquals(first.results.map(({ outcome }) => outcome), Array(4).fill("applied"));
      const promised = cluster.requests.filter((line) => !OUTSIDE.test(line));
      // Read, lock, two for each file, one for the existence of the index.
      assertEquals(promised.length, 1 + 1 + 2 * 4 + 1, promised.join("\n"));
      assertEquals((await applyTo(cluster, mixed(cluster))).requests, 1);
    },
  },
  {
    name: "applies a changed template again, and leaves a live index as it is",
    run: async (cluster) => {
      await applyTo(cluster, mixed(cluster));
      const { results, error } = await applyTo(cluster, mixed(cluster, 2));
      assertEquals(error, undefined);
      assertEquals(results.map(({ outcome }) => outcome), [
        "reapplied",
        "reapplied",
        "skipped",
        "skipped",
      ]);
      assertMatch(results[1]!.note!, /exists already/);
      const { name } = cluster.connection;
      const template = JSON.stringify(
        (await cluster.ask("GET", `/_index_template/${name}-a`)).json,
      );
      const index = JSON.stringify((await cluster.ask("GET", `/${name}-bb`)).json);
      assertMatch(template, /"refresh_interval":"2s"/);
      assertMatch(index, /"refresh_interval":"1s"/);
    },
  },
  {
    name: "stops at the first failure with the cluster's reason, and goes on from there",
    run: async (cluster) => {
      const { name } = cluster.connection;
      const files = { ...mixed(cluster), "2.json": put(`/${name}-nope/_mapping`, {}) };
      const { results, error } = await applyTo(cluster, files);
      assertMatch(
        error!.message,
        new RegExp(
          `${
            cluster.connection.hosts[0]
          } refused PUT /${name}-nope/_mapping: HTTP 404: index_not_found`,
        ),
      );
      const outcomes = results.map(({ outcome }) => outcome);
      assertEquals(outcomes, ["failed", ...Array(4).fill("not run")]);
      const again = await applyTo(cluster, mixed(cluster));
      assertEquals(again.error, undefined);
    },
  },
  {
    name: "finds the index by its name when the records are lost",
    run: async (cluster) => {
      await applyTo(cluster, mixed(cluster));
      const { name } = cluster.connection;
      // Another connection has no records, as this one would without its index of records.
      const other = { ...cluster, connection: { ...cluster.connection, name: `${name}y` } };
      const { error, results } = await applyTo(other, mixed(cluster));
      assertEquals(error, undefined);
      assertMatch(results[1]!.note!, /exists already/);
      assertMatch(results[3]!.note!, /exists already/);
    },
  },
  {
    name: "lets one of several runs do the work",
    run: async (cluster) => {
      const reports = await Promise.all(
        // The last one waits for both others.
        ["a", "b", "c"].map((owner) => {
          return applyTo(cluster, mixed(cluster), { owner, lockTimeoutMs: 10_000 });
        }),
      );
      assertEquals(reports.map(({ error }) => error), [undefined, undefined, undefined]);
      const { name } = cluster.connection;
      const sent = cluster.requests.filter((line) => line === `PUT /${name}-bb`);
      assertEquals(sent.length, 1);
    },
  },
  {
    name: "waits for a run that holds the lock, then says who it is",
    run: async (cluster) => {
      const { name } = cluster.connection;
      let release = () => {};
      const holding = new Promise<void>((done) => release = done);
      let started = () => {};
      const held = new Promise<void>((done) => started = done);
      const first = withSession(cluster.connection, {}, async ({ journal }) => {
        await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
        started();
        await holding;
        await journal.unlock();
      }, { ...cluster.environment, owner: "holder", leaseMs: 1500 });
      await held;
      // It sees the holder's sign of life, and then does not wait for the lease to run out.
      const { error } = await applyTo(cluster, mixed(cluster), { lockTimeoutMs: 200 });
      release();
      await first;
      assertEquals(error instanceof LockedError && error.owner, "holder");
      assertMatch(String(error), new RegExp(`lock of '${name}': holder, until `));
      assertEquals((await applyTo(cluster, mixed(cluster))).error, undefined);
    },
  },
  {
    name: "takes over after a lease that ran out, and asks about a raw POST",
    run: async (cluster) => {
      const files = { "1.json": post(cluster) };
      // As a process that was killed: the lock is taken and never given back.
      await withSession(cluster.connection, files, async ({ journal }) => {
        const { hash } = await fileOf("1.json", files["1.json"]);
        const attempt = { hash, state: "announced", repeatSafe: false, owner: "x" } as const;
        const state = await journal.read(["1.json"]);
        await journal.lock(state, () => Promise.resolve(new Map([["1.json", attempt]])));
      }, { ...cluster.environment, leaseMs: 60_000 });
      const { error } = await applyTo(cluster, files, { leaseMs: 1000 });
      assertEquals(error instanceof InterruptedError, true, String(error));
      await resolved(cluster.connection, files, "1.json", "applied", {
        ...cluster.environment,
        leaseMs: 1000,
      });
      const { results } = await applyTo(cluster, files);
      assertEquals(results.map(({ outcome }) => outcome), ["skipped"]);
    },
  },
  {
    name: "finds no drift right after a run, and finds what was changed by hand",
    run: async (cluster) => {
      await applyTo(cluster, mixed(cluster));
      const { connection, environment } = cluster;
      assertEquals(await drifted(connection, mixed(cluster), environment), []);
      const change = { index: { refresh_interval: "9s" } };
      await cluster.ask("PUT", `/${connection.name}-bb/_settings`, change);
      const [drift] = await drifted(connection, mixed(cluster), environment);
      assertEquals(drift!.differences, [
        { path: "settings.index.refresh_interval", wanted: "1s", live: "9s" },
      ]);
    },
  },
  {
    name: "records a baseline that the next run believes",
    run: async (cluster) => {
      const { connection, environment } = cluster;
      await recorded(connection, mixed(cluster), {}, environment);
      assertEquals((await applyTo(cluster, mixed(cluster))).requests, 1);
      await withSession(connection, {}, async ({ journal }) => {
        assertEquals((await journal.list()).size, 4);
      }, environment);
    },
  },
];

/** Creating the runner's own indices, and the one look for records of other programs. */
const OUTSIDE = /^PUT \/framework_migrations|_search/;

const put = (path: string, body: unknown) => JSON.stringify({ method: "PUT", path, body });

function post({ connection: { name } }: Cluster): string {
  const actions = [{ add: { index: `${name}-none`, alias: `${name}-alias` } }];
  return JSON.stringify({ method: "POST", path: "/_aliases", body: { actions } });
}

/** Fields with parameters as people write them, of which a cluster leaves out what is the default. */
const properties = {
  "host.name": { type: "keyword", index: true, doc_values: true, store: false, ignore_above: 256 },
  text: {
    type: "text",
    norms: true,
    analyzer: "plain",
    index_options: "positions",
    copy_to: "all",
    fields: { raw: { type: "keyword", norms: false, eager_global_ordinals: false } },
  },
  all: { type: "text", fielddata: false },
  object: { type: "object", enabled: true, dynamic: "strict", properties: {} },
  nested: { type: "nested", include_in_parent: false, properties: { n: { type: "long" } } },
  count: { type: "integer", coerce: true, ignore_malformed: false, null_value: 0 },
  flag: { type: "boolean", null_value: false },
  ratio: { type: "half_float", index: false },
  where: { type: "geo_point", ignore_z_value: true },
  same: { type: "alias", path: "count" },
};

function mixed({ connection: { name } }: Cluster, seconds = 1): Record<string, string> {
  return {
    [`r-1/${name}-a-template.json`]: JSON.stringify({
      settings: { number_of_shards: 1, refresh_interval: `${seconds}s` },
      mappings: { properties: { at: { type: "date", format: "epoch_millis" } } },
    }),
    [`r-1/${name}-bB-index.json`]: JSON.stringify({
      settings: {
        index: { number_of_replicas: 0 },
        refresh_interval: `${seconds}s`,
        analysis: {
          analyzer: { plain: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } },
        },
      },
      mappings: { dynamic: true, date_detection: false, _source: { enabled: true }, properties },
      aliases: { [`${name}-people`]: {} },
    }),
    "r-2/mapping.json": put(`/${name}-bb/_mapping`, { properties: { at: { type: "date" } } }),
    "r-3/put.json": put(`/${name}-c`, { settings: { number_of_replicas: 0 } }),
  };
}

function applyTo(
  { connection, environment }: Cluster,
  tree: Record<string, string>,
  options: Environment = {},
) {
  const sorted = Object.entries(tree).sort(([a], [b]) => a < b ? -1 : 1);
  return apply(connection, Object.fromEntries(sorted), { ...environment, ...options });
}
