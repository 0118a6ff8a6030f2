import { ProblemError } from "./errors.ts";
import type { DeclaredProblem } from "./types.ts";

/**
 * Whether what a method of a client rejected with is one of the problems that its mapping declares: then `error.problem`
 * is one of these. Compares the status and the `type` of the answer, so that any other problem is none.
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
  if (!(error instanceof ProblemError) || error.problem === undefined) return false;
  const { status, problem: { type = "about:blank" } } = error;
  const declared = DECLARED.get(method) ?? [];
  return declared.some((one) => one.status === status && one.type === type);
}

export function declare<M extends object>(method: M, problems: readonly DeclaredProblem[]): M {
  DECLARED.set(method, problems);
  return method;
}

const DECLARED = new WeakMap<object, readonly DeclaredProblem[]>();
