/** Tests that the checks of the proof of live reindex find each kind of difference. */
import { assertEquals } from "@std/assert";
import { cutSources } from "./server.ts";
import { GONE, Truth } from "./truth.ts";

const asIs = (text: string) => text;
const found = (id: string, text: string, version = 1, routing?: string) => ({
  id,
  text,
  version,
  ...(routing !== undefined && { routing }),
});

Deno.test("Truth.compare() + says which documents are lost, wrong and extra", () => {
  const truth = new Truth();
  for (const id of ["same", "lost", "wrong", "old"]) truth.confirm({ id }, `{"id":"${id}"}`, 2);
  truth.confirm({ id: "deleted" }, GONE, 3);
  const findings = truth.compare([
    found("same", '{"id":"same"}', 2),
    found("wrong", '{"id": "wrong"}', 2),
    found("old", '{"id":"old"}', 1),
    found("deleted", "{}"),
    found("new", "{}"),
    found("same", '{"id":"same"}', 2),
  ], asIs);
  assertEquals(findings, {
    lost: ['lost: {"id":"lost"}'],
    wrong: ['wrong is {"id": "wrong"}, not {"id":"wrong"}', "old has version 1, not 2"],
    extra: ["deleted was deleted: {}", "new was never written: {}", "same is there twice"],
  });
});

Deno.test("Truth.compare() + takes either where no answer came, and tells routings apart", () => {
  const truth = new Truth();
  truth.confirm({ id: "1", routing: "a" }, "{}", 1);
  truth.confirm({ id: "1", routing: "b" }, "{}", 1);
  truth.doubt({ id: "1", routing: "b" }, GONE);
  truth.doubt({ id: "2" }, '{"v":2}');
  const none = { lost: [], wrong: [], extra: [] };
  const first = found("1", "{}", 1, "a");
  assertEquals(truth.compare([first], asIs), none);
  assertEquals(truth.compare([first, found("1", "{}", 1, "b"), found("2", '{"v":2}')], asIs), none);
  assertEquals(truth.compare([first, found("2", '{"v":3}')], asIs).wrong, [
    '2 is {"v":3}, not {"v":2}',
  ]);
});

Deno.test("cutSources() + keeps the text of sources, strings and numbers as they came", () => {
  const sources = ['{"a":"}\\"{","b":[1.50,{"c":1e400}]}', "{ }"];
  const text = `{"hits":[${sources.map((source) => `{"_id":"1","_source":${source}}`).join()}]}`;
  const { rest, ...cut } = cutSources(text);
  assertEquals(cut, { sources });
  assertEquals(JSON.parse(rest), {
    hits: [{ _id: "1", _source: null }, { _id: "1", _source: null }],
  });
});
