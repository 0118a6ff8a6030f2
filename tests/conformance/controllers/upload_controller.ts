import {
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { MultipartStream, type Part } from "@irori/irori/multipart";

@RestController()
@RequestMapping("/uploads")
export class UploadController {
  @PostMapping({ path: "/parts", maxBodySize: 3000 }, MultipartStream())
  async parts(parts: AsyncIterable<Part>) {
    const found: unknown[] = [];
    for await (const part of parts) {
      const { name, filename = null, type } = part;
      found.push([name, filename, type, await part.text()]);
    }
    return found;
  }

  @PostMapping("/sizes/{id}", PathVariable("id", "int"), MultipartStream())
  async sizes(id: number, parts: AsyncIterable<Part>) {
    const found: unknown[] = [id];
    for await (const { name, body } of parts) {
      let size = 0;
      for await (const bytes of body) size += bytes.length;
      found.push([name, size]);
    }
    return found;
  }

  @PostMapping("/names", MultipartStream({ maxPartSize: 10, maxParts: 3 }))
  async names(parts: AsyncIterable<Part>) {
    const names: string[] = [];
    for await (const { name } of parts) names.push(name);
    return names;
  }

  @PostMapping("/first", MultipartStream())
  async first(parts: AsyncIterable<Part>) {
    for await (const part of parts) return await part.text();
  }

  /** Sends back what is still coming. */
  @PostMapping("/echo", MultipartStream())
  async echo(parts: AsyncIterable<Part>) {
    for await (const { name, body } of parts) {
      if (name === "file") return ResponseEntity.ok().withHeader("X-Name", name).setBody(body);
    }
  }

  @PostMapping("/none", MultipartStream())
  none(_: AsyncIterable<Part>, request: HttpRequest) {
    return request.method;
  }
}
