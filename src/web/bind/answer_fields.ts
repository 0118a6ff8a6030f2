import { withAppendedHeader } from "../../http/mod.ts";
import { followedBy } from "../../text/mod.ts";
import type { AnswerFields, Exchange } from "./binder.ts";

export function answerFields(
  descriptions: AnswerFields["descriptions"],
  of: AnswerFields["of"],
): AnswerFields {
  return { descriptions, of, collected };
}

const collected: AnswerFields["collected"] = (sources) => {
  const known = new WeakMap<Exchange, readonly (readonly [string, string])[]>();
  return {
    looking: (invoke) => (exchange) =>
      followedBy(invoke(exchange), (value) => {
        known.set(exchange, sources.flatMap((source) => source.of(exchange, value)));
        return value;
      }),
    addedTo: (response, exchange) =>
      (known.get(exchange) ?? []).reduce(
        (response, [name, value]) => withAppendedHeader(response, name, value),
        response,
      ),
  };
};
