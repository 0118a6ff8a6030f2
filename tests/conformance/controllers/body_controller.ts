import { z } from "zod";
import {
  FormParam,
  type HttpRequest,
  HttpStatus,
  Model,
  PostMapping,
  RequestBody,
  RequestMapping,
  RequestPart,
  RestController,
  Use,
} from "../../../mod.ts";

const schema = z.object({
  name: z.string().min(1),
  email: z.email(),
  tags: z.array(z.string().max(3)).optional(),
});

class User extends Model(schema) {
  kind(): string {
    return this instanceof User ? "User" : "object";
  }
}

const FORM = "application/x-www-form-urlencoded";

@RestController()
@RequestMapping("/body")
export class BodyController {
  @PostMapping("/any", RequestBody())
  any(body: unknown) {
    return { body };
  }

  @PostMapping("/bytes-changed")
  async bytesChanged(request: HttpRequest) {
    (await request.bytes()).fill(46);
    const again = await request.bytes();
    again.fill(46);
    return { text: await request.text() };
  }

  @PostMapping({ path: "/deep", maxBodySize: 1_000_000 }, RequestBody())
  deep() {
    return {};
  }

  @PostMapping("/optional", RequestBody(schema, { required: false }))
  optional(body: z.infer<typeof schema> | undefined) {
    return { body: body ?? null };
  }

  @PostMapping({ path: "/user", status: HttpStatus.CREATED }, RequestBody(User))
  user(user: User) {
    return { kind: user.kind(), user };
  }

  @PostMapping("/proto", RequestBody())
  proto(body: unknown) {
    const copy = Object.assign({}, body) as Record<string, unknown>;
    return { polluted: copy.admin ?? null, keys: Object.keys(body as object) };
  }

  @PostMapping({
    path: "/form/any",
    consumes: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
  }, RequestBody())
  anyOrForm(body: unknown) {
    return { body };
  }

  @PostMapping({ path: "/form/proto", consumes: FORM }, RequestBody())
  protoOfForm(body: unknown) {
    return this.proto(body);
  }

  @PostMapping(
    { path: "/form/named-user", consumes: FORM, status: HttpStatus.CREATED },
    RequestBody(User),
  )
  userOfForm(user: User) {
    return this.user(user);
  }

  @PostMapping("/form/field", FormParam("name"), FormParam("age", "int", { defaultValue: 1 }))
  field(name: string, age: number) {
    return { name, age };
  }

  @PostMapping("/form/list", FormParam("v", "int", { list: true }))
  list(v: number[]) {
    return { v };
  }

  @PostMapping("/form/parsed", FormParam("v", "int", { list: true }))
  @Use(async (context, next) => {
    await context.req.parseBody();
    await next();
  })
  parsed(v: number[]) {
    return { v };
  }

  @PostMapping("/form/again", FormParam("v", "int", { list: true }))
  async again(v: number[], request: HttpRequest) {
    return { v, again: (await request.context.req.formData()).get("v") };
  }

  @PostMapping("/form/user", FormParam(User))
  form(user: User) {
    return { kind: user.kind(), user };
  }

  @PostMapping("/part/file", RequestPart("file"))
  async file(file: File) {
    // Some runtimes add a charset to the type.
    const [type] = file.type.split(";");
    return { name: file.name, type, text: await file.text() };
  }

  @PostMapping("/part/files", RequestPart("file", { list: true, required: false }))
  files(files: File[] | undefined) {
    return { names: files?.map(({ name }) => name) ?? null };
  }

  @PostMapping("/part/json", RequestPart("user", User), RequestPart("file"))
  json(user: User, file: File) {
    return { kind: user.kind(), size: file.size };
  }

  @PostMapping("/text", RequestBody("text"))
  text(text: string) {
    return { text };
  }

  @PostMapping({ path: "/bytes", consumes: "application/octet-stream" }, RequestBody("bytes"))
  bytes(bytes: Uint8Array) {
    return { bytes: [...bytes] };
  }

  @PostMapping({ path: "/stream", maxBodySize: 3000 }, RequestBody("stream"))
  async stream(stream: ReadableStream<Uint8Array>) {
    let length = 0;
    for await (const chunk of stream) length += chunk.length;
    return { length };
  }

  @PostMapping({ path: "/small", maxBodySize: 10 }, RequestBody("text", { required: false }))
  small(text: string | undefined) {
    return { text: text ?? null };
  }

  @PostMapping("/taken", RequestBody())
  @Use(async (context, next) => {
    await context.req.raw.text();
    await next();
  })
  taken() {}

  @PostMapping("/request")
  async request(request: HttpRequest) {
    return { length: (await request.text()).length };
  }
}
