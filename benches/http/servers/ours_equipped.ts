/** With metrics, an access log and a token that each request must have. */
import { actuator } from "irori/actuator";
import { logging } from "irori/logging";
import { jwt, security } from "irori/security";
import { SECRET } from "../token.ts";
import { ours } from "./ours_app.ts";

const app = await ours({
  extensions: [
    security({ schemes: { token: jwt({ issuer: "bench", audience: "bench", secret: SECRET }) } }),
    actuator(),
    logging(),
  ],
  config: {
    server: { address: "127.0.0.1", port: 0 },
    management: { endpoints: { web: { exposure: { include: "prometheus" } } } },
  },
});

console.error((await app.listen()).url);
