import { Model } from "irori";
import type { Principal } from "irori/security";
import * as z from "zod";

/** The name becomes part of a schema's name: neither `public` nor `pg_catalog` can be written this way. */
const name = z.string().regex(/^[a-z][a-z0-9]{1,30}$/);

export class NewTenant extends Model(z.object({ name })) {}

export class Tenant extends Model(z.object({ name, key: z.string() })) {}

/** The user of a request with the key of a tenant. */
export interface Member extends Principal {
  readonly schema: string;
}
