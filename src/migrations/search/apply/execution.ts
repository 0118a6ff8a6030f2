import { errorOf } from "../../../text/mod.ts";
import {
  type Applied,
  type Attempt,
  ExecutionError,
  type Executor,
  isSameContent,
  LockedError,
  mayHaveRun,
  MigrationFailedError,
  type Work,
} from "../../runner/mod.ts";
import {
  type Answer,
  errorType,
  type Failure,
  failureOf,
  hasNoHandler,
} from "../cluster/answer.ts";
import { type Cluster, TransportError } from "../cluster/cluster.ts";
import { isEnvelope } from "../files/envelope.ts";
import { field } from "../json/json_values.ts";
import { LIFECYCLES } from "../kinds/named.ts";
import { isUpsert, type LiveResource, resourceOf } from "../kinds/resource.ts";
import { Upsert } from "./upsert.ts";
import { classifierOf } from "../classifier.ts";
import { previewOf } from "../compare/preview.ts";
import { LiveComparison } from "../compare/compare_live.ts";
import { requestName } from "../cluster/request.ts";
import { followTask, taskOf } from "../cluster/tasks.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "../types.ts";

const SAFE = { repeatSafe: true };

interface Refusal extends Failure {
  readonly known?: string;
  readonly hints?: readonly string[];
}

export function searchExecutor(
  cluster: Cluster,
  connection: SearchConnection,
  environment: SearchEnvironment,
): Executor<SearchMigration> {
  return {
    ...classifierOf(connection),
    async execute(migration, work) {
      const execution = new Execution(cluster, connection, environment, migration, work);
      const { note, ...applied } = await execution.run();
      return { ...applied, ...(note !== undefined && { note: cluster.redact(note) }) };
    },
    explain,
    obstacle: () => Promise.resolve(undefined),
    preview: (migration, previous) => previewOf(cluster, migration, previous),
  };
}

function explain({ known, task }: Attempt): string {
  if (known !== undefined) return known;
  return task === undefined
    ? "it was interrupted, and it is unknown whether it was applied"
    : `its work may continue in the background of the cluster, as task '${task}'`;
}

class Execution {
  constructor(
    private readonly cluster: Cluster,
    private readonly connection: SearchConnection,
    private readonly environment: SearchEnvironment,
    private readonly migration: SearchMigration,
    private readonly work: Work,
  ) {}

  async run(): Promise<Applied> {
    try {
      return await this.#apply();
    } catch (error) {
      if (error instanceof TransportError) {
        // The runtime may have sent the request again, and only the last answer is known.
        const known = error.refused
          ? error.message
          : "no answer came, and it is unknown whether it was applied";
        throw error.mayHaveArrived || (error.refused && this.#mayBeResent)
          ? new ExecutionError(error, "unknown", { known })
          : new ExecutionError(error, "none");
      }
      // Stopped while waiting for a busy cluster, which has refused a request that must not be repeated.
      if (this.work.signal?.aborted && error === this.work.signal.reason) {
        throw new ExecutionError(errorOf(error), this.migration.repeatSafe ? "unknown" : "none");
      }
      if (error instanceof LockedError) throw new ExecutionError(error, "unknown");
      throw error;
    }
  }

  async #apply(): Promise<Applied> {
    const { request, repeatSafe } = this.migration;
    const { entry: { attempt }, signal } = this.work;
    const isOurs = attempt && isSameContent(attempt, this.migration.file);
    if (isOurs && attempt.task !== undefined) return await this.#follow(attempt.task);
    const resource = resourceOf(request);
    if (resource && isUpsert(request, resource)) return await this.#upsert(resource);
    if (resource?.kind.write === "once" && !isEnvelope(this.migration)) {
      const existing = await this.#existing(resource);
      if (existing) return existing;
    }
    await this.work.ensureHeld();
    const options = { repeatSafe, once: !this.#mayBeResent, signal };
    const answer = await this.cluster.send(request, options);
    const task = taskOf(answer);
    if (task !== undefined) {
      await this.work.progress({ task });
      if (this.environment.followTasks !== false) return await this.#follow(task);
      return { note: `it continues in the background of the cluster, as task '${task}'` };
    }
    const failure = failureOf(request, answer);
    return failure === undefined ? {} : await this.#recover(answer, failure, resource);
  }

  /** Whether the file is applied in spite of a failure; "already" is never success by itself. */
  async #recover(
    answer: Answer,
    failure: Failure,
    resource: LiveResource | undefined,
  ): Promise<Applied> {
    const isCreation = resource?.kind.write === "once" && this.migration.request.method === "PUT";
    if (isCreation && errorType(answer) === "resource_already_exists_exception") {
      const existing = await this.#existing(resource);
      if (existing) return existing;
    }
    const { attempt } = this.work.entry;
    const isBegun = mayHaveRun(attempt) && isSameContent(attempt, this.migration.file);
    if ((answer.repeated || isBegun) && [400, 404, 409].includes(answer.status)) {
      return await this.#recoverRepeated(answer, failure, resource);
    }
    if (failure.unacknowledged && await this.#noteOfWork(resource) !== undefined) {
      return { note: "the cluster confirmed it late" };
    }
    throw this.#refused(answer, this.#cautious(failure));
  }

  async #recoverRepeated(
    answer: Answer,
    failure: Failure,
    resource: LiveResource | undefined,
  ): Promise<Applied> {
    const note = await this.#noteOfWork(resource);
    if (note !== undefined) return { note };
    const { repeatSafe, file: { path } } = this.migration;
    const isKnown = this.work.entry.attempt?.known === this.cluster.redact(failure.reason);
    if (!answer.repeated && isKnown) throw this.#refused(answer, this.#cautious(failure));
    const known = "it was sent more than once, and it is unknown whether one of them was applied";
    const hints = resource === undefined && repeatSafe
      ? [
        "It may be applied already, which cannot be read back. If it is, record that and run again:",
        `  resolve ${path} --applied   it is applied now`,
      ]
      : [];
    throw this.#refused(answer, { ...failure, effect: "unknown", known, hints });
  }

  async #noteOfWork(resource: LiveResource | undefined): Promise<string | undefined> {
    if (resource === undefined) return undefined;
    const live = await this.cluster.send({ method: "GET", path: resource.path }, SAFE);
    if (resource.effect === "gone") {
      return resource.isMissing(live) ? "it was deleted already" : undefined;
    }
    if (live.status !== 200) return undefined;
    // A secret that is never shown may differ.
    const { body, kind } = resource;
    if (kind.secrets?.some((name) => field(body, name) !== undefined)) return undefined;
    const states = resource.read(live.json);
    const comparison = new LiveComparison(this.cluster, resource);
    const isDone = await Promise.all(states.map((live) => comparison.isApplied(live)));
    return isDone.length > 0 && !isDone.includes(false) ? "it was applied already" : undefined;
  }

  /** A resource that exists is not changed (reference 4.4 rules 6 and 8); the note lists the differences. */
  async #existing(resource: LiveResource): Promise<Applied | undefined> {
    const { kind, key, path, wanted, read } = resource;
    const answer = await this.cluster.send({ method: "GET", path }, SAFE);
    if (answer.status === 404) return undefined;
    const failure = failureOf({ method: "GET", path }, answer);
    if (failure) throw this.#refused(answer, { ...failure, effect: "none" });
    const states = read(answer.json);
    if (states.length === 0) {
      const reason = `expected ${key}, found ${answer.text.slice(0, 100)}`;
      throw this.#refused(answer, { reason, effect: "none" });
    }
    const comparison = new LiveComparison(this.cluster, resource);
    const found = await Promise.all(states.map((live) => comparison.with(wanted, live)));
    const paths = new Set(found.flatMap(({ differences }) => differences).map(({ path }) => path));
    const note = `the ${kind.noun} exists already and was not changed`;
    if (paths.size === 0) return { note };
    const [shown, more] = [[...paths].slice(0, 3).join(", "), paths.size - 3];
    return { note: `${note}; it differs in ${shown}${more > 0 ? ` and ${more} more` : ""}` };
  }

  async #upsert(resource: LiveResource): Promise<Applied> {
    const outcome = await new Upsert(this.cluster, this.migration, resource, this.work).run();
    if ("applied" in outcome) return outcome.applied;
    const { refused: reason, answer } = outcome;
    const failure = answer && failureOf(this.migration.request, answer);
    const host = answer ? `${answer.host} refused it: ` : "";
    const effect = failure?.effect ?? "none";
    throw this.#failed(`${host}${reason}`, this.#cautious({ reason, effect }));
  }

  /**
   * Whether the runtime may send it again when a kept connection closes, so that only the last answer is known. That is so
   * for resources that can be read back; everything else, and deletions, are sent by a separate connection.
   */
  get #mayBeResent(): boolean {
    const { request, repeatSafe } = this.migration;
    const resource = resourceOf(request);
    return repeatSafe && resource !== undefined && resource.effect !== "gone";
  }

  #cautious(failure: Failure): Failure {
    const isDoubtful = this.#mayBeResent && failure.effect === "none";
    return isDoubtful ? { ...failure, effect: "unknown" } : failure;
  }

  async #follow(task: string): Promise<Applied> {
    const failure = await followTask(this.cluster, task, this.work.signal).catch((thrown) => {
      throw new ExecutionError(errorOf(thrown), "unknown", { goesOn: true });
    });
    if (failure === undefined) return { note: `done in the background, as task '${task}'` };
    if (!failure.goesOn) throw this.#failed(failure.reason, failure);
    const message = `${failure.reason}\n  The next run continues to wait for it`;
    const error = new MigrationFailedError(this.connection.name, this.migration.file.path, message);
    throw new ExecutionError(error, "unknown", { goesOn: true });
  }

  #refused(answer: Answer, failure: Refusal): ExecutionError {
    const { request } = this.migration;
    const hint = resourceOf(request)?.kind === LIFECYCLES && hasNoHandler(answer)
      ? "; a policy with 'phases' needs index lifecycle management of Elasticsearch; OpenSearch needs policies with 'states'"
      : "";
    const message = `${answer.host} refused ${requestName(request)}: ${failure.reason}${hint}`;
    return this.#failed(message, failure);
  }

  #failed(message: string, { reason, effect, known, hints = [] }: Refusal): ExecutionError {
    const { file: { path }, repeatSafe } = this.migration;
    const lines = [message, ...hints];
    if (effect !== "none" && !repeatSafe) {
      lines.push(
        effect === "partial"
          ? "A part of it is applied, so it is not sent again. Complete the rest by hand, resolve the file, and run again:"
          : "It may be applied, so it is not sent again. Check the cluster, resolve the file, and run again:",
        `  resolve ${path} --applied   it is applied now`,
        `  resolve ${path} --retry     it is not applied: the next run sends it`,
      );
    }
    const text = this.cluster.redact(lines.join("\n  "));
    const error = new MigrationFailedError(this.connection.name, path, text);
    return new ExecutionError(error, effect, { known: this.cluster.redact(known ?? reason) });
  }
}
