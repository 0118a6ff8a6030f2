import { illegal, isObject, type Json, noSuchIndex, Refused } from "./answers.ts";
import { aliasBody, checkAliasName } from "./alias_rules.ts";
import type { Composed } from "./composition.ts";
import type { Dialect } from "./dialect.ts";
import { type Mapping, mappingOf, mergedMapping } from "./mappings.ts";
import { matches } from "./patterns.ts";
import { checkIndexSettings } from "./setting_rules.ts";
import { indexSettings, nestedSettings, type Settings, withoutNulls } from "./settings.ts";

export interface Document {
  version: number;
  seqNo: number;
  source: unknown;
}

export interface Index {
  readonly name: string;
  readonly uuid: string;
  readonly created: number;
  settings: Settings;
  mappings: Mapping;
  aliases: Record<string, Json>;
  closed: boolean;
  readonly documents: Map<string, Document>;
  /** Versions of documents that were deleted: they go on when a document comes again. */
  readonly deleted: Map<string, number>;
  nextSeqNo: number;
}

/** Indices by name, with what is in them. */
export class Indices {
  readonly byName = new Map<string, Index>();
  readonly #dialect: Dialect;
  readonly #compose: (index: string) => Composed | undefined;
  /** Told of every index that is made. */
  readonly onCreate: ((index: Index) => void)[] = [];

  constructor(dialect: Dialect, compose: (index: string) => Composed | undefined) {
    this.#dialect = dialect;
    this.#compose = compose;
  }

  /** As the state of the cluster has them. */
  states(): Json {
    return Object.fromEntries([...this.byName].map(([name, { closed, settings }]) => {
      return [name, { state: closed ? "close" : "open", settings: nestedSettings(settings) }];
    }));
  }

  /** Names, patterns and aliases, separated by commas. @throws {Refused} a name that does not exist */
  resolve(expression: string, ignoreMissing = false): Index[] {
    const found = new Set<Index>();
    for (const name of expression === "_all" ? ["*"] : expression.split(",")) {
      const hits = [...this.byName.values()].filter((index) =>
        matches(name, index.name) ||
        Object.keys(index.aliases).some((alias) => matches(name, alias))
      );
      if (hits.length === 0 && !name.includes("*") && !ignoreMissing) throw noSuchIndex(name);
      for (const index of hits) found.add(index);
    }
    return [...found];
  }

  /** Indices by their own names: what can be deleted. */
  resolveConcrete(expression: string): Index[] {
    const indices = this.resolve(expression);
    for (const name of expression.split(",")) {
      if (name.includes("*") || name === "_all" || this.byName.has(name)) continue;
      throw illegal(
        `The provided expression [${name}] matches an alias, ` +
          "specify the corresponding concrete indices instead.",
      );
    }
    const names = expression === "_all" ? ["*"] : expression.split(",");
    return indices.filter(({ name }) => names.some((pattern) => matches(pattern, name)));
  }

  isAlias(name: string): boolean {
    return [...this.byName.values()].some(({ aliases }) => name in aliases);
  }

  delete(index: Index): void {
    this.byName.delete(index.name);
  }

  /** @throws {Refused} */
  create(name: string, body: Json = {}): Index {
    this.checkName(name);
    const { settings, mappings, aliases, ...others } = body;
    const [other] = Object.keys(others);
    if (other !== undefined) {
      const reason = `unknown key [${other}] for create index`;
      throw new Refused(400, { type: "parse_exception", reason });
    }
    if (isObject(mappings) && isObject(mappings._doc)) {
      throw illegal("The mapping definition cannot be nested under a type");
    }
    const composed = this.#compose(name);
    const wanted = indexSettings(settings);
    checkIndexSettings(wanted, this.#dialect);
    const index: Index = {
      name,
      uuid: uuid(),
      created: Date.now(),
      settings: {},
      mappings: mergedMapping(composed?.mappings ?? {}, mappingOf(mappings), "replace"),
      aliases: { ...composed?.aliases, ...this.#aliases(aliases) },
      closed: false,
      documents: new Map(),
      deleted: new Map(),
      nextSeqNo: 0,
    };
    index.settings = this.#settings(index, { ...composed?.settings, ...wanted });
    this.byName.set(name, index);
    this.onCreate.forEach((told) => told(index));
    return index;
  }

  /** @throws {Refused} a name that a new index cannot have */
  checkName(name: string): void {
    const refuse = (why: string) =>
      new Refused(400, {
        type: "invalid_index_name_exception",
        reason: `Invalid index name [${name}], ${why}`,
        index: name,
        index_uuid: "_na_",
      });
    const characters = '[ , ", *, \\, <, |, ,, >, /, ?]';
    if (/[ "*\\<|,>/?]/.test(name)) {
      throw refuse(`must not contain the following characters ${characters}`);
    }
    if (/^[_+-]/.test(name)) throw refuse("must not start with '_', '-', or '+'");
    if (name !== name.toLowerCase()) throw refuse("must be lowercase");
    const there = this.byName.get(name);
    if (there) {
      throw new Refused(400, {
        type: "resource_already_exists_exception",
        reason: `index [${name}/${there.uuid}] already exists`,
        index: name,
        index_uuid: there.uuid,
      });
    }
    if (this.isAlias(name)) throw refuse("already exists as alias");
  }

  #aliases(aliases: unknown): Record<string, Json> {
    return Object.fromEntries(
      Object.entries(isObject(aliases) ? aliases : {}).map(([alias, body]) => {
        checkAliasName(alias, this.byName);
        return [alias, aliasBody(alias, body as Json)];
      }),
    );
  }

  #settings({ name, uuid, created }: Index, wanted: Settings): Settings {
    const expand = wanted["index.auto_expand_replicas"];
    const { flavour, created: version } = this.#dialect;
    return {
      "index.number_of_shards": "1",
      "index.number_of_replicas": "1",
      ...withoutNulls(wanted),
      // There is one node, so nothing to expand to.
      ...(expand && expand !== "false" && { "index.number_of_replicas": "0" }),
      ...(flavour === "opensearch" && { "index.replication.type": "DOCUMENT" }),
      "index.provided_name": name,
      "index.creation_date": String(created),
      "index.uuid": uuid,
      "index.version.created": version,
    };
  }
}

export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}
