import type { Handler } from "hono";
import { type Responder, varyAnswer, varying } from "../answer/chain.ts";
import { consumesFits, negotiate } from "../answer/media_type.ts";
import type { ApiVersions } from "../route/api_versions.ts";
import { compareSpecificity } from "../path/specificity.ts";
import type { Guard } from "../path/variables.ts";
import { decidingVersions, routesOfVersion } from "../route/route_versions.ts";
import type { ServedRoute } from "../route/served_route.ts";

export interface Candidate {
  readonly route: ServedRoute;
  readonly guard?: Guard;
  readonly respond: Responder;
}

/** The first route that fits; of one path that whose type the client prefers; then less specific paths. */
export function dispatcher(
  candidates: readonly Candidate[],
  refuse: (candidates: readonly Candidate[]) => Responder,
): Handler {
  const choices = byPath(candidates).map((samePath) => {
    const versions = decidingVersions(routesOf(samePath));
    return versions ? versionChoice(versions, samePath, refuse(samePath)) : choice(samePath);
  });
  const [only] = choices;
  if (only && choices.length === 1 && only.always) return only.always;
  return (context, next) => {
    let passed = NONE;
    for (const { guard, choose, deciding } of choices) {
      if (guard && !guard(context.req)) continue;
      const candidate = choose(context.req.raw);
      if (candidate) return passed.reduce(varying, candidate.respond)(context);
      passed = [...passed, ...deciding];
    }
    if (passed.length === 0) return next();
    return next().then(() => passed.forEach((header) => varyAnswer(context, header)));
  };
}

const NONE: readonly string[] = [];

function versionChoice(
  versions: ApiVersions,
  samePath: readonly Candidate[],
  refuse: Responder,
): Choice {
  const deciding = versions.header ? [versions.header] : NONE;
  const varied = samePath.map((one) => ({
    ...one,
    respond: deciding.reduce(varying, one.respond),
  }));
  const of = (routes: readonly ServedRoute[]) => {
    const same = varied.filter(({ route }) => routes.includes(route));
    return same.length > 0 ? choice(same) : undefined;
  };
  const routes = routesOf(samePath);
  const known = new Map(
    versions.supported.map((version) => [version, of(routesOfVersion(routes, version))]),
  );
  const others = of(routes.filter(({ version }) => version === undefined));
  const [first] = samePath;
  const refused = first && { ...first, respond: deciding.reduce(varying, refuse) };
  return {
    guard: first?.guard,
    deciding: [...deciding, ...choice(samePath).deciding],
    choose(request) {
      const version = versions.meant(request, others !== undefined);
      if (version === undefined) return others?.choose(request);
      return typeof version === "string" ? known.get(version)?.choose(request) : refused;
    },
  };
}

function routesOf(candidates: readonly Candidate[]): readonly ServedRoute[] {
  return candidates.map(({ route }) => route);
}

interface Choice {
  readonly guard?: Guard;
  /** The headers by which it may take none, and leave the request to less specific paths. */
  readonly deciding: readonly string[];
  readonly always?: Responder;
  /** Reads headers only if they decide: runtimes create them lazily. */
  readonly choose: (request: Request) => Candidate | undefined;
}

function choice(samePath: readonly Candidate[]): Choice {
  const [first] = samePath;
  const guard = first?.guard;
  if (first && first.route.consumes.length + first.route.produces.length === 0) {
    return {
      guard,
      always: guard ? undefined : first.respond,
      choose: () => first,
      deciding: NONE,
    };
  }
  const types = new Set(samePath.flatMap(({ route }) => route.produces[0] ? route.produces : ""));
  const offered = types.size < 2
    ? samePath
    : samePath.map((one) => ({ ...one, respond: varying(one.respond, "Accept") }));
  return {
    guard,
    choose: ({ headers }) => preferred(offered, headers),
    deciding: types.has("") ? NONE : ["Accept"],
  };
}

/** Candidates are sorted by `consumes`; `produces` decides among equals. */
function preferred(candidates: readonly Candidate[], headers: Headers): Candidate | undefined {
  const contentType = headers.get("content-type");
  const accept = headers.get("accept");
  let best: Candidate | undefined;
  let bestQuality = 0;
  for (const candidate of candidates) {
    const { consumes, produces } = candidate.route;
    if (best && consumes.join() !== best.route.consumes.join()) break;
    if (!consumesFits(consumes, contentType)) continue;
    const quality = produces.length === 0
      ? Number.MIN_VALUE
      : negotiate(produces, accept)?.quality ?? 0;
    if (quality <= bestQuality) continue;
    best = candidate;
    bestQuality = quality;
  }
  return best;
}

/** Adjacent candidates whose patterns match the same paths; names of variables may differ. */
function byPath(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates) {
    const previous = groups.at(-1);
    const [first] = previous ?? [];
    const { pattern } = candidate.route;
    const same = first && compareSpecificity(first.route.pattern, pattern) === 0;
    if (same) previous?.push(candidate);
    else groups.push([candidate]);
  }
  return groups;
}
