/**
 * OpenTelemetry spans for requests, when an SDK is registered.
 *
 * @example An application with spans
 * ```ts
 * import { bootstrap } from "@irori/irori";
 * import { tracing } from "@irori/irori/tracing";
 *
 * const app = await bootstrap({ config: {}, extensions: [tracing()] });
 * await app.close();
 * ```
 *
 * @module
 */
export { traceHeaders, tracing } from "./tracing.ts";
export type { Extension } from "../../app/mod.ts";
