/** Keys that an issuer publishes, fetched by each runtime with the packed package. */
import { assertEquals } from "@std/assert";
import { sign, signingKey } from "../features/security/tokens.ts";
import { bun, type Command, DENO, run, tsx } from "./executables.ts";
import { APP, Project } from "./project.ts";

const project = Project.equipped().then(async (made) => {
  const text = await Deno.readTextFile(new URL("app/jwks.ts", import.meta.url));
  await made.write(`${APP}/jwks.ts`, text.replaceAll('"@irori/irori', '"irori'));
  return made;
});

for (const major of [22, 24] as const) {
  test(`Node ${major}`, async (path) => [...await tsx(major), path]);
}
test("Bun", async (path) => [...await bun(), path]);
test("Deno", (path) => [...DENO, path]);

Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

function test(name: string, commandOf: (path: string) => Command | Promise<Command>): void {
  Deno.test({
    name: `${name} + fetches keys, and answers 503 while they cannot be had`,
    // The preparation is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      const keys = await Promise.all(["first", "second"].map((kid) => signingKey(kid, "ES256")));
      const waiting = Promise.withResolvers<void>();
      let fetched = 0;
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        async ({ url }) => {
          const { pathname } = new URL(url);
          if (pathname === "/rotating") {
            return Response.json({ keys: [keys[fetched++ === 0 ? 0 : 1]!.publicJwk] });
          }
          if (pathname === "/down") return new Response("down", { status: 500 });
          if (pathname === "/hanging") await waiting.promise;
          return new Response(
            new ReadableStream({
              async pull(controller) {
                controller.enqueue(new TextEncoder().encode('{"keys":['));
                await waiting.promise;
                controller.close();
              },
            }),
          );
        },
      );
      const tokens = await Promise.all(keys.map((key) => sign(key)));
      const base = `http://127.0.0.1:${server.addr.port}`;
      const command = await commandOf(made.file(`${APP}/jwks.ts`));
      const gone = closedAddress();
      const stdout = await run([...command, base, gone, ...tokens], { cwd: made.path });
      waiting.resolve();
      const out = [401, 503, 503];
      assertEquals(JSON.parse(stdout), {
        rotating: [401, 200, 200],
        down: out,
        hanging: out,
        "hanging-body": out,
        gone: out,
      });
    },
  });
}

/** An address on which no server listens any more. */
function closedAddress(): string {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return `http://127.0.0.1:${listener.addr.port}`;
}
