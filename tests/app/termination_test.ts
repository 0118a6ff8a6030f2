import { assertEquals } from "@std/assert";
import { bootstrap } from "../../mod.ts";

Deno.test("bootstrap() and listen() + work where no signal can be listened for", async () => {
  const { addSignalListener } = Deno;
  const asked: string[] = [];
  Deno.addSignalListener = (signal) => {
    asked.push(signal);
    throw new TypeError("Not supported here");
  };
  const { log } = console;
  console.log = () => {};
  try {
    await using app = await bootstrap({ config: { server: { port: 0, address: "127.0.0.1" } } });
    const { url } = await app.listen();
    const response = await fetch(url);
    await response.body?.cancel();
    assertEquals(response.status, 404);
  } finally {
    console.log = log;
    Deno.addSignalListener = addSignalListener;
  }
  assertEquals([...new Set(asked)].sort(), ["SIGINT", "SIGTERM"]);
});

Deno.test("bootstrap() + listens for signals no longer than it starts, however many start at once", async () => {
  const { addSignalListener, removeSignalListener } = Deno;
  let [listening, most] = [0, 0];
  Deno.addSignalListener = (...given) => {
    most = Math.max(most, ++listening);
    addSignalListener(...given);
  };
  Deno.removeSignalListener = (...given) => {
    listening--;
    removeSignalListener(...given);
  };
  try {
    const failing = () => Promise.reject(new Error("No extension"));
    const starts = Array.from({ length: 30 }, (_, index) => {
      return bootstrap(index % 2 ? {} : { extensions: [failing] });
    });
    const outcomes = await Promise.allSettled(starts);
    assertEquals(outcomes.filter(({ status }) => status === "fulfilled").length, 15);
  } finally {
    Object.assign(Deno, { addSignalListener, removeSignalListener });
  }
  assertEquals([listening, most], [0, 2]);
});
