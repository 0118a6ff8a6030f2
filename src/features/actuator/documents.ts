import { type Config, type ConfigValue, namesAt } from "../../config/mod.ts";
import type { ApplicationContext } from "../../container/mod.ts";
import { type Route, servedRoute } from "../../web/mod.ts";

const MASK = "******";

export function infoDocument(config: Config): unknown {
  return config.get("info") ?? {};
}

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
  const properties = keysOf(config).map((key) => [key, { value: MASK }]);
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

function keysOf(config: Config): readonly string[] {
  const found: string[] = [];
  const visit = (key: string, value: ConfigValue | undefined) => {
    if (Array.isArray(value)) value.forEach((inner, index) => visit(`${key}[${index}]`, inner));
    else if (value !== null && typeof value === "object") {
      for (const [name, inner] of Object.entries(value)) visit(`${key}.${name}`, inner);
    } else found.push(key);
  };
  for (const key of config.keys()) visit(key, valueAt(config, key));
  return found;
}

/** What cannot be read, for want of a variable, is listed as one value. */
function valueAt(config: Config, key: string): ConfigValue | undefined {
  try {
    return config.get(key);
  } catch {
    return undefined;
  }
}
