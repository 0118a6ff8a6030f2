import {
  ACKNOWLEDGED,
  illegal,
  type Json,
  noSuchIndex,
  ok,
  Refused,
  type Reply,
} from "./answers.ts";
import { aliasBody, checkAliasName, unknownAliasMember } from "./alias_rules.ts";
import type { Index, Indices } from "./indices.ts";
import {
  endAt,
  type Position,
  readObject,
  readOptional,
  unknownField,
  valueAt,
} from "./json_text.ts";
import { matches } from "./patterns.ts";

const MEMBERS: Record<string, string[]> = {
  add: [
    "index",
    "indices",
    "alias",
    "aliases",
    "filter",
    "routing",
    "index_routing",
    "search_routing",
    "is_write_index",
    "is_hidden",
    "must_exist",
  ],
  remove: ["index", "indices", "alias", "aliases", "must_exist"],
  remove_index: ["index", "indices", "must_exist"],
};

interface Action {
  readonly kind: string;
  readonly indices: string[];
  readonly aliases: string[];
  readonly body: Json;
}

/** Aliases of indices, as `recordings/opensearch-kinds.txt` has them. */
export class Aliases {
  readonly #indices: Indices;

  constructor(indices: Indices) {
    this.#indices = indices;
  }

  /** All of the actions or, where one is refused, none. */
  update(text: string): Reply {
    const { actions, ...others } = readObject(text);
    const [stranger] = Object.keys(others);
    if (stranger !== undefined) throw unknownField(text, "aliases", stranger);
    return this.#apply(((actions ?? []) as Json[]).map((action, i) => readAction(text, action, i)));
  }

  put(index: string, alias: string, body: string): Reply {
    const action = { kind: "add", indices: [index], aliases: [alias], body: readOptional(body) };
    return this.#apply([action]);
  }

  delete(index: string, alias: string): Reply {
    const aliases = alias.split(",");
    return this.#apply([{ kind: "remove", indices: [index], aliases, body: {} }]);
  }

  get(expression: string | undefined, names: string | undefined): Reply {
    const patterns = names?.split(",") ?? ["*"];
    const found: Record<string, { aliases: Json }> = {};
    for (const { name, aliases } of this.#indices.resolve(expression ?? "_all")) {
      const fitting = Object.entries(aliases)
        .filter(([alias]) => patterns.some((pattern) => matches(pattern, alias)));
      if (fitting.length > 0 || names === undefined) {
        found[name] = { aliases: Object.fromEntries(fitting) };
      }
    }
    const all = Object.values(found).flatMap(({ aliases }) => Object.keys(aliases));
    const missing = patterns.filter((name) => !name.includes("*") && !all.includes(name));
    if (missing.length === 0) return ok(found);
    const error = missing.length === 1
      ? `alias [${missing[0]}] missing`
      : `aliases [${missing}] missing`;
    return ok({ error, status: 404, ...found }, 404);
  }

  #apply(actions: readonly Action[]): Reply {
    if (actions.length === 0) throw illegal("No action specified");
    const before = new Map(this.#indices.byName);
    const aliases = new Map([...before.values()].map((index) => [index, index.aliases]));
    try {
      const done = actions.map((action) => this.#do(action));
      if (!done.includes(true)) throw missingAliases(actions.flatMap(({ aliases }) => aliases));
      this.#checkWriteIndices();
    } catch (error) {
      for (const [index, were] of aliases) {
        index.aliases = were;
        this.#indices.byName.set(index.name, index);
      }
      throw error;
    }
    return ACKNOWLEDGED;
  }

  /** @returns whether there was something to do */
  #do({ kind, indices: names, aliases, body }: Action): boolean {
    const expression = names.join(",");
    if (kind === "remove_index") {
      for (const index of this.#indices.resolveConcrete(expression)) this.#indices.delete(index);
      return true;
    }
    const indices = this.#indices.resolve(expression);
    if (indices.length === 0 && expression !== "*") throw noSuchIndex(expression);
    if (kind === "add") {
      for (const alias of aliases) this.#add(indices, alias, body);
      return true;
    }
    const gone = indices.flatMap((index) => remove(index, aliases));
    if (gone.length === 0 && body.must_exist === true) throw missingAliases(aliases);
    return gone.length > 0 || body.must_exist === false;
  }

  #add(indices: readonly Index[], alias: string, body: Json): void {
    checkAliasName(alias, this.#indices.byName);
    const stored = aliasBody(alias, body);
    for (const index of indices) index.aliases = { ...index.aliases, [alias]: stored };
  }

  #checkWriteIndices(): void {
    const writers = new Map<string, string[]>();
    for (const { name, aliases } of this.#indices.byName.values()) {
      for (const [alias, { is_write_index }] of Object.entries(aliases)) {
        if (is_write_index === true) writers.set(alias, [...writers.get(alias) ?? [], name]);
      }
    }
    for (const [alias, names] of writers) {
      if (names.length < 2) continue;
      const reason = `alias [${alias}] has more than one write index [${names.sort().reverse()}]`;
      throw new Refused(500, { type: "illegal_state_exception", reason });
    }
  }
}

function remove(index: Index, patterns: readonly string[]): string[] {
  const gone = Object.keys(index.aliases).filter((alias) =>
    patterns.some((pattern) => matches(pattern, alias))
  );
  index.aliases = Object.fromEntries(
    Object.entries(index.aliases).filter(([alias]) => !gone.includes(alias)),
  );
  return gone;
}

function missingAliases(aliases: string[]): Refused {
  return new Refused(404, {
    type: "aliases_not_found_exception",
    reason: `aliases [${aliases.join(", ")}] missing`,
    "resource.id": aliases.length === 1 ? aliases[0] : aliases,
    "resource.type": "aliases",
  });
}

function readAction(text: string, action: Json, at: number): Action {
  const [[kind, body] = ["", {}]] = Object.entries(action) as [string, Json][];
  if (!(kind in MEMBERS)) {
    const cause = unknownField(text, "alias_action", "actions", at, kind);
    throw outside(cause, valueAt(text, "actions", at, kind));
  }
  const stranger = Object.keys(body).find((member) => !MEMBERS[kind]!.includes(member));
  if (stranger !== undefined) throw unknownAliasMember(text, at, kind, stranger);
  const list = (one: string, several: string) => {
    const found = [body[one] ?? body[several] ?? []].flat() as string[];
    if (found.length > 0) return found;
    const { line, col } = endAt(text, "actions", at);
    throw outside(illegal(`One of [${one}] or [${several}] is required`), { line, col: col + 1 });
  };
  return {
    kind,
    body,
    indices: list("index", "indices"),
    aliases: kind === "remove_index" ? [] : list("alias", "aliases"),
  };
}

/** An error inside an action is an error of the list of them too. */
function outside(cause: Refused, { line, col }: Position): Refused {
  return new Refused(400, {
    type: "x_content_parse_exception",
    reason: `[${line}:${col}] [aliases] failed to parse field [actions]`,
    caused_by: cause.error,
  });
}
