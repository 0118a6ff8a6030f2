/**
 * Requests that take effect once, by the header `Idempotency-Key`.
 *
 * @example An order that is sent twice
 * ```ts
 * import { Bean, bootstrap, Configuration, inject, PostMapping, RestController } from "@irori/irori";
 * import { Idempotent, idempotency } from "@irori/irori/idempotency";
 * import { current, SqliteTransactions } from "@irori/irori/transactions";
 * import { DatabaseSync } from "node:sqlite";
 *
 * @Configuration()
 * class Connections {
 *   @Bean({ type: SqliteTransactions })
 *   transactions() {
 *     const database = new DatabaseSync(":memory:");
 *     database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
 *     // 'irori new idempotency-schema' writes this into a migration.
 *     database.exec(
 *       "CREATE TABLE irori_idempotency_keys (id TEXT PRIMARY KEY, payload TEXT, status INTEGER, headers TEXT, " +
 *         "body TEXT, expires BIGINT NOT NULL)",
 *     );
 *     return new SqliteTransactions(database);
 *   }
 * }
 *
 * @RestController()
 * class OrderController {
 *   readonly #database = inject(SqliteTransactions);
 *
 *   @Idempotent()
 *   @PostMapping("/orders")
 *   async create() {
 *     const { lastInsertRowid } = await current(this.#database).run("INSERT INTO orders DEFAULT VALUES");
 *     return { id: Number(lastInsertRowid) };
 *   }
 * }
 *
 * const app = await bootstrap({
 *   components: [Connections, OrderController],
 *   extensions: [idempotency()],
 * });
 * for (let i = 0; i < 2; i++) {
 *   const headers = { "Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324" };
 *   const response = await app.request("/orders", { method: "POST", headers });
 *   console.log(await response.text(), response.headers.get("Idempotency-Replayed")); // {"id":1} null, {"id":1} true
 * }
 * await app.close();
 * ```
 *
 * @module
 */
export { Idempotent, type IdempotentOptions } from "./decorator.ts";
export { idempotency, type IdempotencyOptions } from "./extension.ts";
