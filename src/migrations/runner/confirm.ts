import { ConfirmationError } from "./errors.ts";
import { isDanger } from "./problems.ts";
import type { PlanNotice } from "./results.ts";
import type { Executor, Migration } from "./types.ts";

/** @throws {ConfirmationError} unless irreversible changes are confirmed */
export async function confirmDangers<M extends Migration>(
  connection: string,
  executor: Executor<M>,
  migrations: readonly M[],
  yes: boolean,
  tell: (notice: PlanNotice) => void,
): Promise<void> {
  const problems = await executor.dangers?.(migrations, { isRun: true }) ?? [];
  const dangers = problems.filter(isDanger);
  if (dangers.length > 0 && !yes) throw new ConfirmationError(connection, dangers);
  for (const problem of problems) {
    const isAgreed = isDanger(problem);
    const message = isAgreed ? `${problem.message}; '--yes' agrees to it` : problem.message;
    tell({ file: problem.path, message });
  }
}
