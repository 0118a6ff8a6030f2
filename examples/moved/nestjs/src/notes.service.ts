import { Injectable } from "@nestjs/common";
import { ConfigService } from "@nestjs/config";
import { type Note, type NoteForm, NoteNotFound, TooManyNotes } from "./note.js";

@Injectable()
export class NotesService {
  private readonly notes = new Map<number, Note>();
  private readonly limit: number;
  private last = 0;

  constructor(config: ConfigService) {
    this.limit = config.getOrThrow<number>("notes.limit");
    for (const title of ["Milk", "Bread", "Tea"]) this.create({ title, text: "", tags: [] }, "ada");
  }

  list(page: number, size: number) {
    const all = [...this.notes.values()];
    const totalPages = Math.ceil(all.length / size);
    return {
      content: all.slice((page - 1) * size, page * size),
      page: { size, number: page, totalElements: all.length, totalPages },
    };
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
