/** Requests that take effect once: `idempotent` in a mapping. */
export {};
