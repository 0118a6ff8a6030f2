import { Model } from "irori";
import * as z from "zod";

const schema = z.object({
  name: z.string().trim().min(1).max(200),
  email: z.email(),
});

/** The body of a request; the id comes from the store. */
export class User extends Model(schema) {
  id?: number;
}
