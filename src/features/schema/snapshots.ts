/** Reads the schema of a database; loaded only by commands on schemas, and after a run that changed it. */
import { errorOf } from "../../text/mod.ts";
import { type MigrationFile, NO_FEATURES, run } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { ofEngine } from "../../migrations/sql/engines/table.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { ask } from "./dumps.ts";
import { withoutObjects } from "./ignored.ts";
import { differingLines } from "./lines.ts";
import { type SchemaEngine, SchemaError, type Source } from "./engine.ts";
import { plainTexts, SCHEMAS } from "./engines.ts";
import { withPlaceholders } from "./clean.ts";
import { sqlTarget } from "../../migrations/sql/target.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";

/** The recorded files, which give the expected schema, or the path of a file that contains it. */
export type Expected = { readonly files: readonly MigrationFile[] } | { readonly path: string };

/** The schema of a database; `scratch` is an empty one for its files, where one in this process does not do. */
export class Snapshots {
  constructor(
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
    private readonly scratch?: Datasource,
  ) {}

  /** Without values, secrets and the history table; the same for the same schema. @throws {SchemaError} */
  async current(): Promise<string> {
    const { datasource, environment } = this;
    return this.#clean(await engineOf(datasource).dump(datasource, environment));
  }

  #clean(schema: string): string {
    return withPlaceholders(schema, this.datasource.migrations.placeholders);
  }

  /** Writes the schema to its file if it has changed. Errors are reported. */
  async write(path: string): Promise<void> {
    const { files, onNotice, signal } = this.environment;
    try {
      signal?.throwIfAborted();
      const schema = await this.current();
      const before = await files.readTextFile(path).catch(() => undefined);
      if (schema === before) return;
      await files.writeTextFile(path, schema, { overwrite: true });
    } catch (error) {
      const reason = signal?.aborted
        ? "the run was stopped; 'irori schema' prints what belongs there"
        : errorOf(error).message;
      onNotice(`The schema was not written to '${path}', which is as it was: ${reason}`);
    }
  }

  /** Returns what `diff -u` prints, or nothing. Does not connect to the datasource. @throws {SchemaError} */
  async check(path: string, files: readonly MigrationFile[]): Promise<readonly string[]> {
    const text = await this.#written(path);
    return await differingLines(...await this.#texts([{ text }, { files }]));
  }

  /** The differences of the live schema to the expected one, as `diff -u` prints them. Writes nothing. @throws {SchemaError} */
  async drift(expected: Expected, ignored: readonly string[]): Promise<readonly string[]> {
    const { datasource, environment, scratch } = this;
    const live = await this.current();
    const source = "path" in expected ? { text: await this.#written(expected.path) } : expected;
    // The same text needs no other database.
    if ("text" in source && source.text === live) return [];
    if (scratch && "files" in source) {
      await this.#ensureEmpty(scratch);
      await engineOf(datasource).imitate?.(datasource, scratch, environment);
    }
    const both = await this.#texts([source, { text: live }]);
    const [wanted, found] = await Promise.all(both.map((text) => withoutObjects(text, ignored)));
    return await differingLines(wanted!, found!);
  }

  /** The content of a schema file. @throws {SchemaError} where there is none */
  async #written(path: string): Promise<string> {
    return await this.environment.files.readTextFile(path).then((text) => {
      return this.#clean(text.replaceAll("\r\n", "\n"));
    }, () => {
      throw new SchemaError(
        `The file '${path}' does not exist: 'migrate' writes it after it has applied files, ` +
          "and 'schema' prints its content",
      );
    });
  }

  async #texts(sources: readonly [Source, Source]): Promise<readonly [string, string]> {
    const { datasource, environment, scratch } = this;
    const both = scratch ? plainTexts : engineOf(datasource).texts;
    return await both(sources, {
      environment,
      applied: (files, work) => this.applied(files, work),
      dump: (own, given) => new Snapshots(own, given).current(),
      withPlaceholders: (schema) => this.#clean(schema),
    });
  }

  /**
   * Works on a database that has the files alone: `scratch`, or one in this process, which ends with the work.
   *
   * @throws {SchemaError} when files need a server and `scratch` is not given
   */
  async applied<T>(
    files: readonly MigrationFile[],
    work: (datasource: Datasource, environment: SqlEnvironment) => Promise<T>,
  ): Promise<T> {
    const { datasource, environment, scratch } = this;
    const onApplied = async (own: Datasource, given: SqlEnvironment) => {
      // No other client uses that database, and it is no one's but ours.
      const { error } = await run(sqlTarget(own, { ...given, features: NO_FEATURES }), files);
      if (error) throw error;
      return await work(own, given);
    };
    if (scratch) {
      const own = { ...scratch, migrations: datasource.migrations };
      await this.#ensureEmpty(own);
      return await onApplied(own, environment);
    }
    return await engineOf(datasource).inProcess(datasource, files, environment, (own, using) => {
      return onApplied(own, { ...environment, using, allowMemory: true });
    });
  }

  async #ensureEmpty(datasource: Datasource): Promise<void> {
    const asked = ask(datasource, this.environment, engineOf(datasource).anything);
    if ((await asked.catch(failOf(datasource.name))).length === 0) return;
    throw new SchemaError(
      `The database that '--url' names is not empty, so nothing was applied: expected a disposable database ` +
        "without tables, views, functions and types",
    );
  }
}

function engineOf(datasource: Datasource): SchemaEngine {
  return ofEngine(SCHEMAS, datasource, "'schema'");
}

export function isSameDatabase(one: Datasource, other: Datasource): boolean {
  const keys = ["kind", "host", "port", "database"] as const;
  return keys.every((key) => one[key] === other[key]);
}
