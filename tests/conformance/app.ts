import { type Application, bootstrap, type BootstrapOptions, type Extension } from "../../mod.ts";
import { apiKey, basic, jwt, security } from "@irori/irori/security";
import { AUDIENCE, ISSUER, KEYS, PUBLIC_KEY, SECRET, USERS } from "./callers.ts";
import { AnswerController } from "./controllers/answer_controller.ts";
import { BeanController } from "./controllers/bean_controller.ts";
import { BindingController } from "./controllers/binding_controller.ts";
import { BodyController } from "./controllers/body_controller.ts";
import { ConditionalController } from "./controllers/conditional_controller.ts";
import {
  CorsController,
  MiddlewareController,
  TaggedController,
} from "./controllers/middleware_controller.ts";
import { FailingController, StockErrors } from "./controllers/failing_controller.ts";
import { PageController } from "./controllers/page_controller.ts";
import { ReturnsController } from "./controllers/returns_controller.ts";
import { PlainController, RoutingController } from "./controllers/routing_controller.ts";
import { SecuredController } from "./controllers/secured_controller.ts";
import { SocketController } from "./controllers/socket_controller.ts";
import { UploadController } from "./controllers/upload_controller.ts";
import { VersionController } from "./controllers/version_controller.ts";
import { WireController } from "./controllers/wire_controller.ts";

/** Settings of the application under test; limits are small so that a case can be too large. */
export const SERVER = {
  port: 0,
  address: "127.0.0.1",
  "max-body-size": 2000,
  "max-form-fields": 10,
  "api-version": { header: "X-API-Version", default: "2", supported: ["1", "2", "3"] },
};

/** The extension that secures its routes. @param fallback for those without an annotation */
export function secured(fallback: "authenticated" | "permitAll"): Extension {
  return security({
    schemes: {
      secret: jwt({ issuer: ISSUER, audience: AUDIENCE, secret: SECRET }),
      key: jwt({ issuer: ISSUER, audience: AUDIENCE, publicKey: PUBLIC_KEY }),
      password: basic({ users: USERS }),
      parameter: apiKey({ in: "query", name: "key", keys: KEYS }),
    },
    default: fallback,
  });
}

/** All but {@linkcode CorsController}. */
export const COMPONENTS = [
  AnswerController,
  BeanController,
  BindingController,
  BodyController,
  ConditionalController,
  FailingController,
  MiddlewareController,
  PageController,
  PlainController,
  ReturnsController,
  RoutingController,
  SecuredController,
  SocketController,
  StockErrors,
  TaggedController,
  UploadController,
  VersionController,
  WireController,
];

/** The application that the suite is run against. */
export function conformanceApp(
  options: BootstrapOptions = {},
  components = [...COMPONENTS, CorsController],
): Promise<Application> {
  return bootstrap({
    config: { server: SERVER },
    components,
    extensions: [secured("permitAll")],
    ...options,
  });
}
