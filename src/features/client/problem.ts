import { ProblemError } from "./errors.ts";
import type { DeclaredProblem } from "./types.ts";

/**
 * Whether what a method of a client rejected with is one of the problems that its mapping declares: then `error.problem`
 * is one of these. Compares the status and, of problem details, the `type`, so that any other problem is none.
 *
 * ```ts ignore
 * await orders.create(order).catch((error) => {
 *   if (!isProblem(orders.create, error)) throw error;
 *   if (error.problem.type === "/problems/out-of-stock") console.log(error.problem.sku);
 * });
 * ```
 *
 * @param method of a client
 */
export function isProblem<P>(
  method: { readonly "~problem"?: P },
  error: unknown,
): error is ProblemError<P> & {
  /** One of the declared problems. */
  readonly problem: P;
} {
  if (!(error instanceof ProblemError)) return false;
  const { status, problem } = error;
  const type = problem && (problem.type ?? "about:blank");
  const found = DECLARED.get(method)?.find((one) => {
    return one.status === status && (one.type ?? type) === type;
  });
  // The status alone identifies a body of its own shape.
  if (found && !found.type) Object.assign(error, { problem: error.body });
  return found !== undefined;
}

export function declare<M extends object>(method: M, problems: readonly DeclaredProblem[]): M {
  DECLARED.set(method, problems);
  return method;
}

const DECLARED = new WeakMap<object, readonly DeclaredProblem[]>();
