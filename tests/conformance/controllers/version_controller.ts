import {
  GetMapping,
  PathVariable,
  PostMapping,
  RequestMapping,
  RestController,
} from "../../../mod.ts";

@RestController()
@RequestMapping({ path: "/versions", version: ["1", "2"] })
export class VersionController {
  @GetMapping({
    version: "1",
    deprecated: { since: "2026-01-31", sunset: "2026-12-31", link: "/v1" },
  })
  first() {
    return "first";
  }

  @GetMapping({ version: "2", produces: "text/plain" })
  second() {
    return "second";
  }

  @PostMapping({ version: "2" })
  create() {
    return "created";
  }

  @GetMapping("/both")
  both() {
    return "both";
  }

  @GetMapping({ path: "/{id}", version: ["1", "2", "3"] }, PathVariable("id", "int"))
  one(id: number) {
    return `one ${id}`;
  }
}
