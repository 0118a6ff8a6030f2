/** With CORS, security headers, metrics, an access log and a token that each request must have. */
import { actuator } from "irori/actuator";
import { logging } from "irori/logging";
import { jwt, security } from "irori/security";
import { SECRET } from "../token.ts";
import { ours } from "./ours_app.ts";
import { FOR_BROWSERS } from "./ours_for_browsers.ts";

const app = await ours({
  extensions: [
    FOR_BROWSERS,
    security({ schemes: { token: jwt({ issuer: "bench", audience: "bench", secret: SECRET }) } }),
    actuator(),
    logging(),
  ],
  config: { management: { endpoints: { web: { exposure: { include: "prometheus" } } } } },
});

console.error((await app.listen()).url);
