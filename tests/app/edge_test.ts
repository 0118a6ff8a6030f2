import { assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import {
  type Application,
  type ExtendedApplication,
  GetMapping,
  RestController,
} from "../../mod.ts";
import { Value } from "../../mod.ts";
import { bootstrap } from "../../src/app/edge.ts";

@RestController()
class Greetings {
  @Value("${greeting}")
  readonly greeting!: string;

  @GetMapping("/greeting")
  get() {
    return this.greeting;
  }
}

Deno.test("edge bootstrap() answers by components, configuration and bindings", async () => {
  await using app = await bootstrap({
    components: [Greetings],
    config: { greeting: "${GREETING:Hello}" },
    env: { GREETING: "Salut", DB: {} },
  });
  assertEquals(await (await app.fetch(new Request("http://x/greeting"))).text(), "Salut");
});

Deno.test("edge bootstrap() asks for no runtime, not for extensions either", async () => {
  const seen: ExtendedApplication[] = [];
  await using _app = await bootstrap({
    extensions: [(application) => {
      seen.push(application);
      return undefined;
    }],
  });
  assertEquals(seen.map(({ runtime }) => runtime), [undefined]);
});

Deno.test("edge bootstrap() gives what others serve: it does not listen", async () => {
  await using app = await bootstrap();
  await assertRejects(
    () => (app as Application).listen(),
    Error,
    "Cannot listen on an edge isolate: export default the application",
  );
});

/** Runtimes make these when they are asked for first, which takes them milliseconds: 10 and more for `Intl.Collator`. */
const WITHOUT_LATE = `
  for (const name of ["Intl", "File", "ReadableStream"]) {
    const get = () => { throw new Error("asked for " + name); };
    Object.defineProperty(globalThis, name, { get });
  }
  const { default: app } = await import("./benches/edge/ours.ts");
  console.log(await (await app.fetch(new Request("http://x/hello/Ada"))).text());
`;

Deno.test("edge bootstrap() starts and answers without what runtimes make late", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", WITHOUT_LATE],
    cwd: fromFileUrl(new URL("../..", import.meta.url)),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  assertEquals([text(stderr), text(stdout)], ["", '{"message":"Hello Ada"}']);
});
