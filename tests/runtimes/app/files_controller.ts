import { GetMapping, PathVariable, PostMapping, RequestHeader, RestController } from "@irori/irori";
import { fileResponse } from "@irori/irori/files";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** A controller of the files below a folder. */
export function filesController(root: string | URL): new () => object {
  @RestController()
  class FileController {
    @GetMapping("/files/{*path}", PathVariable("path"))
    file(path: string) {
      return fileResponse(path, { root });
    }

    @GetMapping("/strong/{*path}", PathVariable("path"))
    strong(path: string) {
      return fileResponse(path, { root, etag: "v1" });
    }

    @PostMapping("/files/{*path}", PathVariable("path"))
    post(path: string) {
      return fileResponse(path, { root, etag: "v1" });
    }

    @GetMapping("/downloads/{file}", PathVariable("file"), RequestHeader("X-Name"))
    download(file: string, name: string) {
      return fileResponse(file, { root, name: decodeURIComponent(name), type: "text/x-own" });
    }

    @GetMapping("/streams/tagged")
    tagged() {
      return fileResponse(new Blob([LETTERS]).stream(), { etag: "v1", name: "letters.txt" });
    }

    @GetMapping("/streams/plain")
    plain() {
      return fileResponse(pieces());
    }
  }
  return FileController;
}

async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const letter of LETTERS) yield await Promise.resolve(new TextEncoder().encode(letter));
}
