/** Options and extensions that applications have beside their routes, as those of users do. */
import type { BootstrapOptions } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { browser } from "@irori/irori/browser";
import { requestContext } from "@irori/irori/context";
import { logging } from "@irori/irori/logging";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { SMALL } from "../../../benches/http/servers/small_middleware.ts";
import { secured } from "../../conformance/app.ts";
import { TOKENS } from "../../conformance/callers.ts";

type Setting = Pick<BootstrapOptions, "middleware" | "extensions">;

/** CORS and security headers, for pages of any origin. */
const BROWSER: Setting = {
  extensions: [secured("permitAll"), browser({ cors: true, headers: true })],
};

/** Metrics, an access log and a token: a request needs {@linkcode AUTHORIZATION}. */
const EQUIPPED: Setting = {
  extensions: [secured("authenticated"), actuator(), logging(), requestContext()],
};

export const SETTINGS = {
  plain: {},
  browser: BROWSER,
  hono: { middleware: [cors(), secureHeaders()] },
  middleware: { middleware: SMALL },
  equipped: EQUIPPED,
} satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

export const AUTHORIZATION = `Bearer ${TOKENS.user}`;
