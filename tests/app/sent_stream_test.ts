import { assertEquals, assertRejects } from "@std/assert";
import { SentStream } from "../../src/app/server/sent_stream.ts";

Deno.test("SentStream + hears once of a source that fails, although its client leaves at once", async () => {
  const heard: string[] = [];
  const source = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error("a defect");
    },
  });
  const ended = Promise.withResolvers<void>();
  const stream = new SentStream(
    source,
    () => {
      heard.push("failed");
      // In the pause in which what was sent before goes out.
      void reader.cancel();
    },
    () => heard.push("unwanted"),
    () => {
      heard.push("ended");
      ended.resolve();
    },
  );
  const reader = stream.readable.getReader();
  await reader.read();
  await ended.promise;
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(heard, ["failed", "unwanted", "ended"]);
});

Deno.test("SentStream + fails for its client without the message of its source", async () => {
  const source = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error("secret");
    },
  });
  const { readable } = new SentStream(source, () => {}, () => {}, () => {});
  const { message } = await assertRejects(() => readable.getReader().read()) as Error;
  assertEquals(message, "The body of the response failed");
});
