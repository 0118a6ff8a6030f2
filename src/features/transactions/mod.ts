/**
 * Transactions of databases: `@Transactional()` on methods, functions that run after the commit, and the connection of
 * the transaction for repositories.
 *
 * @example A service with SQLite
 * ```ts
 * import { Autowired, Bean, bootstrap, Configuration, Service } from "@irori/irori";
 * import { afterCommit, current, SqliteTransactions, Transactional } from "@irori/irori/transactions";
 * import { DatabaseSync } from "node:sqlite";
 *
 * @Configuration()
 * class Connections {
 *   @Bean({ type: SqliteTransactions })
 *   transactions() {
 *     const database = new DatabaseSync(":memory:");
 *     database.exec("CREATE TABLE users (name TEXT PRIMARY KEY)");
 *     return new SqliteTransactions(database);
 *   }
 * }
 *
 * @Service()
 * class UserService {
 *   @Autowired(SqliteTransactions)
 *   private readonly database!: SqliteTransactions;
 *
 *   @Transactional()
 *   async add(...names: string[]): Promise<void> {
 *     for (const name of names) {
 *       await current(this.database).run("INSERT INTO users VALUES (?)", name);
 *     }
 *     afterCommit(() => console.log(`Added ${names}`));
 *   }
 * }
 *
 * const app = await bootstrap({ components: [Connections, UserService] });
 * await app.context.get(UserService).add("Ada", "Bob"); // Added Ada,Bob
 * await app.close();
 * ```
 *
 * @module
 */
export { Transactional, type TransactionalOptions } from "./decorator.ts";
export {
  ConnectionUnavailableError,
  TransactionError,
  TransactionOutcomeUnknownError,
  TransactionRolledBackError,
  TransactionTimeoutError,
} from "./errors.ts";
export { type Dialect, TransactionManager } from "./manager.ts";
export { type MysqlConnection, MysqlTransactions } from "./mysql.ts";
export type { TransactionOptions, TransactionSettings } from "./options.ts";
export { sqlStateOf } from "./outcome.ts";
export { type PgConnection, type PgResult, PgTransactions } from "./pg.ts";
export { type PgliteConnection, PgliteTransactions } from "./pglite.ts";
export { rollbackAfter } from "./rollback_after.ts";
export { type SqliteConnection, SqliteTransactions } from "./sqlite.ts";
export type { ManagerOptions } from "./_driver.ts";
export { afterCommit, afterRollback, current, transactional } from "./transactional.ts";
