import type { Context } from "hono";
import {
  type Configurable,
  type ExtendedApplication,
  type Extension,
  optionsOf,
} from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { HttpError, HttpRequest } from "../../http/mod.ts";
import type { Endpoint, HttpMethod } from "../../web/mod.ts";
import {
  beansDocument,
  configurationDocument,
  environmentDocument,
  infoDocument,
  mappingsDocument,
} from "./documents.ts";
import { healthCheck, type HealthDocument } from "./health.ts";
import { changeLevel, EXPECTED_BODY, loggerDocument, loggersDocument } from "./loggers.ts";
import { otelInstruments } from "./instruments.ts";
import { MeterRegistry } from "./meter_registry.ts";
import { meterSettings } from "./meter_settings.ts";
import { meterDocument } from "./metrics.ts";
import { processMeters } from "./process_meters.ts";
import { prometheusFormat, prometheusText } from "./prometheus.ts";
import { REQUESTS, requestTimer } from "./request_timer.ts";
import { type ActuatorSettings, actuatorSettings } from "./settings.ts";
import type { ActuatorOptions } from "./types.ts";

/**
 * Health, metrics and more under `/actuator`, in the formats of Spring Boot's Actuator. Only `health` is exposed unless
 * `management.endpoints.web.exposure.include` names more. It brings the bean {@linkcode MeterRegistry}. Requests are timed
 * only where `metrics` or `prometheus` is exposed, or an SDK of OpenTelemetry for metrics is registered.
 *
 * @param given what it shows besides, or a function that makes that of the configuration
 * @throws {ConfigError} when `management` of the configuration is wrong
 */
export function actuator(given: Configurable<ActuatorOptions> = {}): Extension {
  const extension: Extension = async (application) => {
    const options = await optionsOf(given, application.config);
    const settings = actuatorSettings(application.config);
    const { runtime, context } = application;
    const registry = context.get(MeterRegistry);
    const all: Readonly<Record<string, readonly Part[]>> = {
      health: await healthParts(application, options, settings),
      ...documentParts(application),
      metrics: [
        { path: "", answer: () => json({ names: registry.meters().map(({ name }) => name) }) },
        {
          path: "/:name",
          answer: ({ req }) =>
            json(
              meterDocument(registry.meters(), req.param("name") ?? "", req.queries("tag") ?? []),
            ),
        },
      ],
      prometheus: [{ path: "", answer: ({ req }) => prometheus(registry, req.header("accept")) }],
      ...migrationParts(application, options),
      ...loggerParts(options),
    };
    const exposed = Object.entries(all).filter(([name]) => settings.exposes(name));
    const basePath = application.contextPath + settings.basePath;
    const endpoints: readonly Endpoint[] = exposed.flatMap(([name, parts]) =>
      parts.map(({ path, method = "GET", answer: respond }): Endpoint => ({
        method,
        path: `${basePath}/${name}${path}`,
        respond,
        ...(name === "health" && { isProbe: true }),
      }))
    );
    const index: Endpoint = {
      method: "GET",
      path: basePath,
      respond: ({ req }) => json(links(new URL(req.url).origin + basePath, exposed)),
    };
    const isMeasured = settings.exposes("metrics") || settings.exposes("prometheus") ||
      otelInstruments() !== undefined;
    if (isMeasured && runtime) processMeters(registry, () => runtime.usage());
    return {
      endpoints: [index, ...endpoints],
      disabled: Object.keys(all).map((name) => `${basePath}/${name}/*`),
      ...(isMeasured && { interceptor: requestTimer(registry) }),
    };
  };
  return Object.assign(extension, {
    beans: (config: Config) => ({ instances: { meterRegistry: meterRegistry(config) } }),
  });
}

function meterRegistry(config: Config): MeterRegistry {
  const instruments = otelInstruments();
  return new MeterRegistry({
    ...meterSettings(config),
    timers: [REQUESTS],
    ...(instruments && { instruments }),
  });
}

interface Part {
  readonly path: string;
  readonly method?: HttpMethod;
  answer(context: Context): Response | Promise<Response>;
}

async function healthParts(
  { context, config }: ExtendedApplication,
  { health = [] }: ActuatorOptions,
  settings: ActuatorSettings,
): Promise<readonly Part[]> {
  const check = await healthCheck(context, config, health, settings);
  const answer = (document: HealthDocument) =>
    json(document, document.status === "DOWN" || document.status === "OUT_OF_SERVICE" ? 503 : 200);
  return [
    { path: "", answer: async () => answer((await check())!) },
    {
      path: "/:path",
      async answer({ req }) {
        const path = req.param("path") ?? "";
        const document = await check(path);
        if (document === undefined) {
          throw new HttpError(404, `There is no health component or group '${path}'`);
        }
        return answer(document);
      },
    },
  ];
}

function documentParts(
  { config, context, routes }: ExtendedApplication,
): Readonly<Record<string, readonly Part[]>> {
  const documents: Readonly<Record<string, () => unknown>> = {
    info: () => infoDocument(config),
    mappings: () => mappingsDocument(routes),
    beans: () => beansDocument(context),
    env: () => environmentDocument(config),
    configprops: () => configurationDocument(config),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => {
      return [name, [{ path: "", answer: () => json(document()) }]];
    }),
  );
}

function migrationParts(
  { config }: ExtendedApplication,
  { migrations }: ActuatorOptions,
): Readonly<Record<string, readonly Part[]>> {
  if (migrations === undefined) return {};
  const answer = async () => {
    const found = await Promise.all(migrations.map((contribute) => contribute(config)));
    return json({ contexts: { application: { migrations: Object.assign({}, ...found) } } });
  };
  return { migrations: [{ path: "", answer }] };
}

function loggerParts({ loggers }: ActuatorOptions): Readonly<Record<string, readonly Part[]>> {
  if (loggers === undefined) return {};
  const nameOf = ({ req }: Context) => req.param("name") ?? "";
  return {
    loggers: [
      { path: "", answer: () => json(loggersDocument(loggers)) },
      { path: "/:name", answer: (context) => json(loggerDocument(loggers, nameOf(context))) },
      {
        path: "/:name",
        method: "POST",
        async answer(context) {
          const body = await new HttpRequest(context).json().catch((cause) => {
            throw cause instanceof HttpError && cause.status.value !== 400
              ? cause
              : new HttpError(400, EXPECTED_BODY, { cause });
          });
          changeLevel(loggers, nameOf(context), body);
          return new Response(null, { status: 204 });
        },
      },
    ],
  };
}

function links(base: string, exposed: readonly (readonly [string, readonly Part[]])[]): unknown {
  const found: Record<string, unknown> = { self: { href: base, templated: false } };
  for (const [name, parts] of exposed) {
    for (const { path, method } of parts) {
      if (method !== undefined) continue;
      const variable = path.slice(2);
      const key = variable === "" ? name : `${name}-${variable}`;
      const end = variable === "" ? "" : `/{${variable}}`;
      found[key] = { href: `${base}/${name}${end}`, templated: variable !== "" };
    }
  }
  return { _links: found };
}

function json(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(document), { status, headers: JSON_HEADERS });
}

function prometheus(registry: MeterRegistry, accept: string | undefined): Response {
  const format = prometheusFormat(accept ?? null);
  return new Response(prometheusText(registry.meters(), format), {
    headers: { "Content-Type": format, "Vary": "Accept" },
  });
}

const JSON_HEADERS = {
  "Content-Type": "application/vnd.spring-boot.actuator.v3+json",
  "Cache-Control": "no-store",
};
