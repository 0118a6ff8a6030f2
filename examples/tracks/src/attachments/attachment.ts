import { Model } from "irori";
import * as z from "zod";

export class Attachment extends Model(z.object({
  id: z.uuid(),
  issue: z.int(),
  name: z.string(),
  size: z.int(),
  author: z.string(),
})) {}
