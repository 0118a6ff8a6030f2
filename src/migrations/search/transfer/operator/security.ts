import { type Fields, list, required, TEXT, TEXT_MAP, TEXTS } from "./shapes.ts";

/** A role. */
export const ROLE: Fields = {
  clusterPermissions: TEXTS,
  indexPermissions: list({
    indexPatterns: TEXTS,
    dls: TEXT,
    fls: TEXTS,
    allowedActions: TEXTS,
    maskedFields: TEXTS,
  }),
  tenantPermissions: list({ tenantPatterns: TEXTS, allowedActions: TEXTS }),
};

/** An internal user, without its password. */
export const USER: Fields = {
  opendistroSecurityRoles: TEXTS,
  backendRoles: TEXTS,
  attributes: TEXT_MAP,
};

/** Who is given which roles. */
export const BINDING: Fields = {
  roles: required(TEXTS),
  users: TEXTS,
  backendRoles: TEXTS,
};

/** An action group. */
export const ACTION_GROUP: Fields = {
  allowedActions: required(TEXTS),
  type: TEXT,
  description: TEXT,
};

/** A tenant. */
export const TENANT: Fields = { description: { ...TEXT, keepsZero: true, fallback: "" } };
