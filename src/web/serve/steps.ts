import { isBodiless } from "../../http/mod.ts";
import { isOpenWithUser } from "../access.ts";
import type { BinderInput } from "../bind/binder.ts";
import { PLACES } from "../bind/places.ts";
import { passOn, type ServedRoute } from "../route/served_route.ts";
import type { RouteExchange } from "./exchange.ts";
import { functionsText } from "./lane_obstacles.ts";

/** The work for a request, by the names of the steps, in their order. */
export type Steps = Readonly<Record<string, string>>;

export function stepsOf(route: ServedRoute, shared: Steps): Steps {
  const all = Object.values(stepsByPart(route, shared)).flatMap(Object.entries);
  return Object.fromEntries(all.filter(([, text]) => text !== ""));
}

/** The steps of each part of a plan: a new part does not compile without its texts. Steps without a text are skipped. */
export function stepsByPart(
  route: ServedRoute,
  shared: Steps,
): Record<keyof RouteExchange["plan"], Steps> {
  const { access, binders, consumes, produces, status = 200, deprecation = [] } = route;
  const uses = route.middleware.filter((one) => one !== passOn);
  const isOfUser = access && (access.allows !== "permitAll" || isOpenWithUser(route));
  return {
    isShared: { host: "checked", ...shared },
    parts: {
      version: route.version ?? "",
      "Content-Type": consumes.join(" or "),
      Accept: produces.join(" or "),
    },
    observation: { observers: "those of extensions, if there are any" },
    maxBytes: {
      body: route.method === "GET"
        ? ""
        : `at most ${route.maxBodySize ?? "'server.max-body-size'"} bytes`,
    },
    uses: { "@Use()": functionsText(uses) },
    guard: {
      access: access?.roles?.join(" or ") ?? access?.allows ?? "default",
      "security()": uses.length < route.middleware.length ? "its middleware" : "",
    },
    invoke: {
      binders: binders.map(({ input }) => placeText(input)).join(", "),
      "@PreAuthorize": functionsText(route.accessRules),
      handler: `${route.controller}.${route.handler}()`,
      returns: route.returns ? "checked by its schema" : "",
    },
    json: {},
    status: {},
    answer: {
      answer: `status ${status}, ${
        isBodiless(status) ? "no body" : produces.join(" or ") || "objects as JSON"
      }`,
    },
    fields: {
      headers: [
        ...binders.flatMap(({ fields }) => Object.keys(fields?.descriptions ?? {})),
        ...deprecation.map(([name]) => name),
      ].join(", "),
      "Cache-Control": isOfUser ? "no-store for users" : "",
    },
    fail: {},
  };
}

function placeText({ in: place, name, isUser, parameters = {} }: BinderInput): string {
  const names = name === undefined ? Object.keys(parameters) : [name];
  return [
    PLACES[place].label ?? (isUser ? "user" : "custom binder"),
    ...names.map((one) => `'${one}'`),
  ].join(" ");
}
