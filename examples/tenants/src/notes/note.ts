import { Model } from "irori";
import * as z from "zod";

const text = z.string().min(1).max(1000);

export class NewNote extends Model(z.object({ text })) {}

export class Note extends Model(z.object({ id: z.int(), text })) {}
