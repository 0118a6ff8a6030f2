/** Scheduled tasks: `@Scheduled()` on methods of beans. */
export {};
