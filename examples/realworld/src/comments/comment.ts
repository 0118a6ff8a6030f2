import { Model } from "irori";
import { Profile } from "../profiles/profile.ts";
import { text } from "../texts.ts";
import * as z from "zod";

export class NewComment extends Model(z.object({ body: text(10_000) })) {}

export class Comment extends Model(z.object({
  id: z.int(),
  createdAt: z.date(),
  updatedAt: z.date(),
  body: z.string(),
  author: Profile,
})) {}
