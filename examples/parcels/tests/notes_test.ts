import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { NoteService } from "../src/notes/note_service.ts";
import { app, courier, databaseTest, dispatcher } from "./with_database.ts";

const files = () => readdir(app.context.get(NoteService).folder);

databaseTest("a delivery note replaces the previous one, and is read in parts", async () => {
  const { id } = await dispatcher.parcel.announce({ body: { address: "1 Main Street" } });
  await courier.note.upload({ id, body: new Blob(["draft"]) });
  await courier.note.upload({ id, body: new Blob(["0123456789"]).stream() });
  assert.equal((await files()).length, 1);

  const headers = { Range: "bytes=2-5" };
  const part = await dispatcher.note.download.response({ id }, { headers });
  assert.deepEqual([part.status, await part.text()], [206, "2345"]);
  assert.equal(part.headers.get("Content-Disposition"), `attachment; filename="parcel-${id}.pdf"`);
});

databaseTest("a delivery note of a parcel that does not exist leaves no file", async () => {
  const before = await files();
  await assert.rejects(courier.note.upload({ id: 7, body: new Blob(["pdf"]) }), { status: 404 });
  assert.deepEqual(await files(), before);
});
