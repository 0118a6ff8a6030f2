import "reflect-metadata";
import assert from "node:assert/strict";
import test from "node:test";
import { Test } from "@nestjs/testing";
import { AppModule } from "../src/app.module.js";
import { NoteNotFound } from "../src/note.js";
import { NotesService } from "../src/notes.service.js";

const notes = {
  get(id: number) {
    if (id !== 7) throw new NoteNotFound(id);
    return { id, title: "From the test", text: "", tags: [], author: "unknown" };
  },
};

test("shows what the service has", async (context) => {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(NotesService).useValue(notes)
    .compile();
  const app = module.createNestApplication();
  context.after(() => app.close());
  await app.listen(0, "127.0.0.1");
  const url = await app.getUrl();
  const found = await (await fetch(`${url}/notes/7`)).json() as { title: string };
  assert.equal(found.title, "From the test");
  const missing = await fetch(`${url}/notes/8`);
  assert.equal(missing.status, 404);
  assert.equal((await missing.json() as { detail: string }).detail, "There is no note 8");
});
