import { GetMapping, type HttpRequest, RestController } from "../../../mod.ts";
import { webSocket } from "@irori/irori/websocket";

@RestController()
export class SocketController {
  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, {
      message: (data, socket) => socket.send(`${socket.isOpen} ${data}`),
    });
  }
}
