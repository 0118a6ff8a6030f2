import { assertEquals } from "@std/assert";
import { type CpuProfile, timesOf } from "../../benches/http/profile.ts";

Deno.test("timesOf() + counts the time before each sample by whose code it is", () => {
  const frames: readonly [functionName: string, url: string][] = [
    ["(idle)", ""],
    ["(garbage collector)", ""],
    ["writev", ""],
    ["op_read", ""],
    ["emit", "node:events"],
    ["Response", "ext:deno_fetch/23_response.js"],
    ["match", "file:///app/node_modules/hono/dist/router.js"],
    ["run", "file:///app/node_modules/@hono/node-server/dist/index.mjs"],
    ["handle", "file:///app/server.mjs"],
  ];
  const profile: CpuProfile = {
    nodes: frames.map(([functionName, url], id) => ({ id, callFrame: { functionName, url } })),
    samples: [0, 1, 2, 3, 4, 5, 6, 7, 8, 8],
    timeDeltas: [1000, 10, 20, 30, 40, 50, 60, 70, 80, 90],
  };
  assertEquals(Object.fromEntries(timesOf(profile, 10)), {
    "(garbage collector)": 1,
    "writing to the socket": 2,
    "built in": 3,
    "the runtime's JavaScript": 9,
    "hono": 6,
    "@hono/node-server": 7,
    "the application": 17,
  });
});
