import { Random } from "../../../src/features/verify/random.ts";
import type { RunReport } from "../../../src/migrations/runner/mod.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import {
  apply,
  connectionTo,
  type Environment,
  type Tree,
} from "../../migrations/search/runner.ts";
import type { ReindexJob } from "./run_child.ts";
import { bulkOf, documentText, idOf, keysOf } from "./documents.ts";
import { Reader } from "./reader.ts";
import { fileOf, type Scenario, type Version } from "./scenario.ts";
import { type Server, serverAt } from "./server.ts";
import { type Key, Truth } from "./truth.ts";
import { Writers } from "./writers.ts";
import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { reindexing } from "./support.ts";

/** The lease of a killed run ends after this time. */
export const LEASE_MS = 2000;
/** That of runs that make what a case begins with: a busy machine is no trouble of theirs. */
const CALM_LEASE_MS = 30_000;
/** How many runs may be needed at most where nothing disturbs them. */
const RUNS = 3;

/** Applies files to a cluster; the runner's own `apply` unless a test is tested. */
export type Apply = (
  connection: SearchConnection,
  tree: Tree,
  options: Environment,
) => Promise<RunReport>;

/** An index with its applications, on a cluster that others use too. */
export class World implements AsyncDisposable {
  readonly server: Server;
  /** The name that applications use, and that of the connection. */
  readonly name = `s${crypto.randomUUID().slice(0, 8)}-orders`;
  readonly truth = new Truth();
  readonly writers: Writers;
  /** Definitions of the aliases beside the name itself, by name, as they were before the change. */
  aliases: Readonly<Record<string, unknown>> = {};
  #reader: Reader | undefined;
  readonly #steps: readonly Version[];

  constructor(
    url: string,
    readonly scenario: Scenario,
    private readonly seed: number,
    private readonly applyTree: Apply = apply,
  ) {
    this.server = serverAt(url);
    this.#steps = scenario.steps ?? [1, 2];
    const { name, server, truth } = this;
    const names = [name, ...scenario.writeNames?.(name) ?? []];
    this.writers = new Writers({ names, server, truth, style: scenario.style ?? {} });
  }

  /** The version before the change that is looked at. */
  get before(): Version {
    return this.#steps.at(-2)!;
  }

  /** The version that it is changed to. */
  get after(): Version {
    return this.#steps.at(-1)!;
  }

  get reader(): Reader {
    return this.#reader!;
  }

  /** The file in a version of it, beside one that never changes; without a version it was deleted. */
  tree(version?: Version): Tree {
    const template = { index_patterns: [`${this.name}-none-*`], template: {}, priority: 900 };
    return {
      [`0-${this.name}-none-template.json`]: JSON.stringify(template),
      ...(version && { [this.file]: fileOf(this.scenario, version) }),
    };
  }

  get file(): string {
    return `${this.name}.json`;
  }

  get connection(): SearchConnection {
    return reindexing(this.#asItIs, this.#reindex);
  }

  get #asItIs(): SearchConnection {
    return { ...connectionTo(this.server.url), name: this.name, timeoutMs: 30_000 };
  }

  /** A run through `url`, to be handed to a process. */
  job(url: string, version?: Version): ReindexJob {
    const { name, timeoutMs } = this.connection;
    return {
      url,
      name,
      timeoutMs,
      reindex: this.#reindex,
      leaseMs: LEASE_MS,
      tree: this.tree(version),
    };
  }

  /** Makes the index as it is before the change, with documents, and lets applications loose on it. */
  async start(): Promise<void> {
    const { scenario: { documents, writers = 3, names, from }, name, server } = this;
    await this.scenario.prepare?.(server, name);
    const [first = 1, ...others] = this.#steps;
    await this.#mustRun(first, from === "concrete" ? this.#asItIs : this.connection);
    await this.#load(documents);
    await this.#addAliases();
    this.#reader = new Reader(server, [name, ...names?.(name) ?? []], documents);
    for (let writer = 0; writer < writers; writer++) {
      this.writers.start(`w${writer}`, new Random(this.seed, `writer ${writer}`));
    }
    for (const version of others.slice(0, -1)) await this.#mustRun(version, this.connection);
    await this.reader.look();
  }

  /** Runs in this process, with nothing in between. */
  run(
    version?: Version,
    connection = this.connection,
    leaseMs = LEASE_MS,
  ): Promise<RunReport> {
    const environment = { leaseMs, lockTimeoutMs: 60_000, owner: `test-${this.name}` };
    return this.applyTree(connection, this.tree(version), environment);
  }

  /** Runs until one succeeds. @returns the errors of the others */
  async settle(version?: Version): Promise<readonly Error[]> {
    const errors: Error[] = [];
    while (errors.length < RUNS) {
      const { error } = await this.run(version);
      await this.reader.look();
      if (!error) break;
      errors.push(error);
    }
    return errors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { name, server } = this;
    await this.writers.stop();
    await this.#reader?.stop();
    const { json } = await server.send("GET", `/_cat/indices/${name}*?format=json&h=index`);
    const found = JSON.parse(typeof json === "string" ? json : "[]") as { index: string }[];
    for (const { index } of found) await server.send("DELETE", `/${index}`);
    await server.send("DELETE", `/_index_template/${name}`);
    await server.send("DELETE", `/_index_template/0-${name}-none`);
    for (const pipeline of ["count", "convert"]) {
      await server.send("DELETE", `/_ingest/pipeline/${name}-${pipeline}`);
    }
    await server.send("DELETE", `/framework_migrations_lock/_doc/${name}`);
  }

  get #reindex(): ReindexSettings {
    const { pipeline, ...others } = this.scenario.reindex ?? {};
    return {
      writePauseMs: 30_000,
      oldIndices: "keep",
      ...others,
      ...(pipeline !== undefined && { pipeline: pipeline.replace("{name}", this.name) }),
    };
  }

  async #mustRun(version: Version, connection: SearchConnection): Promise<void> {
    const { error } = await this.run(version, connection, CALM_LEASE_MS);
    if (error) throw new Error(`version ${version} failed: ${error.message}`, { cause: error });
  }

  async #load(documents: number): Promise<void> {
    const style = this.scenario.style ?? {};
    const all: { key: Key; text: string }[] = [];
    for (let n = 0; all.length < documents; n++) {
      const keys = keysOf(idOf("stable-", n), style).slice(0, documents - all.length);
      all.push(...keys.map((key) => ({ key, text: documentText(key, style, n, true) })));
    }
    for (let from = 0; from < all.length; from += 1000) {
      const part = all.slice(from, from + 1000);
      const { json } = await this.server.must("POST", `/${this.name}/_bulk`, bulkOf(part));
      if (json.errors) throw new Error(`not loaded: ${JSON.stringify(json).slice(0, 500)}`);
      for (const { key, text } of part) this.truth.confirm(key, style.stored?.(text) ?? text, 1);
    }
    await this.server.must("POST", `/${this.name}/_refresh`);
  }

  async #addAliases(): Promise<void> {
    const { name, server } = this;
    const { json } = await server.must("GET", `/${name}/_alias`);
    const [index = ""] = Object.keys(json);
    const actions = (this.scenario.aliases?.(name) ?? []).map((alias) => ({
      add: { index, ...alias },
    }));
    if (actions.length > 0) await server.must("POST", "/_aliases", { actions });
    const after = await server.must("GET", `/${index}/_alias`);
    const { [name]: __, ...aliases } = after.json[index].aliases;
    this.aliases = aliases;
  }
}
