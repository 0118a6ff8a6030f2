import { isRecord } from "../contract/reader.ts";
import { isJson } from "../text/mod.ts";
import type { Expectation } from "./answers.ts";
import type { Operation } from "./operation.ts";
import type { GivenValues } from "./samples.ts";

/** One operation, to be tried with these values. */
export interface Attempt {
  readonly operation: Operation;
  readonly values: GivenValues;
  /** Tried before in vain: valid requests alone, with what earlier answers have told. */
  readonly isAgain: boolean;
}

/** An operation that never worked. */
export interface Vain {
  readonly operation: Operation;
  /** The first request. */
  readonly request: string;
  /** How often each was answered. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Which operations have worked, and the ids that answers have told. */
export class Attempts {
  readonly #tried = new Map<Operation, Tried>();
  /** Paths of `Location`, and those of items of the lists that were answered; the last one first. */
  readonly #known: string[][] = [];
  /** What has told paths, and the last of them. */
  readonly #teachers = new Map<Operation, readonly string[]>();

  constructor(
    readonly operations: readonly Operation[],
    readonly values: GivenValues,
  ) {}

  /**
   * All operations, then once more those that have not worked until then, at paths that there are. Those that delete
   * come behind both, as they leave nothing to try again with.
   */
  *all(): Generator<Attempt, void, void> {
    const isLast = ({ method }: Operation) => method === "DELETE";
    yield* this.#each(this.operations.filter((operation) => !isLast(operation)));
    yield* this.#each(this.operations.filter(isLast));
  }

  *#each(operations: readonly Operation[]): Generator<Attempt, void, void> {
    const { values } = this;
    for (const operation of operations) yield { operation, values, isAgain: false };
    for (const operation of operations) {
      if (this.#tried.get(operation)?.hasWorked !== false) continue;
      // Where all that was known is gone, it is made or listed again.
      const teachers = this.#valuesFor(operation).length > 0 ? [] : [...this.#teachers];
      for (const [teacher, path] of teachers) {
        if (!isBeginning(path, operation)) continue;
        yield { operation: teacher, values, isAgain: true };
      }
      for (const found of this.#valuesFor(operation)) {
        yield { operation, values: { ...found, ...values }, isAgain: true };
      }
    }
  }

  /** Takes an answer. Leaves its body to others. */
  async add(
    operation: Operation,
    request: string,
    response: Response,
    { outcome }: Expectation,
  ): Promise<void> {
    const { status } = response;
    const isGone = status === 404 || status === 410;
    if (isGone || operation.method === "DELETE" && status < 300) this.#forget(request);
    if (outcome === "refused") return;
    const tried = this.#tried.get(operation) ?? { request, hasWorked: false, statuses: new Map() };
    tried.hasWorked ||= status < 400;
    tried.statuses.set(status, (tried.statuses.get(status) ?? 0) + 1);
    this.#tried.set(operation, tried);
    if (status >= 300) return;
    const location = response.headers.get("location");
    if (location !== null) {
      this.#learn(operation, segmentsOf(new URL(location, "http://localhost").pathname));
    }
    if (operation.path.includes("{") || !isJson(response.headers.get("content-type") ?? "")) return;
    const body: unknown = await response.clone().json().catch(() => undefined);
    for (const id of idsOf(body)) this.#learn(operation, [...segmentsOf(operation.path), id]);
  }

  /** Those that were tried, promise more than errors, and gave nothing else. */
  vain(): readonly Vain[] {
    return [...this.#tried].flatMap(([operation, { hasWorked, request, statuses }]) => {
      const promises = Object.keys(operation.responses).some((status) => /^[23]/.test(status));
      if (hasWorked || !promises) return [];
      return [{ operation, request, statuses }];
    });
  }

  /** @param request as it is told to people */
  #forget(request: string): void {
    const path = segmentsOf(request.split(" ")[1]?.split("?")[0] ?? "").join("/");
    const index = this.#known.findIndex((known) => known.join("/") === path);
    if (index >= 0) this.#known.splice(index, 1);
  }

  #learn(operation: Operation, path: readonly string[]): void {
    this.#teachers.set(operation, path);
    if (this.#known.some((known) => known.join("/") === path.join("/"))) return;
    this.#known.unshift([...path]);
    this.#known.length = Math.min(this.#known.length, MOST_KNOWN);
  }

  /** Values of the variables of its path, by paths that there are: the whole, or its beginning. */
  #valuesFor(operation: Operation): readonly GivenValues[] {
    const segments = segmentsOf(operation.path);
    return this.#known.flatMap((known) => {
      if (!isBeginning(known, operation)) return [];
      const named = known.flatMap((part, index) => {
        const name = nameOf(segments[index]);
        // As it may be meant: which of both fits, the schema says.
        return name === undefined ? [] : [[name, [Number(part), part]] as const];
      });
      return [Object.fromEntries(named)];
    }).slice(0, MOST_AGAIN);
  }
}

/** Whether the path of the operation begins like this one, with a variable at least. */
function isBeginning(known: readonly string[], { path }: Operation): boolean {
  const segments = segmentsOf(path);
  const isVariable = (index: number) => nameOf(segments[index]) !== undefined;
  return known.length <= segments.length && known.some((_, index) => isVariable(index)) &&
    known.every((part, index) => isVariable(index) || segments[index] === part);
}

interface Tried {
  readonly request: string;
  readonly statuses: Map<number, number>;
  hasWorked: boolean;
}

const MOST_KNOWN = 100;
const MOST_AGAIN = 5;

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "").map((segment) =>
    segment.includes("%") ? decoded(segment) : segment
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `id` of `{id}`. */
function nameOf(segment = ""): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1];
}

/** Of what was answered, or of the items of its lists. */
function idsOf(body: unknown): readonly string[] {
  const lists = Array.isArray(body)
    ? [body]
    : isRecord(body)
    ? [[body], ...Object.values(body).filter((value) => Array.isArray(value))]
    : [];
  return lists.flat().slice(0, MOST_KNOWN).flatMap((item) => {
    const id: unknown = isRecord(item) ? item.id : undefined;
    return typeof id === "string" || typeof id === "number" ? [String(id)] : [];
  });
}
