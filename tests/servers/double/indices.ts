import { ACKNOWLEDGED, failure, noSuchIndex, type Reply } from "./answers.ts";
import type { Documents } from "./documents.ts";
import { merged, storedSettings } from "./settings.ts";

interface Index {
  aliases: unknown;
  mappings: unknown;
  settings: unknown;
}

/** Indices by name, without what is in them. */
export class Indices {
  readonly #documents: Documents;
  readonly #stored = new Map<string, Index>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  handle(method: string, name: string, part: string | undefined, body: string): Reply {
    const index = this.#find(name);
    if (method === "PUT" && part === undefined) return this.#create(name, body);
    if (!index) return noSuchIndex(name);
    if (method === "DELETE") {
      this.#documents.indices.delete(name);
      this.#stored.delete(name);
      return ACKNOWLEDGED;
    }
    if (method === "GET" || method === "HEAD") return { status: 200, body: { [name]: index } };
    const change = JSON.parse(body);
    if (part === "_mapping") index.mappings = merged(index.mappings, change);
    else index.settings = merged(index.settings, storedSettings(change));
    return ACKNOWLEDGED;
  }

  /** Indices that a write created have documents and nothing else. */
  #find(name: string): Index | undefined {
    if (!this.#stored.has(name) && this.#documents.indices.has(name)) {
      this.#stored.set(name, { aliases: {}, mappings: {}, settings: storedSettings({}) });
    }
    return this.#stored.get(name);
  }

  #create(index: string, body: string): Reply {
    if (index !== index.toLowerCase()) {
      const reason = `Invalid index name [${index}], must be lowercase`;
      const type = "invalid_index_name_exception";
      return failure(400, { type, reason, index, index_uuid: "_na_" });
    }
    if (this.#find(index)) {
      return failure(400, {
        type: "resource_already_exists_exception",
        reason: `index [${index}/uuid] already exists`,
        index,
        index_uuid: "uuid",
      });
    }
    const { settings = {}, mappings = {}, aliases = {} } = body === "" ? {} : JSON.parse(body);
    this.#documents.create(index);
    this.#stored.set(index, { aliases, mappings, settings: storedSettings(settings) });
    return { status: 200, body: { acknowledged: true, shards_acknowledged: true, index } };
  }
}
