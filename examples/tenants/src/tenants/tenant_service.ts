import { type Config, inject, Service } from "irori";
import { migrateTenant } from "irori/migrations";
import { current, PgTransactions } from "irori/transactions";
import { hash, randomUUID } from "node:crypto";
import pg from "pg";
import type { Member } from "./tenant.ts";

/** The table of tenants, which belongs to none of them. */
@Service()
export class TenantService {
  private readonly database = new PgTransactions(inject(pg.Pool));
  private readonly config = inject<Config>("config");

  /**
   * Creates the schema of a tenant and applies all migrations to it. The tenant exists when that is done: what fails in
   * between is done by the next attempt.
   *
   * @returns its key, or `undefined` if the name is taken
   */
  async add(name: string): Promise<string | undefined> {
    await migrateTenant(`tenant_${name}`, { create: true })(this.config);
    const key = randomUUID() + randomUUID();
    const { rowCount } = await current(this.database).query(
      "INSERT INTO public.tenants (name, key_digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
      [name, hash("sha256", key)],
    );
    return rowCount === 1 ? key : undefined;
  }

  async findByKey(key: string): Promise<Member | undefined> {
    const select = "SELECT name, schema_name AS schema FROM public.tenants WHERE key_digest = $1";
    const { rows: [tenant] } = await current(this.database).query(select, [hash("sha256", key)]);
    return tenant && { ...tenant, roles: ["member"] };
  }
}
