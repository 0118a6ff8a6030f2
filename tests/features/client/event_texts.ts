import * as fc from "fast-check";

const WORDS = [
  ..."data event id retry message a b 1 25 é ✓ : : :".split(" "),
  ...["data: b\n", "data:\r", "event: a\r\n", "id: é\n"],
  ...["data: ", "data:", "id: ", "event: ", "retry: ", ":", " ", "\0", "\uFEFF"],
  ...["\n", "\n", "\n\n", "\r", "\r\r", "\r\n", "\r\n\r\n"],
];

/** Texts that event streams may consist of, most of them malformed in places. */
export const EVENT_TEXTS: fc.Arbitrary<string> = fc.array(fc.constantFrom(...WORDS), {
  maxLength: 80,
  size: "max",
}).map((words) => words.join(""));
