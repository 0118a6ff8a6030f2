import { Model } from "irori";
import * as z from "zod";

const eventType = z.enum(["picked-up", "delivered"]);

export class NewParcel extends Model(z.object({ address: z.string().min(1).max(200) })) {}

export class Parcel extends Model(z.object({
  id: z.int(),
  address: z.string(),
  status: z.enum(["announced", ...eventType.options]),
  version: z.int(),
})) {}

export class NewEvent extends Model(z.object({ type: eventType })) {}

export class ParcelEvent extends Model(z.object({
  id: z.int(),
  parcel: z.int(),
  type: eventType,
  courier: z.string(),
})) {}
