import {
  CLUSTER_SETTINGS,
  DATA_STREAMS,
  LIFECYCLES,
  PIPELINES,
  REPOSITORIES,
  SCRIPTS,
  SEARCH_PIPELINES,
} from "./named.ts";
import { INDICES, MAPPINGS, SETTINGS } from "./indices.ts";
import { POLICIES } from "./policies.ts";
import { SECURITY } from "./security.ts";
import { SNAPSHOT_LIFECYCLES, SNAPSHOT_POLICIES } from "./snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "./templates.ts";
import type { Kind } from "./types.ts";

/** No path belongs to two kinds. */
export const KINDS: readonly Kind[] = [
  INDEX_TEMPLATES,
  COMPONENT_TEMPLATES,
  POLICIES,
  LIFECYCLES,
  PIPELINES,
  SEARCH_PIPELINES,
  SCRIPTS,
  DATA_STREAMS,
  CLUSTER_SETTINGS,
  REPOSITORIES,
  SNAPSHOT_POLICIES,
  SNAPSHOT_LIFECYCLES,
  ...SECURITY,
  MAPPINGS,
  SETTINGS,
  INDICES,
];
