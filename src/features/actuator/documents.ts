import { type Config, type ConfigValue, namesAt, scalars } from "../../config/mod.ts";
import type { ApplicationContext } from "../../container/mod.ts";
import { HttpError } from "../../http/mod.ts";
import { type Route, servedRoute } from "../../web/mod.ts";
import type { Measurement, Meter } from "./meter_types.ts";
import type { LogLevels } from "./types.ts";

const MASK = "******";

export function beansDocument(context: ApplicationContext): unknown {
  const beans = [...context.beans.values()].map(({ name, scope, type, place }) => {
    return [name, {
      aliases: [],
      scope,
      type: type?.name ?? place,
      resource: place,
      dependencies: [],
    }];
  });
  return { contexts: { application: { beans: Object.fromEntries(beans), parentId: null } } };
}

export function mappingsDocument(routes: readonly Route[]): unknown {
  const dispatcherServlet = routes.map(servedRoute).map((route) => {
    const { method, path, consumes, produces, controller, handler, type, version, versions } =
      route;
    const name = version === undefined ? undefined : versions?.headerName;
    const list = (name: string, values: readonly string[]) =>
      values.length > 0 ? `, ${name} [${values.join(" || ")}]` : "";
    return {
      handler: `${controller}#${handler}`,
      predicate: `{${method} [${path}]${list("consumes", consumes)}${list("produces", produces)}}`,
      details: {
        handlerMethod: { className: type.name, name: handler },
        requestMappingConditions: {
          consumes: consumes.map((mediaType) => ({ mediaType, negated: false })),
          headers: name === undefined ? [] : [{ name, value: version, negated: false }],
          methods: [method],
          params: [],
          patterns: [path],
          produces: produces.map((mediaType) => ({ mediaType, negated: false })),
        },
      },
    };
  });
  const mappings = { dispatcherServlets: { dispatcherServlet }, servletFilters: [], servlets: [] };
  return { contexts: { application: { mappings, parentId: null } } };
}

/** Keys of the configuration; all values are masked, since a name does not tell what is a secret. */
export function environmentDocument(config: Config): unknown {
  const keys = config.keys().flatMap((key) => {
    const value = valueAt(config, key);
    return value === undefined ? [key] : [...scalars(value, key)].map(([inner]) => inner);
  });
  const properties = keys.map((key) => [key, { value: MASK }]);
  return {
    activeProfiles: namesAt(config, "profiles.active") ?? [],
    propertySources: [{ name: "configuration", properties: Object.fromEntries(properties) }],
  };
}

export function configurationDocument(config: Config): unknown {
  const beans = config.keys().map((prefix) => {
    return [prefix, { prefix, properties: masked(valueAt(config, prefix)), inputs: {} }];
  });
  return { contexts: { application: { beans: Object.fromEntries(beans), parentId: null } } };
}

function masked(value: ConfigValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== "object") return MASK;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)]));
}

/** A value that cannot be read, for want of a variable, is listed as one. */
function valueAt(config: Config, key: string): ConfigValue | undefined {
  try {
    return config.get(key);
  } catch {
    return undefined;
  }
}

/** @throws {HttpError} 404 for an unknown meter, 400 for an invalid tag */
export function meterDocument(
  meters: readonly Meter[],
  name: string,
  tags: readonly string[],
): unknown {
  const meter = meters.find((meter) => meter.name === name);
  if (meter === undefined) throw new HttpError(404, `There is no meter '${name}'`);
  const wanted = tags.map((tag) => {
    const [, key = "", value = ""] = /^([^:]+):(.*)$/.exec(tag) ?? [];
    if (key === "") throw new HttpError(400, `Expected a tag such as 'status:200', found '${tag}'`);
    return [key, value] as const;
  });
  const found = meter.measure().filter((measurement) =>
    wanted.every(([key, value]) => measurement.tags.get(key) === value)
  );
  if (found.length === 0 && wanted.length > 0) {
    throw new HttpError(404, `The meter '${name}' has no measurements with ${tags.join(", ")}`);
  }
  return {
    name,
    description: meter.description,
    baseUnit: meter.unit,
    measurements: measurementsOf(found),
    availableTags: availableTags(found, wanted.map(([key]) => key)),
  };
}

function measurementsOf(found: readonly Measurement[]): unknown {
  const sums = new Map<string, number>();
  for (const { statistics } of found) {
    for (const [statistic, value] of Object.entries(statistics)) {
      const before = sums.get(statistic) ?? 0;
      sums.set(statistic, statistic === "MAX" ? Math.max(before, value) : before + value);
    }
  }
  // As Jackson writes what JSON has no number for.
  return [...sums].map(([statistic, value]) => ({
    statistic,
    value: Number.isFinite(value) ? value : String(value),
  }));
}

function availableTags(found: readonly Measurement[], used: readonly string[]): unknown {
  const left = found.flatMap(({ tags }) => [...tags]).filter(([tag]) => !used.includes(tag));
  return [...Map.groupBy(left, ([tag]) => tag)].map(([tag, pairs]) => {
    return { tag, values: [...new Set(pairs.map(([, value]) => value))].sort() };
  });
}

export const EXPECTED_BODY = 'Expected a JSON object such as { "configuredLevel": "DEBUG" }';

export function loggersDocument(levels: LogLevels): unknown {
  const loggers = ["ROOT", ...levels.names()].map((name) => [name, loggerDocument(levels, name)]);
  return { levels: levels.levels, loggers: Object.fromEntries(loggers), groups: {} };
}

export function loggerDocument(levels: LogLevels, name: string): unknown {
  const configuredLevel = levels.configured(name);
  return { ...(configuredLevel && { configuredLevel }), effectiveLevel: levels.effective(name) };
}

/** `null` removes a level. @throws {HttpError} 400, also for a new name when there are a thousand */
export function changeLevel(levels: LogLevels, name: string, body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError(400, EXPECTED_BODY);
  }
  const { configuredLevel = null } = body as { readonly configuredLevel?: unknown };
  if (configuredLevel === null) return levels.set(name, undefined);
  const level = typeof configuredLevel === "string" ? configuredLevel.toUpperCase() : undefined;
  if (level === undefined || !levels.levels.includes(level)) {
    const found = level === undefined ? `a value of type ${typeof configuredLevel}` : `'${level}'`;
    throw new HttpError(400, `Expected a level (${levels.levels.join(", ")}), found ${found}`);
  }
  const names = levels.names();
  const isNew = name.toUpperCase() !== "ROOT" && !names.includes(name);
  if (isNew && names.length >= MAX_LOGGERS) {
    throw new HttpError(400, `Expected at most ${MAX_LOGGERS} loggers`);
  }
  if (isNew && name.length > MAX_NAME) {
    throw new HttpError(400, `Expected a name of at most ${MAX_NAME} characters`);
  }
  levels.set(name, level);
}

/** Each name that is set is kept. */
const MAX_LOGGERS = 1000;
const MAX_NAME = 200;
