import { Model } from "irori";
import * as z from "zod";
import { longText } from "../texts.ts";

export class NewComment extends Model(z.object({ text: longText.min(1) })) {}

export class Comment extends Model(z.object({
  id: z.int(),
  issue: z.int(),
  author: z.string(),
  text: z.string(),
  createdAt: z.date(),
})) {}
