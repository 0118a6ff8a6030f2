import type { Handler } from "hono";
import type { Responder } from "./chain.ts";
import { consumesFits, negotiate } from "./media_type.ts";
import { compareSpecificity } from "./specificity.ts";
import type { ServedRoute } from "./served_route.ts";
import type { Guard } from "./variables.ts";

/** A route, ready to answer. */
export interface Candidate {
  readonly route: ServedRoute;
  /** What of its path is still to be checked. */
  readonly guard?: Guard;
  readonly respond: Responder;
}

/**
 * Chooses among the routes that share a Hono path and a method: the first whose path and conditions fit; of
 * routes with one path, the one whose type the client prefers. Where none fits, less specific paths follow.
 *
 * @param candidates in the order in which they are tried
 */
export function dispatcher(candidates: readonly Candidate[]): Handler {
  const choices = byPath(candidates).map((samePath) => choice(samePath));
  const [only] = choices;
  if (only && choices.length === 1 && only.always) return only.always;
  return (context, next) => {
    for (const { guard, choose } of choices) {
      if (guard !== undefined && !guard(context.req)) continue;
      const candidate = choose(context.req.raw);
      if (candidate) return candidate.respond(context);
    }
    return next();
  };
}

interface Choice {
  readonly guard?: Guard;
  /** Set when there is nothing to choose. */
  readonly always?: Responder;
  /** Asks for headers only where they decide: every runtime makes them when they are first asked for. */
  readonly choose: (request: Request) => Candidate | undefined;
}

function choice(samePath: readonly Candidate[]): Choice {
  const [first] = samePath;
  const guard = first?.guard;
  if (first && first.route.consumes.length + first.route.produces.length === 0) {
    return { guard, always: guard ? undefined : first.respond, choose: () => first };
  }
  return { guard, choose: ({ headers }) => preferred(samePath, headers) };
}

/** Candidates come sorted by what they consume; what they produce decides among equals. */
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

/** Neighbours whose patterns match the same paths; names of variables may differ. */
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
