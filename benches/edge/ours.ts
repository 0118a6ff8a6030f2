import { bootstrap, GetMapping, PathVariable, RestController } from "irori";

@RestController()
export class HelloController {
  @GetMapping("/hello/{name}", PathVariable("name"))
  hello(name: string) {
    return { message: `Hello ${name}` };
  }
}

export default await bootstrap({
  components: [HelloController],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
