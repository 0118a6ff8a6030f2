import { ConnectionError } from "../runner/mod.ts";

/** Nobody can tell whether the cluster has done what it was asked: no answer came, and doing it twice does harm. */
export class UncertainError extends ConnectionError {}
