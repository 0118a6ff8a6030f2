import { Model } from "irori";
import * as z from "zod";

const content = { title: z.string().min(1).max(200), text: z.string().max(100_000) };

export class NewArticle extends Model(z.object(content)) {}

export class Article extends Model(z.object({ id: z.string(), ...content })) {}
