import { assertEquals, assertThrows } from "@std/assert";
import jsr from "../../jsr.json" with { type: "json" };
import {
  CRONER,
  notInstalled,
  packageMissing,
  PackageNotFoundError,
  PACKAGES,
  PG_BOSS,
} from "../../src/runtime/mod.ts";

Deno.test("notInstalled() says what to install, in whatever words the runtime misses it", () => {
  const messages = [
    "Cannot find package 'undici' imported from /app/node_modules/irori/chunks/client.js", // Node
    "Cannot find module 'undici' from '/app/node_modules/irori/chunks/client.js'", // Bun
    'Could not find package "undici" from referrer "file:///app/client.js".', // Deno
    'Import "undici" not a dependency and not in import map from "file:///app/client.js"', // Deno
  ];
  for (const message of messages) {
    const missing = new TypeError(message);
    const error = assertThrows(() => notInstalled("undici")(missing), PackageNotFoundError);
    assertEquals(
      error.message,
      `Cannot find the package 'undici': install it with 'npm install undici@${PACKAGES.undici}'`,
    );
    assertEquals(error.cause, missing);
  }
});

Deno.test("notInstalled() passes on what fails in the package itself", () => {
  for (
    const message of [
      "x is not a function",
      "Cannot find package 'other' imported from /app/node_modules/undici/index.js",
    ]
  ) {
    const cause = new TypeError(message);
    assertEquals(assertThrows(() => notInstalled("undici")(cause)), cause);
  }
});

Deno.test("packageMissing() says what to install, and passes on other failures", () => {
  const refused = packageMissing(CRONER);
  const missing = new Error("Cannot find package 'croner' imported from /app/main.js");
  const error = assertThrows(() => refused(missing), PackageNotFoundError);
  assertEquals(error.message.includes("npm install croner@^11.0.1"), true);
  const cause = new TypeError("x is not a function");
  assertEquals(assertThrows(() => refused(cause)), cause);
});

Deno.test("PACKAGES are what the manifest says", () => {
  const imports: Record<string, string> = jsr.imports;
  const others = [CRONER, PG_BOSS].map(({ name, range }) => [name, range] as const);
  for (const [name, range] of [...Object.entries(PACKAGES), ...others]) {
    // Applications may have an older one than those who develop with it.
    if (name !== "esbuild") assertEquals(imports[name], `npm:${name}@${range}`);
  }
});
