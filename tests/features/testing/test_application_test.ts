import { assertEquals, assertRejects } from "@std/assert";
import {
  Autowired,
  GetMapping,
  PathVariable,
  PostMapping,
  PreDestroy,
  RequestBody,
  RestController,
  Service,
  Value,
} from "../../../mod.ts";
import { testApplication } from "../../../src/features/testing/mod.ts";

let closed = 0;

@Service()
class GreetingService {
  @Value("${greeting}")
  private readonly greeting!: string;

  greet(name: string): string {
    return `${this.greeting} ${name}`;
  }

  @PreDestroy()
  close() {
    closed++;
  }
}

@RestController()
class GreetingController {
  @Autowired(GreetingService)
  private readonly service!: GreetingService;

  @GetMapping("/greetings/{name}", PathVariable("name"))
  greet(name: string) {
    return this.service.greet(name);
  }

  @PostMapping("/greetings", RequestBody())
  echo(body: unknown) {
    return { body };
  }
}

const components = [GreetingController, GreetingService];

Deno.test("testApplication() + answers requests and closes its beans at the end", async () => {
  closed = 0;
  {
    await using app = await testApplication({ components, config: { greeting: "Hello" } });
    assertEquals(await (await app.get("/greetings/Ada")).text(), "Hello Ada");
    assertEquals(await (await app.send("POST", "/greetings", [1])).json(), { body: [1] });
    assertEquals((await app.send("POST", "/greetings")).status, 400);
    const form = { "Content-Type": "text/plain" };
    assertEquals((await app.send("POST", "/greetings", 1, form)).status, 415);
  }
  assertEquals(closed, 1);
});

Deno.test("testApplication() + replaces beans by overrides", async () => {
  await using app = await testApplication({
    components,
    config: { greeting: "Hello" },
    overrides: [[GreetingService, { greet: () => "stub" }]],
  });
  assertEquals(await (await app.get("/greetings/Ada")).text(), "stub");
});

Deno.test("testApplication() + keeps two applications apart", async () => {
  await using one = await testApplication({ components, config: { greeting: "One" } });
  await using two = await testApplication({ components, config: { greeting: "Two" } });
  const texts = await Promise.all(
    [one, two].map(async (app) => (await app.get("/greetings/x")).text()),
  );
  assertEquals(texts, ["One x", "Two x"]);
});

Deno.test("testApplication() + fails as the application would", async () => {
  await assertRejects(() => testApplication({ components }), Error, "greeting");
});
