/** Copies whose documents a pipeline rejects. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { RefusedDocumentsError } from "../../../src/features/reindex/arrivals.ts";
import type { IndexChange } from "../../../src/features/reindex/change.ts";
import { CopyRecord, newCopy } from "../../../src/features/reindex/copy_state.ts";
import { TaskCopies } from "../../../src/features/reindex/task_copies.ts";
import type { SearchRequest } from "../../../src/migrations/search/types.ts";

const DOCUMENTS = 2500;

/** A copy of 2,500 documents of which a pipeline rejects the one of the number 2,007, by an error of this type. */
class RejectedCopy {
  readonly requests: string[] = [];
  readonly progress: string[] = [];
  readonly abort = new AbortController();

  constructor(private readonly type: string, private readonly onRequest = () => {}) {}

  /** Pauses between two tries take no time. */
  async run(): Promise<unknown> {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((work: () => void) => setTimeout(work, 0)) as typeof setTimeout;
    try {
      return await this.#copies().copy("copying", {});
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  }

  #copies(): TaskCopies {
    const about = { hash: "h", name: "orders", from: "old", to: "new", pinned: [] };
    const state = { ...newCopy({ ...about, pipeline: "p" }), since: { "0": -1 } };
    const send = (request: SearchRequest) => this.#answer(request);
    const ensureHeld = () => Promise.resolve();
    const change = {
      pair: { cluster: { send }, ensureHeld, send },
      record: new CopyRecord(state, () => Promise.resolve()),
      settings: { pipeline: "p" },
      work: {
        signal: this.abort.signal,
        onProgress: ({ message }: { message: string }) => this.progress.push(message),
      },
    };
    return new TaskCopies(change as unknown as IndexChange, 1000, 1);
  }

  #answer({ path, body = "" }: SearchRequest) {
    const name = path.replace(/\?.*/, "");
    this.requests.push(name);
    this.onRequest.call(this);
    const json = this.#jsonOf(name, body);
    return Promise.resolve({ status: 200, text: JSON.stringify(json), json, host: "h" });
  }

  #jsonOf(name: string, body: string): unknown {
    const cause = { type: this.type, reason: "no" };
    if (name === "/_reindex") return { task: "n:1" };
    if (name === "/_tasks") return { nodes: {} };
    if (name.startsWith("/_tasks/")) {
      const failures = [{ id: "d2007", status: 500, cause }];
      return { completed: true, task: {}, response: { timed_out: false, failures } };
    }
    if (name.startsWith("/_ingest/")) {
      const docs = JSON.parse(body).docs as { _id: string }[];
      return { docs: docs.map((doc) => doc._id === "d2007" ? { error: cause } : { doc }) };
    }
    const { size, query: { range: { _seq_no: { gt } } } } = JSON.parse(body);
    const length = Math.min(size, DOCUMENTS - gt - 1);
    const hits = Array.from({ length }, (_, at) => {
      const number = gt + 1 + at;
      return { _id: `d${number}`, _version: 1, _seq_no: number, _source: { n: number } };
    });
    return { timed_out: false, _shards: { successful: 1, failed: 0 }, hits: { hits } };
  }
}

const REFUSED = [{ id: "d2007", reason: "fail_processor_exception: no" }];

Deno.test("copy() reports the document that a 'fail' processor rejects after one task", async () => {
  const copy = new RejectedCopy("fail_processor_exception");
  const error = await assertRejects(() => copy.run(), RefusedDocumentsError);
  assertEquals(error.documents, REFUSED);
  assertEquals(copy.requests, ["/_tasks", "/_reindex", "/_tasks/n%3A1"]);
});

Deno.test("copy() looks for documents that a pipeline rejects page by page", async () => {
  const copy = new RejectedCopy("class_cast_exception");
  const error = await assertRejects(() => copy.run(), RefusedDocumentsError);
  assertEquals(error.documents.map(({ id }) => id), ["d2007"]);
  const looks = copy.requests.filter((name) => !/^\/_(?:tasks|reindex)/.test(name));
  assertEquals(looks.length, 6, looks.join(" "));
  assert(copy.progress.includes("looking for documents that the pipeline rejects"));
});

Deno.test("copy() ends its look for documents that a pipeline rejects on a signal", async () => {
  const copy: RejectedCopy = new RejectedCopy("class_cast_exception", () => {
    if (copy.requests.at(-1)!.startsWith("/_ingest/")) copy.abort.abort(new Error("SIGINT"));
  });
  await assertRejects(() => copy.run(), Error, "SIGINT");
  assertEquals(copy.requests.filter((name) => name.startsWith("/_ingest/")).length, 1);
});
