import type { Random } from "../../../src/features/verify/random.ts";
import { documentText, idOf, keysOf, queryOf, type Style, updatedText } from "./documents.ts";
import type { Said, Server } from "./server.ts";
import { type Content, GONE, identify, type Key, type Truth } from "./truth.ts";

/** How long a deleted document waits to be made again, so that the cluster has forgotten its versions. */
const FORGOTTEN_MS = 1600;
/** Documents of one writer. */
const IDS = 40;

/** The state that writers share. */
export interface Writing {
  readonly server: Server;
  /** The names that applications write through. */
  readonly names: readonly string[];
  readonly style: Style;
  readonly truth: Truth;
}

/** Applications that write under a name, and try again what is refused for the moment. */
export class Writers {
  /** Writes that were confirmed. */
  confirmed = 0;
  /** Answers that asked to try again. */
  refused = 0;
  /** The longest time that one write took, its attempts included. */
  longestMs = 0;
  /** Answers that no writer may receive. */
  readonly problems: string[] = [];
  readonly #writing: Writing;
  readonly #running: Promise<void>[] = [];
  #isStopped = false;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Starts one; ids are its own. */
  start(label: string, random: Random): void {
    this.#running.push(this.#run(label, random));
  }

  /** Ends them all; what is still refused was not done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(label: string, random: Random): Promise<void> {
    const versions = new Map<string, number>();
    const waiting: { key: Key; since: number; times: number }[] = [];
    const away = new Set<string>();
    for (let count = 1; !this.#isStopped; count++) {
      const due = waiting[0];
      if (due && performance.now() - due.since > FORGOTTEN_MS) {
        waiting.shift();
        away.delete(identify(due.key));
        // As many times as makes its version what it was, with another content.
        versions.delete(identify(due.key));
        for (let time = 0; time < due.times && !this.#isStopped; time++) {
          await this.#index(due.key, count + time, versions, random);
        }
        continue;
      }
      const id = idOf(`${label}-`, random.integer(1, IDS));
      const key = random.pick(keysOf(id, this.#writing.style));
      if (!away.has(identify(key))) {
        const times = await this.#step(key, count, versions, random);
        if (times !== undefined) {
          waiting.push({ key, since: performance.now(), times });
          away.add(identify(key));
        }
      }
      await pause(random.integer(1, 15));
    }
  }

  /** One write. @returns how often to write the document when it is made again */
  async #step(
    key: Key,
    count: number,
    versions: Map<string, number>,
    random: Random,
  ): Promise<number | undefined> {
    const { style, truth, names } = this.#writing;
    const content = truth.of(key);
    const name = random.pick(names);
    const exists = typeof content === "string";
    if (exists && !style.isVersioned && random.chance(0.3)) {
      const path = `/${name}/_update/${encodeURIComponent(key.id)}${queryOf(key)}`;
      const text = this.#stored(updatedText(content, count));
      await this.#write("POST", () => path, { doc: { v: count } }, key, text, versions);
    } else if (exists && random.chance(style.isMadeAgain ? 0.4 : 0.25)) {
      const times = versions.get(identify(key)) ?? 1;
      const isDone = await this.#write(
        "DELETE",
        this.#path(key, name, versions),
        undefined,
        key,
        GONE,
        versions,
      );
      if (isDone && style.isMadeAgain) return Math.min(times, 6);
    } else await this.#index(key, count, versions, random);
  }

  async #index(
    key: Key,
    count: number,
    versions: Map<string, number>,
    random: Random,
  ): Promise<void> {
    const { style, names } = this.#writing;
    const name = random.pick(names);
    const tag = style.lateTags && random.chance(0.1) ? random.pick(style.lateTags) : undefined;
    const text = documentText(key, style, count, false, tag);
    await this.#write(
      "PUT",
      this.#path(key, name, versions),
      text,
      key,
      this.#stored(text),
      versions,
    );
  }

  /** Versions of its own leave gaps, and start low again for what the cluster has forgotten. */
  #path(key: Key, name: string, versions: Map<string, number>): () => string {
    const { style } = this.#writing;
    return () => {
      if (!style.isVersioned) return `/${name}/_doc/${encodeURIComponent(key.id)}${queryOf(key)}`;
      const version = (versions.get(identify(key)) ?? 0) + 1 + identify(key).length % 3;
      versions.set(identify(key), version);
      const query = queryOf(key, { version: `${version}`, version_type: "external" });
      return `/${name}/_doc/${encodeURIComponent(key.id)}${query}`;
    };
  }

  #stored(text: string): string {
    return this.#writing.style.stored?.(text) ?? text;
  }

  /** Sends it until it is confirmed. @returns whether it was, before the writers were stopped */
  async #write(
    method: string,
    path: () => string,
    body: unknown,
    key: Key,
    content: Content,
    versions: Map<string, number>,
  ): Promise<boolean> {
    const { server, style, truth } = this.#writing;
    const started = performance.now();
    let isDoubtful = false;
    while (!this.#isStopped) {
      const said = await server.send(method, path(), body).catch(() => undefined);
      if (said === undefined) {
        truth.doubt(key, content);
        isDoubtful = true;
      } else if (isDone(said, method, isDoubtful)) {
        // An update that changes nothing leaves the text as it was, too.
        const known = said.json.result === "noop" ? truth.of(key) : undefined;
        truth.confirm(key, known ?? content, said.json._version);
        versions.set(identify(key), said.json._version);
        this.confirmed++;
        this.longestMs = Math.max(this.longestMs, performance.now() - started);
        return true;
      } else if (
        !isRefusedForNow(said) && !(style.isVersioned && style.isMadeAgain && said.status === 409)
      ) {
        const known = String(truth.of(key) ?? "either");
        this.problems.push(
          `${method} ${identify(key)}: ${said.status} ${said.text.slice(0, 300)}; it was ${known}`,
        );
        return false;
      } else this.refused++;
      await pause(20);
    }
    return false;
  }
}

function isDone({ status, json }: Said, method: string, isDoubtful: boolean): boolean {
  if (status < 300) return true;
  // It was done by the request before, whose answer was lost.
  return isDoubtful && method === "DELETE" && status === 404 && json.result === "not_found";
}

/** Whether a careful application tries the request again: for a block, too much work, or a name that is being moved. */
function isRefusedForNow({ status, json }: Said): boolean {
  const type = json.error?.type;
  return status === 403 && type === "cluster_block_exception" ||
    status === 429 || status === 503 ||
    status === 404 && type === "index_not_found_exception";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
