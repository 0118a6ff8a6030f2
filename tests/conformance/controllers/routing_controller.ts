import {
  DeleteMapping,
  GetMapping,
  type HttpRequest,
  PatchMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestMapping,
  RestController,
} from "../../../mod.ts";

/** Handlers answer with their own name, so that a case sees who was chosen. Declared in no useful order. */
@RestController()
@RequestMapping("/routing")
export class RoutingController {
  @GetMapping("/{*rest}", PathVariable("rest"))
  rest(rest: string) {
    return `rest ${rest}`;
  }

  @GetMapping("/users/*")
  wildcard() {
    return "wildcard";
  }

  @GetMapping("/users/{id}", PathVariable("id"))
  variable(id: string) {
    return `variable ${id}`;
  }

  @GetMapping("/users/{id:\\d{3}}", PathVariable("id"))
  expression(id: string) {
    return `expression ${id}`;
  }

  @GetMapping("/users/search")
  search() {
    return "search";
  }

  @PutMapping("/users/search")
  putSearch() {
    return "put search";
  }

  @DeleteMapping("/users/{id}", PathVariable("id"))
  remove(id: string) {
    return `remove ${id}`;
  }

  @GetMapping("/users/{id}/posts/{post}", PathVariable("id"), PathVariable("post"))
  nested(id: string, post: string) {
    return `nested ${id} ${post}`;
  }

  @GetMapping("/users/search/posts/{post}", PathVariable("post"))
  searchPosts(post: string) {
    return `search posts ${post}`;
  }

  @GetMapping("/files/{name}.{ext}", PathVariable("name"), PathVariable("ext"))
  file(name: string, ext: string) {
    return `file ${name} ${ext}`;
  }

  @GetMapping("/files/*.txt")
  text() {
    return "text";
  }

  @GetMapping("/files/readme.txt")
  readme() {
    return "readme";
  }

  @GetMapping("/slash/")
  slash() {
    return "slash";
  }

  @GetMapping("/literal/a b:c@1/café")
  literal() {
    return "literal";
  }

  @GetMapping("/tree/**")
  tree(request: HttpRequest) {
    return `tree ${request.path}`;
  }

  @GetMapping("/tree/leaf")
  leaf() {
    return "leaf";
  }

  @PostMapping("/tree/leaf")
  growLeaf() {
    return "grow leaf";
  }

  @RequestMapping({ path: "/both", method: ["PUT", "PATCH"] })
  both(request: HttpRequest) {
    return `both ${request.method}`;
  }

  @RequestMapping({ path: "/own-options", method: "OPTIONS" })
  ownOptions() {
    return "own options";
  }

  @PatchMapping("/patched")
  patched() {
    return "patched";
  }

  @PostMapping("/posted")
  posted() {
    return "posted";
  }

  @GetMapping("/method")
  method(request: HttpRequest) {
    return request.method;
  }
}

/** Without a catch-all of its own, so that some of its paths lead nowhere. */
@RestController()
@RequestMapping("/plain/{org}")
export class PlainController {
  @GetMapping("", PathVariable("org", "int", { in: "class" }))
  root(org: number) {
    return `root ${org}`;
  }

  @GetMapping(
    "/members/{id}",
    PathVariable("id", "int"),
    PathVariable("org", "int", { in: "class" }),
  )
  member(id: number, org: number) {
    return `member ${id} of ${org}`;
  }

  @PostMapping("/members")
  add() {
    return "add";
  }

  @DeleteMapping("/members/{id}", PathVariable("id", "int"))
  remove(id: number, request: HttpRequest) {
    return `remove ${id} of ${request.pathVariable("org")}`;
  }
}
