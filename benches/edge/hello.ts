import { GetMapping, PathVariable, RestController } from "irori";

/** The one route. */
@RestController()
export class HelloController {
  @GetMapping("/hello/{name}", PathVariable("name"))
  hello(name: string) {
    return { message: `Hello ${name}` };
  }
}
