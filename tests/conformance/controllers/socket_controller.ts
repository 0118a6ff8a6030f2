import { GetMapping, type HttpRequest, RestController } from "../../../mod.ts";
import { webSocket } from "@irori/irori/websocket";

@RestController()
export class SocketController {
  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, {
      message: (data, socket) => {
        const [, code, length, letter = "x"] = /^close (\S+) (\d+) ?(.)?$/.exec(`${data}`) ?? [];
        try {
          // As a mistake of types would call it.
          if (data === "close as text") return socket.close("1000" as never);
          if (code !== undefined) return socket.close(Number(code), letter.repeat(Number(length)));
        } catch (error) {
          return socket.send(`${(error as Error).name} ${(error as Error).message}`);
        }
        socket.send(`${socket.isOpen} ${request.signal.aborted} ${data}`);
      },
    });
  }
}
