/** Takes tokens from everywhere; prints a token to begin with, and all that it logs and traces unless it is to be silent. */
import process from "node:process";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { Hono } from "hono";
import {
  bootstrap,
  DeleteMapping,
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestParam,
  RestController,
} from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { requestContext } from "@irori/irori/context";
import { logging } from "@irori/irori/logging";
import {
  CurrentUser,
  currentUser,
  issueToken,
  jwt,
  type JwtOptions,
  type Principal,
  RolesAllowed,
  security,
} from "@irori/irori/security";
import { tracing } from "@irori/irori/tracing";
import { webSocket } from "@irori/irori/websocket";

const exporter = {
  export(spans: readonly { readonly name: string; readonly attributes: unknown }[], done: Done) {
    for (const { name, attributes } of spans) console.log("span", name, JSON.stringify(attributes));
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
type Done = (result: { code: number }) => void;
const isSilent = process.env.IS_SILENT !== undefined;
const spanProcessors = isSilent ? [] : [new SimpleSpanProcessor(exporter)];
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));

@RestController()
class TokenController {
  @GetMapping("/me", CurrentUser())
  me({ name }: Principal) {
    return { name };
  }

  @GetMapping("/deep")
  async deep() {
    await Promise.resolve();
    return { name: currentUser()?.name };
  }

  @PostMapping("/me", CurrentUser())
  change({ name }: Principal) {
    return { name };
  }

  @DeleteMapping("/me", CurrentUser())
  remove({ name }: Principal) {
    return { name };
  }

  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {}

  @GetMapping("/fails")
  fails() {
    throw new TypeError("A defect");
  }

  @GetMapping("/unsendable")
  unsendable() {
    return { big: 1n };
  }

  @GetMapping("/stream")
  async *stream() {
    await Promise.resolve();
    yield "first";
    throw new Error("A defect of the stream");
  }

  @GetMapping("/bound/{id}", PathVariable("id", "int"), RequestParam("access_token", "int"))
  bound(id: number, token: number) {
    return { id, token };
  }

  @GetMapping("/socket", CurrentUser())
  socket({ name }: Principal, request: HttpRequest) {
    return webSocket(request, {
      open: (socket) => socket.send(`welcome ${name}`),
      message: () => {
        throw new Error("A defect of the socket");
      },
    }, { origins: "*" });
  }
}

const settings: JwtOptions = {
  issuer: "https://id.example",
  audience: "tokens",
  secret: "a secret of at least thirty-two bytes",
  from: ["header", "cookie", "query", "subprotocol"],
  cookie: { origins: ["https://partner.example"] },
};
const app = await bootstrap({
  components: [TokenController],
  config: {
    server: { port: 0, address: "127.0.0.1" },
    logging: { level: { root: isSilent ? "OFF" : "TRACE" } },
    management: { endpoints: { web: { exposure: { include: "*" } } } },
  },
  extensions: [
    logging(),
    tracing(),
    requestContext(),
    actuator(),
    security({ schemes: { token: jwt(settings) } }),
  ],
});
app.hono.route("/mounted", new Hono().get("/*", (context) => context.text("mounted")));
console.log(`token ${await issueToken(settings, { sub: "ada" }, { expiresIn: 600 })}`);
const { url } = await app.listen();
console.log(`url ${url}`);
