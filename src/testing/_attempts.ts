import { isJson } from "../text/mod.ts";
import { isRecord } from "../openapi/schema_form.ts";
import type { Expectation } from "./_answers.ts";
import type { Operation } from "./_operation.ts";
import type { GivenValues } from "./_samples.ts";

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
  /** `404 (19), 409 (1)`. */
  readonly statuses: string;
}

/** Which operations have worked, and the ids that answers have told. */
export class Attempts {
  readonly #tried = new Map<Operation, Tried>();
  /** Paths of `Location`, and those of items of the lists that were answered; the last one first. */
  readonly #known: string[][] = [];

  constructor(
    readonly operations: readonly Operation[],
    readonly values: GivenValues,
  ) {}

  /** All operations, then once more those that have not worked until then, at paths that there are. */
  *all(): Generator<Attempt, void, void> {
    const { values } = this;
    for (const operation of this.operations) yield { operation, values, isAgain: false };
    for (const operation of this.operations) {
      if (this.#tried.get(operation)?.hasWorked !== false) continue;
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
    if (outcome === "refused") return;
    const { status } = response;
    const tried = this.#tried.get(operation) ?? { request, hasWorked: false, statuses: new Map() };
    tried.hasWorked ||= status < 400;
    tried.statuses.set(status, (tried.statuses.get(status) ?? 0) + 1);
    this.#tried.set(operation, tried);
    if (status >= 300) return;
    const location = response.headers.get("location");
    if (location !== null) this.#learn(segmentsOf(new URL(location, "http://localhost").pathname));
    if (operation.path.includes("{") || !isJson(response.headers.get("content-type") ?? "")) return;
    const body: unknown = await response.clone().json().catch(() => undefined);
    for (const id of idsOf(body)) this.#learn([...segmentsOf(operation.path), id]);
  }

  /** Those that were tried, promise more than errors, and gave nothing else. */
  vain(): readonly Vain[] {
    return [...this.#tried].flatMap(([operation, { hasWorked, request, statuses }]) => {
      const promises = Object.keys(operation.responses).some((status) => /^[23]/.test(status));
      if (hasWorked || !promises) return [];
      const texts = [...statuses].map(([status, times]) => `${status} (${times})`);
      return [{ operation, request, statuses: texts.join(", ") }];
    });
  }

  #learn(path: readonly string[]): void {
    if (this.#known.some((known) => known.join("/") === path.join("/"))) return;
    this.#known.unshift([...path]);
    this.#known.length = Math.min(this.#known.length, MOST_KNOWN);
  }

  /** Values of the variables of its path, by paths that there are: the whole, or its beginning. */
  #valuesFor({ path }: Operation): readonly GivenValues[] {
    const segments = segmentsOf(path);
    return this.#known.flatMap((known) => {
      const fits = known.length <= segments.length && known.some((_, index) =>
        nameOf(segments[index]) !== undefined
      ) &&
        known.every((part, index) =>
          nameOf(segments[index]) !== undefined || segments[index] === part
        );
      if (!fits) return [];
      const named = known.flatMap((part, index) => {
        const name = nameOf(segments[index]);
        // As it may be meant: which of both fits, the schema says.
        return name === undefined ? [] : [[name, [Number(part), part]] as const];
      });
      return [Object.fromEntries(named)];
    }).slice(0, MOST_AGAIN);
  }
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
