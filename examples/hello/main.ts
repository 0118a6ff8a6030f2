import { bootstrap, GetMapping, PathVariable, RestController } from "@irori/irori";

@RestController()
export class HelloController {
  @GetMapping("/hello/{name}", PathVariable("name"))
  hello(name: string) {
    return { message: `Hello ${name}` };
  }
}

const app = await bootstrap({ root: import.meta.dirname, components: [HelloController] });
await app.listen();
