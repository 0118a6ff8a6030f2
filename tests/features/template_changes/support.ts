import { TEMPLATE_CHANGES } from "../../../src/features/template_changes/feature.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { connectionTo, type Environment, openClient } from "../../migrations/search/runner.ts";
import { ask, type RealCluster } from "../../servers/real.ts";

/** A value of `migrations.template_changes`. */
export type TemplateChanges = "keep" | "rollover";

/** The connection, with what happens to data streams and write aliases when a template changes. */
export function rolling(
  connection: SearchConnection,
  changes: TemplateChanges = "rollover",
): SearchConnection {
  return { ...connection, offers: [...connection.offers, TEMPLATE_CHANGES.offer(changes)] };
}

/** An object as a cluster answers it, or as a file has it. */
// deno-lint-ignore no-explicit-any
export type Body = Record<string, any>;

/** A part of a real cluster: names that begin with one of its own, deleted at the end. */
export class Place implements AsyncDisposable {
  readonly name = `tc${crypto.randomUUID().slice(0, 8)}`;

  constructor(readonly cluster: RealCluster) {}

  /** A text in which `@` stands for its name. */
  own(text: string): string {
    return text.replaceAll(/@(?!timestamp)/g, this.name);
  }

  connection(changes?: TemplateChanges, url = this.cluster.url): SearchConnection {
    const { password } = this.cluster;
    const plain = {
      ...connectionTo(url),
      name: this.name,
      timeoutMs: 30_000,
      ...(password && { authorization: `Basic ${btoa(`admin:${password}`)}` }),
    };
    return changes ? rolling(plain, changes) : plain;
  }

  /** How its cluster is reached. */
  async environment(): Promise<Environment> {
    const { ca } = this.cluster;
    if (ca === undefined) return {};
    const caCert = await Deno.readTextFile(ca);
    return { openClient: () => Promise.resolve(openClient({ verifyTls: true, caCert })) };
  }

  /** Files from their values, in order. */
  tree(files: Readonly<Record<string, unknown>>): Record<string, string> {
    const entries = Object.entries(files).filter(([, body]) => body !== undefined);
    return Object.fromEntries(
      entries.map(([path, body]) => [this.own(path), this.own(JSON.stringify(body))]),
    );
  }

  /** Sends a request that succeeds. */
  async send(method: string, path: string, body?: unknown): Promise<Body> {
    const own = body === undefined ? undefined : JSON.parse(this.own(JSON.stringify(body)));
    const { status, json } = await ask(this.cluster, method, this.own(path), own);
    if (status <= 299) return json as Body;
    throw new Error(`${method} ${this.own(path)}: ${status} ${JSON.stringify(json)}`);
  }

  /** The answer to a reading request; nothing where the cluster refuses it. */
  async read(path: string): Promise<Body> {
    return await this.send("GET", path).catch(() => ({}));
  }

  /** The indices of a data stream or an alias, the write index last. */
  async indices(name: string): Promise<readonly string[]> {
    const { data_streams: [stream] = [] } = await this.read(`/_data_stream/${name}`);
    if (stream) return stream.indices.map((one: Body) => one.index_name);
    const found = await this.send("GET", `/_alias/${name}`);
    const writes = (index: string) =>
      Number(found[index].aliases[this.own(name)].is_write_index === true);
    return Object.keys(found).sort().toSorted((a, b) => writes(a) - writes(b));
  }

  /** Mappings and flat settings of an index. */
  async definition(index: string): Promise<Body> {
    return Object.values(await this.send("GET", `/${index}?flat_settings=true`))[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { data_streams: streams = [] } = await this.read("/_data_stream/@*");
    for (const { name } of streams) await this.send("DELETE", `/_data_stream/${name}`);
    for (const index of Object.keys(await this.read("/@*/_alias?expand_wildcards=all"))) {
      await this.send("DELETE", `/${index}`);
    }
    for (const kind of ["index_template", "component_template"]) {
      const found = await this.read(`/_${kind}/@*`);
      for (const { name } of found[`${kind}s`] ?? []) {
        await this.send("DELETE", `/_${kind}/${name}`);
      }
    }
  }
}
