import {
  TransactionManager,
  type TransactionSettings,
} from "../../../src/features/transactions/mod.ts";

/** Writes down what it does, in place of a database. */
export class RecordingManager extends TransactionManager<(statement: string) => void> {
  readonly log: string[] = [];
  /** Errors of the next commits. */
  readonly failures: Error[] = [];

  constructor(readonly name = "") {
    super();
  }

  readonly connection = (statement: string): void => void this.log.push(`outside: ${statement}`);

  async run<T>(
    _: TransactionSettings,
    work: (connection: (statement: string) => void) => Promise<T>,
  ): Promise<T> {
    this.log.push(`begin${this.name}`);
    let result: T;
    try {
      result = await work((statement) => void this.log.push(statement));
    } catch (error) {
      this.log.push(`rollback${this.name}`);
      throw error;
    }
    const failure = this.failures.shift();
    this.log.push(failure ? `refused${this.name}` : `commit${this.name}`);
    if (failure) throw failure;
    return result;
  }
}

/** The error of a transaction that may be run again. */
export function conflict(): Error {
  return Object.assign(new Error("conflict"), { code: "40001" });
}
