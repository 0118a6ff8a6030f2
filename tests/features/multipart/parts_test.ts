import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { HttpError } from "../../../mod.ts";
import type { Part } from "../../../src/features/multipart/mod.ts";
import { Parts } from "../../../src/features/multipart/parts.ts";
import { encoded } from "./helpers.ts";

const THREE = encoded(["a", "b", "c"].map((name) => ({ name, body: `body of ${name}` })), "b");

Deno.test("Parts + reads no further than it is asked", async () => {
  const { parts, source } = openParts(THREE, 10);
  assertEquals(source.read, 0);
  const first = await parts.next();
  const head = source.read;
  assertEquals(head < 60, true);
  assertEquals(first.value?.name, "a");
  const reader = first.value?.body.getReader();
  assertEquals(source.read, head);
  await reader?.read();
  assertEquals(source.read - head <= 10, true);
});

Deno.test("Parts + skips what is left of a part when the next is asked for", async () => {
  const { parts } = openParts(THREE, 3);
  const names: string[] = [];
  for await (const part of parts) {
    names.push(part.name);
    if (part.name === "b") await part.body.getReader().read();
    if (part.name === "c") await part.body.cancel();
  }
  assertEquals(names, ["a", "b", "c"]);
});

Deno.test("Parts + waits for a part that is being collected", async () => {
  const { parts } = openParts(THREE, 3);
  const texts: Promise<string>[] = [];
  for await (const part of parts) texts.push(part.text());
  assertEquals(await Promise.all(texts), ["body of a", "body of b", "body of c"]);
});

Deno.test("Parts + says that a part is over", async () => {
  const { parts } = openParts(THREE, 3);
  const { value: first } = await parts.next();
  const { value: second } = await parts.next();
  await assertRejects(() => taken(first).text(), TypeError, "Cannot read the part 'a'");
  assertEquals(await taken(second).text(), "body of b");
  assertEquals(await taken(second).text(), "body of b");
});

Deno.test("Parts + gives the body once as a stream", async () => {
  const { parts } = openParts(THREE, 3);
  const { value } = await parts.next();
  const part = taken(value);
  assertStrictEquals(part.body, part.body);
  part.body.getReader();
  await assertRejects(() => part.bytes(), TypeError);
});

Deno.test("Parts + cancels the body when the loop is left", async () => {
  const { parts, source } = openParts(THREE, 3);
  for await (const part of parts) {
    await part.text();
    if (part.name === "b") break;
  }
  // The second one was read to its end.
  assertEquals(source.isCancelled, true);
  assertEquals((await parts.next()).done, true);
});

Deno.test("Parts + leaves a body that was taken when the loop is left", async () => {
  const { parts, source } = openParts(THREE, 3);
  let body: Part["body"] | undefined;
  for await (const part of parts) {
    body = part.body;
    break;
  }
  assertEquals(source.isCancelled, false);
  assertEquals(await new Response(body).text(), "body of a");
  assertEquals(source.isCancelled, true);
});

Deno.test("Parts + cancels the body with a part that was taken", async () => {
  const { parts, source } = openParts(THREE, 3);
  let body: Part["body"] | undefined;
  for await (const part of parts) {
    body = part.body;
    break;
  }
  await body?.cancel();
  assertEquals(source.isCancelled, true);
});

Deno.test("Parts + fails once and for all", async () => {
  const { parts, source } = openParts(THREE.subarray(0, 60), 3);
  const { value } = await parts.next();
  const error = await assertRejects(() => taken(value).bytes(), HttpError);
  assertEquals(error.status.value, 400);
  assertStrictEquals(await assertRejects(() => parts.next(), HttpError), error);
  assertStrictEquals(await assertRejects(() => taken(value).text(), HttpError), error);
  assertEquals(source.isCancelled, false); // It had ended.
});

Deno.test("Parts + leaves no rejection behind where the loop fails first", async () => {
  const { parts } = openParts(THREE.subarray(0, 60), 3);
  const texts: Promise<string>[] = [];
  await assertRejects(async () => {
    for await (const part of parts) texts.push(part.text());
  }, HttpError);
  // Later than a runtime reports unhandled rejections.
  await new Promise((resolve) => setTimeout(resolve));
  const results = await Promise.allSettled(texts);
  assertEquals(results.map(({ status }) => status), ["rejected"]);
});

Deno.test("Parts + fails for a part that is too large, even if it is not read", async () => {
  const { parts, source } = openParts(THREE, 3, { maxPartSize: 8 });
  await parts.next();
  const error = await assertRejects(() => parts.next(), HttpError, "The part 'a' is larger");
  assertEquals(error.status.value, 413);
  assertEquals(source.isCancelled, true);
});

Deno.test("Parts + answers who asks before the one before has its answer", async () => {
  const { parts } = openParts(THREE, 3);
  const results = await Promise.all([parts.next(), parts.next(), parts.next(), parts.next()]);
  assertEquals(results.map(({ value }) => value?.name), ["a", "b", "c", undefined]);
});

function taken(part: Part | undefined): Part {
  if (part === undefined) throw new Error("Expected a part");
  return part;
}

/** @param size of its chunks */
function openParts(bytes: Uint8Array<ArrayBuffer>, size: number, { maxPartSize = Infinity } = {}) {
  const source = { read: 0, isCancelled: false };
  const open = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (source.read >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(source.read, source.read + size));
        source.read += size;
      },
      cancel: () => void (source.isCancelled = true),
    }, { highWaterMark: 0 });
  return { parts: new Parts(open, "b", { maxParts: 10, maxPartSize }), source };
}
