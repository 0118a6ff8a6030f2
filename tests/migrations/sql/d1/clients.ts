import { join } from "@std/path";
import type { Datasource, SqlEnvironment } from "../../../../src/migrations/sql/mod.ts";
import { create } from "../sqlite_support.ts";
import { type D1Api, d1Api } from "./api.ts";
import { miniflare, project } from "./project.ts";

/** A database of D1 by one of the three ways. */
export interface Client extends AsyncDisposable {
  readonly datasource: Datasource;
  readonly options: Partial<SqlEnvironment>;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** A new database by each of the ways that a run has to one. */
export const CLIENTS: Readonly<Record<string, () => Promise<Client>>> = {
  async "the local file"() {
    const space = await project();
    return {
      datasource: await datasource({ database: join(space.path, "DB") }),
      options: {},
      query: (sql) => Promise.resolve(space.query(sql)),
      [Symbol.asyncDispose]: () => space[Symbol.asyncDispose](),
    };
  },
  async "the API"() {
    const api = await d1Api();
    const id = api.create("main");
    const space = await project({}, { database: { database_id: id } });
    return {
      datasource: await datasource({
        ...{ database: join(space.path, "DB"), host: "api.cloudflare.com", port: 443 },
      }),
      options: { variable: (name) => variablesOf(api)[name] },
      query: (sql) => {
        const [{ columns, rows } = { columns: [], rows: [] }] = api.database(id).run([{ sql }]);
        return Promise.resolve(
          rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
        );
      },
      async [Symbol.asyncDispose]() {
        await api[Symbol.asyncDispose]();
        await space[Symbol.asyncDispose]();
      },
    };
  },
  async "a binding of Miniflare"() {
    const worker = await miniflare();
    return {
      datasource: await datasource({ database: "" }),
      options: { using: worker.binding },
      query: async (sql) => (await worker.binding.prepare(sql).all()).results,
      [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
    };
  },
};

/** The variables by which wrangler and the library find an account of the double. */
export function variablesOf({ url, token, account }: D1Api): Readonly<Record<string, string>> {
  return {
    CLOUDFLARE_API_BASE_URL: url,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: account,
  };
}

function datasource(options: Partial<Datasource>): Promise<Datasource> {
  return create({ engine: "d1", ...options });
}
