import type { Context } from "hono";
import { type Configurable, configured, type Extension } from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { HttpError, HttpRequest } from "../../http/mod.ts";
import type { ProcessUsage } from "../../runtime/mod.ts";
import type { Endpoint, HttpMethod } from "../../web/mod.ts";
import {
  beansDocument,
  changeLevel,
  configurationDocument,
  environmentDocument,
  EXPECTED_BODY,
  loggerDocument,
  loggersDocument,
  mappingsDocument,
  meterDocument,
} from "./documents.ts";
import { type HealthCheck, healthCheck, type HealthDocument } from "./health.ts";
import { otelInstruments } from "./instruments.ts";
import { MeterRegistry } from "./meter_registry.ts";
import { meterSettings } from "./meter_settings.ts";
import { prometheusFormat, prometheusText } from "./prometheus.ts";
import { REQUESTS, requestTimer } from "./request_timer.ts";
import { actuatorSettings } from "./settings.ts";
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
    const { config, context, routes, runtime } = application;
    const options = await configured(given, config);
    const settings = actuatorSettings(config);
    const registry = context.get(MeterRegistry);
    const all: SubRoutes = {
      health: healthParts(await healthCheck(context, config, options.health, settings)),
      info: [["", () => json(config.get("info") ?? {})]],
      mappings: [["", () => json(mappingsDocument(routes))]],
      beans: [["", () => json(beansDocument(context))]],
      env: [["", () => json(environmentDocument(config))]],
      configprops: [["", () => json(configurationDocument(config))]],
      metrics: [
        ["", () => json({ names: registry.meters().map(({ name }) => name) })],
        ["/:name", (context) => {
          const tags = context.req.queries("tag") ?? [];
          return json(meterDocument(registry.meters(), nameIn(context), tags));
        }],
      ],
      prometheus: [["", ({ req }) => prometheus(registry, req.header("accept"))]],
      ...migrationParts(config, options),
      ...loggerParts(options),
    };
    const exposed = Object.entries(all).filter(([name]) => settings.exposes(name));
    const basePath = application.contextPath + settings.basePath;
    const endpoints: readonly Endpoint[] = exposed.flatMap(([name, parts]) =>
      parts.map(([path, respond, method = "GET"]): Endpoint => ({
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
      ...(isMeasured && { observe: requestTimer(registry) }),
    };
  };
  return Object.assign(extension, {
    beans: (config: Config) => {
      const own = { timers: [REQUESTS], instruments: otelInstruments() };
      return {
        instances: { meterRegistry: new MeterRegistry({ ...meterSettings(config), ...own }) },
      };
    },
  });
}

type SubRoute = readonly [
  path: string,
  answer: (context: Context) => Response | Promise<Response>,
  method?: HttpMethod,
];

type SubRoutes = Readonly<Record<string, readonly SubRoute[]>>;

function healthParts(check: HealthCheck): readonly SubRoute[] {
  const answer = (document: HealthDocument) =>
    json(document, document.status === "DOWN" || document.status === "OUT_OF_SERVICE" ? 503 : 200);
  return [
    ["", async () => answer((await check())!)],
    ["/:path", async ({ req }) => {
      const path = req.param("path") ?? "";
      const document = await check(path);
      if (document !== undefined) return answer(document);
      throw new HttpError(404, `There is no health component or group '${path}'`);
    }],
  ];
}

function migrationParts(config: Config, { migrations }: ActuatorOptions): SubRoutes {
  if (migrations === undefined) return {};
  const answer = async () => {
    const found = await Promise.all(migrations.map((contribute) => contribute(config)));
    return json({ contexts: { application: { migrations: Object.assign({}, ...found) } } });
  };
  return { migrations: [["", answer]] };
}

function loggerParts({ loggers }: ActuatorOptions): SubRoutes {
  if (loggers === undefined) return {};
  const change: SubRoute[1] = async (context) => {
    const body = await new HttpRequest(context).json().catch((cause) => {
      throw cause instanceof HttpError && cause.status.value !== 400
        ? cause
        : new HttpError(400, EXPECTED_BODY, { cause });
    });
    changeLevel(loggers, nameIn(context), body);
    return new Response(null, { status: 204 });
  };
  return {
    loggers: [
      ["", () => json(loggersDocument(loggers))],
      ["/:name", (context) => json(loggerDocument(loggers, nameIn(context)))],
      ["/:name", change, "POST"],
    ],
  };
}

function nameIn({ req }: Context): string {
  return req.param("name") ?? "";
}

function links(base: string, exposed: readonly [string, readonly SubRoute[]][]): unknown {
  const found: Record<string, unknown> = { self: { href: base, templated: false } };
  for (const [name, parts] of exposed) {
    for (const [path, , method] of parts) {
      if (method !== undefined) continue;
      const href = `${base}/${name}${path.replace(/:(.+)/, "{$1}")}`;
      found[name + path.replace("/:", "-")] = { href, templated: path !== "" };
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

function processMeters(registry: MeterRegistry, usage: () => ProcessUsage): void {
  // One registry may serve several applications, of one process.
  if (measured.has(registry)) return;
  measured.add(registry);
  for (const [name, baseUnit, description, value] of PROCESS_METERS) {
    registry.gauge(name, () => value(usage()), {}, { baseUnit, description });
  }
  const cpu = { baseUnit: "seconds", description: "Processor time of the process" };
  registry.functionCounter("process.cpu", () => usage().cpuSeconds, {}, cpu);
}

const measured = new WeakSet<MeterRegistry>();

type ProcessMeter = [name: string, unit: string, text: string, value: (of: ProcessUsage) => number];
const START = "Start time of the process since the Unix epoch";
const PROCESS_METERS: readonly ProcessMeter[] = [
  ["process.uptime", "seconds", "The uptime of the process", (of) => of.uptimeSeconds],
  ["process.start.time", "seconds", START, (of) => Date.now() / 1000 - of.uptimeSeconds],
  ["process.resident.memory", "bytes", "Resident memory", (of) => of.residentBytes],
  ["process.heap", "bytes", "Size of the script engine's heap", (of) => of.heapBytes],
  ["process.heap.used", "bytes", "What is used of the heap", (of) => of.heapUsedBytes],
];
