import { Service, Value } from "@irori/irori";
import { Page, type Pageable } from "@irori/irori/paging";
import { type Note, type NoteForm, NoteNotFound, TooManyNotes } from "./note.ts";
import * as z from "zod";

@Service()
export class NoteService {
  @Value("${notes.limit}", z.int().min(1))
  private readonly limit!: number;
  private readonly notes = new Map<number, Note>();
  private last = 0;

  constructor() {
    for (const title of ["Milk", "Bread", "Tea"]) this.create({ title, text: "", tags: [] }, "ada");
  }

  list(pageable: Pageable): Page<Note> {
    const { offset, size } = pageable;
    const all = [...this.notes.values()];
    return new Page(all.slice(offset, offset + size), pageable, all.length);
  }

  get(id: number): Note {
    const note = this.notes.get(id);
    if (!note) throw new NoteNotFound(id);
    return note;
  }

  create({ title, text, tags }: NoteForm, author: string): Note {
    if (this.notes.size >= this.limit) throw new TooManyNotes(this.limit);
    const note = { id: ++this.last, title, text, tags, author };
    this.notes.set(note.id, note);
    return note;
  }

  replace(id: number, { title, text, tags }: NoteForm): Note {
    const note = { id, title, text, tags, author: this.get(id).author };
    this.notes.set(id, note);
    return note;
  }

  remove(id: number): void {
    this.get(id);
    this.notes.delete(id);
  }
}
