/** What every failed assertion throws. */
export class AssertionError extends Error {
  override name = "AssertionError";
}
