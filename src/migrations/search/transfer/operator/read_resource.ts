import { field, isObject, type Json, omit } from "../../json/json_values.ts";
import type { Manifest } from "./manifests.ts";
import { readFields } from "./read_fields.ts";
import type { ResourceKind } from "./resources.ts";
import { type Fields, object, required, TEXT } from "./shapes.ts";

/** A resource of the operator, read. */
export interface Resource {
  readonly manifest: Manifest;
  readonly kind: ResourceKind;
  /** On the cluster. */
  readonly name: string;
  readonly body: Json;
  /** What it has that the request has not, in snake case as well. */
  readonly aside: Json;
}

/** What every resource of the operator has. */
const COMMON: Fields = { opensearchCluster: required(object({ name: required(TEXT) })) };

/**
 * Reads a manifest by its kind; what is wrong with it is said to its place. Fields that the request has not are in `aside`.
 *
 * @returns `undefined` where it has no name or no `spec`
 */
export function readResource(manifest: Manifest, kind: ResourceKind): Resource | undefined {
  const { content, place } = manifest;
  if (manifest.name === "") {
    return void place.at("metadata").at("name").refuse("Expected a text, found nothing");
  }
  for (const name of Object.keys(content)) {
    if (KNOWN.includes(name)) continue;
    place.at(name).warn(`'${name}' is not known and left out: expected 'spec'`);
  }
  const { spec } = content;
  if (!isObject(spec)) return void place.at("spec").refuse("Expected an object 'spec'");
  const beside: Fields = { ...COMMON, ...kind.aside };
  const below = place.at("spec");
  const own = omit(spec, (name) => Object.hasOwn(beside, name));
  const aside = readFields(omit(spec, (name) => Object.hasOwn(own, name)), beside, below) ?? {};
  const body = readFields(own, kind.fields, below) ?? {};
  warnOfStatus(manifest);
  if (field(content.metadata, "deletionTimestamp") != null) {
    place.at("metadata").at("deletionTimestamp").warn(
      "The resource is being deleted, and its file makes it again: take it out, unless you want that",
    );
  }
  const named = kind.name === undefined ? undefined : spec[kind.name];
  return {
    manifest,
    kind,
    name: typeof named === "string" && named !== "" ? named : manifest.name,
    body: kind.finish?.(body, aside, below) ?? body,
    aside,
  };
}

/** The operator leaves alone what was there before it: the cluster has something else than the resource says. */
function warnOfStatus({ content, place }: Manifest): void {
  const state = field(content.status, "state");
  if (state !== "IGNORED" && state !== "ERROR") return;
  place.at("status").at("state").warn(
    state === "IGNORED"
      ? "The operator has never applied the resource, since the cluster had one of its name before: compare by 'plan'"
      : "The operator could not apply the resource as it is: compare by 'plan'",
  );
}

const KNOWN = ["apiVersion", "kind", "metadata", "spec", "status"];
