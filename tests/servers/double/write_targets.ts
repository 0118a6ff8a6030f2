import { illegal, noSuchIndex, Refused } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import type { Index, Indices } from "./indices.ts";

/** Which index a write goes into. */
export class WriteTargets {
  readonly #indices: Indices;
  readonly #dialect: Dialect;
  readonly #autoCreates: (index: string) => boolean;

  /** @param autoCreates whether an index that does not exist is created */
  constructor(indices: Indices, dialect: Dialect, autoCreates: (index: string) => boolean) {
    this.#indices = indices;
    this.#dialect = dialect;
    this.#autoCreates = autoCreates;
  }

  /** @throws {Refused} */
  find(name: string, { create, alias }: { create: boolean; alias: boolean }): Index {
    const indices = this.#indices;
    if (alias && !indices.isAlias(name)) throw noAlias(name);
    const there = indices.byName.get(name) ??
      (indices.isAlias(name) ? this.#writer(name) : undefined);
    if (there) return there;
    if (!create) throw noSuchIndex(name, "index_expression");
    indices.checkName(name);
    if (!this.#autoCreates(name)) throw this.#notCreated(name);
    return indices.create(name);
  }

  #writer(alias: string): Index {
    const all = this.#indices.resolve(alias);
    const named = all.find(({ aliases }) => aliases[alias]!.is_write_index === true);
    if (named) return named;
    const [only] = all;
    if (all.length === 1 && only!.aliases[alias]!.is_write_index !== false) return only!;
    throw illegal(
      `no write index is defined for alias [${alias}]. The write index may be explicitly disabled ` +
        "using is_write_index=false or the alias points to multiple indices without one being " +
        "designated as a write index",
    );
  }

  #notCreated(name: string): Refused {
    if (this.#dialect.flavour === "opensearch") return noSuchIndex(name, "index_expression");
    return missing(name, `no such index [${name}] and [action.auto_create_index] is [false]`);
  }
}

function noAlias(name: string): Refused {
  return missing(
    name,
    `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
  );
}

function missing(index: string, reason: string): Refused {
  return new Refused(404, {
    type: "index_not_found_exception",
    reason,
    index,
    index_uuid: "_na_",
  });
}
