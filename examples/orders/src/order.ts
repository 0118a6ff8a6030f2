import { Model } from "irori";
import * as z from "zod";

const item = { sku: z.string().regex(/^[a-z0-9-]{1,20}$/), quantity: z.int().min(1).max(1000) };

export class NewOrder extends Model(z.object(item)) {}

export class Order extends Model(
  z.object({ id: z.int(), ...item, status: z.enum(["placed", "reserved", "rejected"]) }),
) {}
