import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { describeFailure } from "../../migrations/search/cluster/answer.ts";
import { field, isObject, listOf } from "../../migrations/search/json/json_values.ts";
import type { StoredDocument } from "./documents.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { CopyRefusedError } from "./expect.ts";

/** A pipeline turns one document into this; `undefined` where the simulation cannot read the document. */
export interface Simulated {
  /** Its source; absent where the pipeline drops it. */
  readonly source?: unknown;
  readonly error?: string;
  readonly changed?: string;
}

export async function simulate(
  cluster: Cluster,
  pipeline: string,
  documents: readonly StoredDocument[],
): Promise<readonly (Simulated | undefined)[]> {
  if (documents.length === 0) return [];
  const docs = documents.map(({ id, routing, source }) => {
    const head = JSON.stringify({ _index: "_index", _id: id, _routing: routing });
    return `${head.slice(0, -1)},"_source":${source}}`;
  });
  const path = `/_ingest/pipeline/${encodeURIComponent(pipeline)}/_simulate`;
  const request = { method: "POST", path, body: `{"docs":[${docs.join(",")}]}` };
  const answer = await cluster.send(request, { repeatSafe: true });
  if (answer.status === 400) {
    // One of them is more than the simulation can read, such as an integer of more than 64 bits.
    if (documents.length === 1) return [undefined];
    const half = documents.length >> 1;
    return [
      ...await simulate(cluster, pipeline, documents.slice(0, half)),
      ...await simulate(cluster, pipeline, documents.slice(half)),
    ];
  }
  const made = listOf(field(answer.json, "docs"));
  if (answer.status !== 200 || made.length !== documents.length) {
    throw new AnswerError(request, answer, describeFailure(answer));
  }
  return documents.map((document, position) => simulatedOf(document, made[position]));
}

function simulatedOf({ id, routing }: StoredDocument, made: unknown): Simulated {
  const error = field(made, "error");
  if (isObject(error)) return { error: `${error.type}: ${error.reason}` };
  const doc = field(made, "doc");
  if (!isObject(doc)) return {};
  const wanted = { _id: id, _index: "_index", _routing: routing };
  const changed = Object.entries(wanted).find(([name, value]) => doc[name] !== value)?.[0];
  return { source: doc._source, ...(changed !== undefined && { changed }) };
}

export function droppedBy(pipeline: string, { id }: Pick<StoredDocument, "id">): string {
  return `${pipeline} drops documents, such as '${id}': delete these documents first, in a separate file`;
}

/** @throws {CopyRefusedError} when it is missing, or changes what tells documents apart */
export async function tryPipeline(
  cluster: Cluster,
  pipeline: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  const path = `/_ingest/pipeline/${encodeURIComponent(pipeline)}`;
  const { status } = await cluster.send({ method: "GET", path }, { repeatSafe: true });
  if (status === 404) {
    throw new CopyRefusedError(
      `'migrations.reindex_pipeline' names the pipeline '${pipeline}', which does not exist: create it in an earlier file`,
    );
  }
  const made = await simulate(cluster, pipeline, documents);
  for (const [position, found] of made.entries()) {
    const { id } = documents[position]!;
    if (found?.changed !== undefined) {
      throw new CopyRefusedError(
        `The pipeline '${pipeline}' changes '${found.changed}' of documents, such as '${id}': ` +
          "a copy has the same documents as its original",
      );
    }
    if (found && found.error === undefined && found.source === undefined) {
      throw new CopyRefusedError(droppedBy(`The pipeline '${pipeline}'`, { id }));
    }
  }
}
