/** The events that the client reads, beside those of the `EventSource` of a browser. */
import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";
import * as fc from "fast-check";
import { CHROMIUM, CHROMIUM_SKIPPED, launchChromium } from "../../chromium.ts";
import { depth } from "../../long/mod.ts";
import { EVENT_TEXTS } from "./event_texts.ts";

/** A browser needs a listener for each type of event. */
const TYPES = ["message", "a", "b", "data", "id", "event", "1", "25"];

const PAGE = `
import { eventsIn } from "./src/features/client/_events.ts";
const TYPES = ${JSON.stringify(TYPES)};
const byClient = async (url) => {
  const { body } = await fetch(url);
  const events = await Array.fromAsync(eventsIn(body, { lastEventId: "" }));
  return events.filter(({ type }) => TYPES.includes(type));
};
const bySource = (url) => new Promise((resolve) => {
  const found = [];
  const source = new EventSource(url);
  const listen = ({ type, data, lastEventId }) => found.push({ type, data, lastEventId });
  for (const type of TYPES) source.addEventListener(type, listen);
  source.onerror = () => (source.close(), resolve(found));
});
globalThis.read = (url) => Promise.all([byClient(url), bySource(url)]);
`;

Deno.test({
  name: `eventsIn() + reads what EventSource reads (Chromium)${CHROMIUM_SKIPPED}`,
  ignore: !CHROMIUM,
  // Connections of the browser end a moment after it.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const stdin = { contents: PAGE, resolveDir: ".", loader: "ts" } as const;
    const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "iife" });
    await stop();
    // Chromium takes a line end after a byte order mark for a part of the next line, against WHATWG HTML, 9.2.5.
    const read = EVENT_TEXTS.filter((text) => !/^\uFEFF[\r\n]/.test(text));
    const texts = fc.sample(read, depth(200, 2000));
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      ({ url }) => {
        const text = texts[Number(new URL(url).pathname.slice(1))];
        const type = text === undefined ? "text/html" : "text/event-stream";
        return new Response(text, { headers: { "Content-Type": type } });
      },
    );
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.addr.port}/page`);
      await page.evaluate(outputFiles[0]!.text);
      let count = 0;
      for (const [index, text] of texts.entries()) {
        const [own = [], expected] = await page.evaluate<unknown[][]>(`read("/${index}")`);
        assertEquals(own, expected, JSON.stringify(text));
        count += own.length;
      }
      assertEquals(count > texts.length / 4, true, `${count} events`);
    } finally {
      await browser.close();
    }
  },
});
