import { assertEquals } from "@std/assert";
import { apply } from "../../migrations/search/runner.ts";
import type { RealCluster } from "../../servers/real.ts";
import { type Body, Place } from "./support.ts";

/** The data streams and the write alias of a {@linkcode Scene}. */
export const NAMES: readonly string[] = ["@-logs-a", "@-logs-b", "@-orders"];

/** Two data streams and a write alias, made by two templates with one component. */
export class Scene extends Place {
  /** A component and two templates before a change (1) and after it (2), which removes a field, too. */
  files(version: 1 | 2): Record<string, string> {
    const fields = (properties: Body) => ({ mappings: { properties } });
    const part = version === 1
      ? { a: { type: "keyword" }, gone: { type: "ip" } }
      : { a: { type: "text" } };
    const own = fields({ b: { type: version === 1 ? "long" : "double" } });
    const rest = { priority: 900, composed_of: ["@-part"] };
    return this.tree({
      "1/@-part-component.json": { template: fields(part) },
      "2/@-logs-template.json": {
        ...rest,
        index_patterns: ["@-logs-*"],
        data_stream: {},
        template: own,
      },
      "3/@-orders-template.json": { ...rest, index_patterns: ["@-orders-*"], template: {} },
    });
  }

  /** One whose templates are as before the change. */
  static async open(cluster: RealCluster): Promise<Scene> {
    const scene = new Scene(cluster);
    const options = await scene.environment();
    const { error } = await apply(scene.connection("rollover"), scene.files(1), options);
    assertEquals(error, undefined);
    for (const name of NAMES.slice(0, 2)) await scene.send("PUT", `/_data_stream/${name}`);
    const aliases = { "@-orders": { is_write_index: true } };
    await scene.send("PUT", "/@-orders-000001", { aliases });
    return scene;
  }

  /** How many indices each has. */
  async counts(): Promise<readonly number[]> {
    return await Promise.all(NAMES.map(async (name) => (await this.indices(name)).length));
  }

  /** The types of the fields in each write index. */
  async types(): Promise<readonly string[]> {
    return await Promise.all(NAMES.map(async (name) => {
      const { mappings } = await this.definition((await this.indices(name)).at(-1)!);
      return Object.entries(mappings.properties as Record<string, Body>)
        .filter(([field]) => field !== "@timestamp")
        .map(([field, { type }]) => `${field} ${type}`).join(", ");
    }));
  }

  /** Asserts that the change reached each once, and that the next run has nothing to do. */
  async assertFollowed(about: string): Promise<void> {
    assertEquals(await this.counts(), [2, 2, 2], about);
    assertEquals(await this.types(), ["a text, b double", "a text, b double", "a text"], about);
    const { requests, error } = await apply(this.connection("rollover"), this.files(2));
    assertEquals([requests, error], [1, undefined], about);
  }
}
