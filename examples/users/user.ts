import { Model } from "@irori/irori";
import * as z from "zod";

/** The body of a request that creates or replaces a user; the id comes from the path or the database. */
export const user = z.object({
  id: z.int().optional(),
  // SQLite's texts end at a NUL. Without an escape, so that every reader of JSON Schema reads the same.
  name: z.string().min(1).max(200).regex(new RegExp("^[ -\u{10ffff}]*$", "u")).meta({
    examples: ["Ada"],
  }),
  email: z.email(),
});

export class User extends Model(user) {
  setId(id: number): this {
    this.id = id;
    return this;
  }

  getEmail(): string {
    return this.email;
  }
}
