/**
 * WebSockets as answers of handlers.
 *
 * @example Send everything back
 * ```ts
 * import { GetMapping, type HttpRequest, RestController } from "@irori/irori";
 * import { webSocket } from "@irori/irori/websocket";
 *
 * @RestController()
 * class EchoController {
 *   @GetMapping("/echo")
 *   echo(request: HttpRequest) {
 *     return webSocket(request, { message: (data, socket) => socket.send(data) });
 *   }
 * }
 * ```
 *
 * @module
 */
export {
  webSocket,
  type WebSocketAnswer,
  type WebSocketConnection,
  type WebSocketEvents,
  type WebSocketOptions,
} from "./web_socket.ts";
