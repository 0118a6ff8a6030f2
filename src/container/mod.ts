/** Beans: classes declared by decorators, created once for each application and injected into each other. */
export type * from "./types.ts";
export * from "./errors.ts";
export {
  addedMetadata,
  addMetadata,
  allMetadata,
  type AnyClass,
  type ClassContext,
  decorator,
  type FieldContext,
  lineage,
  type MetadataKey,
  metadataKey,
  type MethodContext,
  ownMetadata,
  requireCall,
  standardOnly,
} from "./metadata.ts";
export {
  Component,
  Configuration,
  declarationOf,
  isComponent,
  Service,
  stereotype,
} from "./component.ts";
export { beanName, CIRCULAR, parametersOf, requireComponent } from "./_definitions.ts";
export { broughtBy, type ComponentDeclaration } from "./_keys.ts";
export * from "./members.ts";
export { callReady } from "./_life_cycle.ts";
export { decorate } from "./decorate.ts";
export { inject, isInjecting } from "./inject.ts";
export { fitsProfiles, Profile } from "./profile.ts";
export * from "./context.ts";
