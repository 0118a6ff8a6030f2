import { Model, STATUS } from "@irori/irori";
import * as z from "zod";

/** The body of a request. */
export class NoteForm extends Model(z.object({
  title: z.string().min(1).max(40),
  text: z.string().max(1000).default(""),
  tags: z.array(z.string().min(1)).max(3).default([]),
})) {}

/** A note as it is stored and sent. */
export interface Note {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly author: string;
}

/** Answered with 404 and its message, by problem details. */
export class NoteNotFound extends Error {
  static readonly [STATUS] = 404;

  constructor(id: number) {
    super(`There is no note ${id}`);
  }
}

/** Answered by `NoteErrors`. */
export class TooManyNotes extends Error {
  constructor(readonly limit: number) {
    super(`There are ${limit} notes already`);
  }
}
