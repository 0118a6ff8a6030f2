import {
  ACKNOWLEDGED,
  illegal,
  invalid,
  isObject,
  type Json,
  noSuchIndex,
  ok,
  Refused,
  type Reply,
} from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import type { Index, Indices } from "./indices.ts";
import { readMap, readObject, readOptional, readSettings } from "./json_text.ts";
import { mergedMapping, storedMapping } from "./mappings.ts";
import { checkDynamic, checkIndexSettings } from "./setting_rules.ts";
import {
  changedSettings,
  indexSettings,
  pickSettings,
  type Settings,
  shownSettings,
} from "./settings.ts";

/** Requests about indices as wholes. */
export class IndexApi {
  readonly #indices: Indices;
  readonly #dialect: Dialect;

  constructor(indices: Indices, dialect: Dialect) {
    this.#indices = indices;
    this.#dialect = dialect;
  }

  create(name: string, body: string): Reply {
    this.#indices.create(name, readMap(body));
    return ok({ acknowledged: true, shards_acknowledged: true, index: name });
  }

  get(expression: string, query: URLSearchParams): Reply {
    if (expression.startsWith("_") && expression !== "_all") {
      throw new Refused(400, {
        type: "invalid_index_name_exception",
        reason: `Invalid index name [${expression}], must not start with '_'.`,
        index: expression,
        index_uuid: "_na_",
      });
    }
    return this.#each(expression, ({ aliases, mappings, settings }) => {
      return { aliases, mappings, settings: shownSettings(settings, query) };
    }, query.get("ignore_unavailable") === "true");
  }

  delete(expression: string): Reply {
    for (const index of this.#indices.resolveConcrete(expression)) this.#indices.delete(index);
    return ACKNOWLEDGED;
  }

  mapping(expression = "_all"): Reply {
    return this.#each(expression, ({ mappings }) => ({ mappings }));
  }

  putMapping(expression: string, body: string): Reply {
    const change = storedMapping(readObject(body));
    const indices = this.#indices.resolve(expression);
    const merged = indices.map(({ mappings }) => mergedMapping(mappings, change, "update"));
    indices.forEach((index, i) => index.mappings = merged[i]!);
    return ACKNOWLEDGED;
  }

  settings(
    expression: string | undefined,
    names: string | undefined,
    query: URLSearchParams,
  ): Reply {
    const shown = this.#each(expression ?? "_all", ({ settings }) => {
      return { settings: shownSettings(pickSettings(settings, names), query) };
    });
    const entries = Object.entries(shown.body as Record<string, { settings: Settings }>);
    return ok(Object.fromEntries(
      entries.filter(([, { settings }]) => Object.keys(settings).length > 0),
    ));
  }

  putSettings(expression: string, query: URLSearchParams, body: string): Reply {
    const sent = readSettings(body);
    const whole = isObject(sent.settings) ? sent.settings : sent;
    const change = indexSettings(whole);
    if (Object.keys(change).length === 0) throw invalid("no settings to update");
    const indices = this.#indices.resolve(expression);
    if (indices.length === 0) throw noSuchIndex(expression);
    checkIndexSettings(change, this.#dialect);
    for (const index of indices) if (!index.closed) checkDynamic(change, index);
    const preserve = query.get("preserve_existing") === "true";
    for (const index of indices) {
      const changed = changedSettings(index.settings, change);
      index.settings = withDefaults(preserve ? { ...changed, ...index.settings } : changed);
    }
    return ACKNOWLEDGED;
  }

  open(expression: string): Reply {
    for (const index of this.#indices.resolve(expression)) index.closed = false;
    return ok({ acknowledged: true, shards_acknowledged: true });
  }

  close(expression: string): Reply {
    const closed = this.#indices.resolve(expression);
    for (const index of closed) index.closed = true;
    const indices = Object.fromEntries(closed.map(({ name }) => [name, { closed: true }]));
    return ok({ acknowledged: true, shards_acknowledged: true, indices });
  }

  block(expression: string, block: string): Reply {
    if (!/^(?:write|read|metadata|read_only)$/.test(block)) {
      throw illegal(`No block found with name ${block}`);
    }
    const blocked = this.#indices.resolve(expression);
    for (const index of blocked) index.settings[`index.blocks.${block}`] = "true";
    const indices = blocked.map(({ name }) => ({ name, blocked: true }));
    return ok({ acknowledged: true, shards_acknowledged: true, indices });
  }

  clone(from: string, to: string, body: string): Reply {
    const [source] = this.#indices.resolve(from);
    this.#indices.checkName(to);
    if (source!.settings["index.blocks.write"] !== "true") {
      const reason = `index ${from} must block write operations to resize index. ` +
        'use "index.blocks.write=true"';
      throw new Refused(500, { type: "illegal_state_exception", reason });
    }
    const { settings, aliases } = readOptional(body);
    const index = this.#indices.create(to, { settings, aliases });
    index.mappings = source!.mappings;
    index.settings = { ...source!.settings, ...index.settings };
    for (const [id, document] of source!.documents) index.documents.set(id, { ...document });
    index.nextSeqNo = source!.nextSeqNo;
    return ok({ acknowledged: true, shards_acknowledged: true, index: to });
  }

  refresh(expression = "_all"): Reply {
    return ok({ _shards: shards(this.#indices.resolve(expression)) });
  }

  #each(expression: string, show: (index: Index) => Json, ignoreMissing = false): Reply {
    const indices = this.#indices.resolve(expression, ignoreMissing);
    return ok(Object.fromEntries(indices.map((index) => [index.name, show(index)])));
  }
}

/** Copies of the shards: there is one node, so that no replica is ever there. */
export function shards(
  indices: readonly Index[],
): { total: number; successful: number; failed: 0 } {
  const primaries = indices.map(({ settings }) => Number(settings["index.number_of_shards"]));
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const copies = indices.map(({ settings }, i) => {
    return primaries[i]! * (1 + Number(settings["index.number_of_replicas"]));
  });
  return { total: sum(copies), successful: sum(primaries), failed: 0 };
}

function withDefaults(settings: Settings): Settings {
  const expand = settings["index.auto_expand_replicas"];
  return {
    "index.number_of_replicas": "1",
    ...settings,
    ...(expand && expand !== "false" && { "index.number_of_replicas": "0" }),
  };
}
