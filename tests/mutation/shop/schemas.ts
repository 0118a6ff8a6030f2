import { Model } from "@irori/irori";
import * as z from "zod";

export const kind = z.enum(["book", "game", "film"]);

export const product = z.object({
  id: z.int(),
  name: z.string(),
  kind,
  price: z.number().min(0),
  released: z.iso.date().optional(),
});
export type Product = z.infer<typeof product>;

export class NewProduct extends Model(z.object({
  name: z.string().min(1).max(40),
  kind: kind.default("book"),
  price: z.number().min(0).max(10_000),
  released: z.iso.date().optional(),
})) {}

export class PriceChange extends Model(z.object({ price: z.number().min(0).max(10_000) })) {}

export const line = z.object({ product: z.int(), amount: z.int().min(1) });
export const order = z.object({
  id: z.uuid(),
  customer: z.int(),
  state: z.enum(["open", "paid", "sent"]),
  lines: z.array(line),
  total: z.number(),
  ordered: z.iso.datetime(),
});
export type Order = z.infer<typeof order>;

export class NewOrder extends Model(z.object({
  customer: z.int(),
  lines: z.array(z.object({ product: z.int(), amount: z.int().min(1).max(99).default(1) })).min(1)
    .max(5),
})) {}

export const customer = z.object({ id: z.int(), name: z.string(), email: z.string().nullable() });
export type Customer = z.infer<typeof customer>;

export class NewCustomer extends Model(
  z.object({ name: z.string().min(1), email: z.string().max(80).nullable().default(null) }),
) {}

export const page = <T extends z.ZodType>(items: T) =>
  z.object({ items: z.array(items), total: z.int(), limit: z.int() });
