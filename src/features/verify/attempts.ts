import { isRecord } from "../contract/reader.ts";
import { decodeLeniently, isJson } from "../../text/mod.ts";
import type { Expectation } from "./answers.ts";
import type { Operation } from "./operation.ts";
import type { GivenValues } from "./samples.ts";

export interface Tried {
  readonly operation: Operation;
  readonly request: string;
  readonly statuses: Map<number, number>;
  hasWorked: boolean;
}

/** Records which operations worked, and the ids in responses. */
export class Attempts {
  readonly #tried = new Map<Operation, Tried>();
  #known: readonly (readonly string[])[] = [];
  readonly #sources = new Map<Operation, readonly string[]>();

  constructor(
    readonly operations: readonly Operation[],
    readonly values: GivenValues,
  ) {}

  /** Valid requests to all operations, then to those that failed, with ids from responses; those that delete come last. */
  *all() {
    const { values } = this;
    const groups = Map.groupBy(this.operations, ({ method }) => method === "DELETE");
    for (const operations of groups.values()) {
      for (const operation of operations) yield { operation, values, isAgain: false };
      for (const operation of operations) {
        if (this.#tried.get(operation)?.hasWorked !== false) continue;
        // Where all known entities were deleted, others are created or listed first.
        const sources = this.#valuesFor(operation).length > 0 ? [] : [...this.#sources];
        for (const [source, path] of sources) {
          if (isBeginning(path, operation)) yield { operation: source, values, isAgain: true };
        }
        for (const found of this.#valuesFor(operation)) {
          yield { operation, values: { ...found, ...values }, isAgain: true };
        }
      }
    }
  }

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
    const tried = this.#tried.get(operation) ??
      { operation, request, hasWorked: false, statuses: new Map() };
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

  failed(): readonly Tried[] {
    return [...this.#tried.values()].filter(({ operation: { responses }, hasWorked }) =>
      !hasWorked && Object.keys(responses).some((status) => /^[23]/.test(status))
    );
  }

  #forget(request: string): void {
    const path = segmentsOf(request.split(" ")[1]?.split("?")[0] ?? "").join("/");
    this.#known = this.#known.filter((known) => known.join("/") !== path);
  }

  #learn(operation: Operation, path: readonly string[]): void {
    this.#sources.set(operation, path);
    if (this.#known.some((known) => known.join("/") === path.join("/"))) return;
    this.#known = [path, ...this.#known].slice(0, MOST_KNOWN);
  }

  #valuesFor(operation: Operation): readonly GivenValues[] {
    const segments = segmentsOf(operation.path);
    return this.#known.flatMap((known) => {
      if (!isBeginning(known, operation)) return [];
      const named = known.flatMap((part, index) => {
        const name = variableIn(segments[index]);
        // The schema decides whether it is a number or a text.
        return name === undefined ? [] : [[name, [Number(part), part]] as const];
      });
      return [Object.fromEntries(named)];
    }).slice(0, MOST_AGAIN);
  }
}

function isBeginning(known: readonly string[], { path }: Operation): boolean {
  const segments = segmentsOf(path);
  const isVariable = (index: number) => variableIn(segments[index]) !== undefined;
  return known.length <= segments.length && known.some((_, index) => isVariable(index)) &&
    known.every((part, index) => isVariable(index) || segments[index] === part);
}

const MOST_KNOWN = 100;
const MOST_AGAIN = 5;

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "").map(decodeLeniently);
}

function variableIn(segment = ""): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1];
}

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
