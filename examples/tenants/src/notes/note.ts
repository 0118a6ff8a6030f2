import { Model } from "irori";
import * as z from "zod";

// PostgreSQL stores no NUL.
const text = z.string().min(1).max(1000).refine((text) => !text.includes("\0"), "Expected no NUL");

export class NewNote extends Model(z.object({ text })) {}

export class Note extends Model(z.object({ id: z.int(), text })) {}
