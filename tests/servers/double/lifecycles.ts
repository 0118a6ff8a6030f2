import { ACKNOWLEDGED, failure, type Reply } from "./answers.ts";

/** Lifecycle policies of Elasticsearch: a PUT replaces, and counts versions. */
export class Lifecycles {
  readonly #stored = new Map<string, { version: number; policy: unknown }>();

  handle(method: string, name: string, body: string): Reply {
    const found = this.#stored.get(name);
    if (method === "PUT") {
      const { policy } = JSON.parse(body);
      this.#stored.set(name, { version: (found?.version ?? 0) + 1, policy });
      return ACKNOWLEDGED;
    }
    if (!found) {
      const reason = `Lifecycle policy not found: ${name}`;
      return failure(404, { type: "resource_not_found_exception", reason });
    }
    return {
      status: 200,
      body: { [name]: { ...found, modified_date: "2026-01-01T00:00:00.000Z" } },
    };
  }
}
