import { ACKNOWLEDGED, ok, Refused, type Reply } from "./answers.ts";
import { readObject } from "./json_text.ts";

/** Lifecycle policies of Elasticsearch: a PUT replaces, and counts versions. */
export class Lifecycles {
  readonly #stored = new Map<string, { version: number; policy: unknown }>();

  get(name: string): Reply {
    const found = this.#stored.get(name);
    if (!found) throw missing(name);
    return ok({ [name]: { ...found, modified_date: "2026-01-01T00:00:00.000Z" } });
  }

  list(): Reply {
    const all = [...this.#stored].map(([name, found]) => {
      return [name, { ...found, modified_date: "2026-01-01T00:00:00.000Z" }];
    });
    return ok(Object.fromEntries(all));
  }

  put(name: string, body: string): Reply {
    const { policy } = readObject(body);
    const version = (this.#stored.get(name)?.version ?? 0) + 1;
    this.#stored.set(name, { version, policy });
    return ACKNOWLEDGED;
  }

  delete(name: string): Reply {
    if (!this.#stored.delete(name)) throw missing(name);
    return ACKNOWLEDGED;
  }
}

function missing(name: string): Refused {
  const reason = `Lifecycle policy not found: ${name}`;
  return new Refused(404, { type: "resource_not_found_exception", reason });
}
