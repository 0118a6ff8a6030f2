import { testApplication } from "@irori/irori/testing";
import { assertEquals } from "@std/assert";
import { notes } from "./notes.ts";
import { NoteNotFound } from "./src/note.ts";
import { NoteService } from "./src/note_service.ts";

Deno.test("NoteController + shows what the service has", async () => {
  await using app = await testApplication({
    ...notes,
    overrides: [[NoteService, {
      get(id) {
        if (id !== 7) throw new NoteNotFound(id);
        return { id, title: "From the test", text: "", tags: [], author: "unknown" };
      },
    }]],
  });
  const found = await app.get("/notes/7");
  assertEquals((await found.json()).title, "From the test");
  const missing = await app.get("/notes/8");
  assertEquals([missing.status, (await missing.json()).detail], [404, "There is no note 8"]);
});

Deno.test("NoteController + lets admins alone delete", async () => {
  await using app = await testApplication(notes);
  const remove = async (user: string) => {
    const headers = { Authorization: `Basic ${btoa(user)}` };
    return (await app.request("/notes/1", { method: "DELETE", headers })).status;
  };
  assertEquals([await remove("grace:cobol"), await remove("ada:engine")], [403, 204]);
});
