/** The type of `pieces`; the change from one to the other needs a copy. */
export type Pieces = "integer" | "long";

/** The body of an index of orders: what the migration file says. */
export function indexBody(pieces: Pieces) {
  return {
    // A refresh interval of its own, so that refreshes do not depend on the time of the last search.
    settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: "1s" },
    mappings: {
      properties: {
        customer: {
          properties: {
            name: { type: "text" },
            email: { type: "keyword" },
            city: { type: "keyword" },
          },
        },
        ordered_at: { type: "date" },
        items: { properties: { article: { type: "keyword" }, price: { type: "double" } } },
        remark: { type: "text" },
        status: { type: "keyword" },
        pieces: { type: pieces },
        revision: { type: "long" },
      },
    },
  };
}

/** The id of an order. */
export function idOf(number: number): string {
  return `order-${String(number).padStart(8, "0")}`;
}

/** An order of about 400 bytes; one number and revision always give the same. */
export function order(number: number, revision: number): Record<string, unknown> {
  const name = `${pick(NAMES, number, 3)} ${pick(NAMES, number, 7)}`;
  return {
    customer: {
      name,
      email: `${name.toLowerCase().replace(" ", ".")}.${number % 50_000}@example.com`,
      city: pick(CITIES, number, 11),
    },
    ordered_at: new Date(FIRST_ORDER + number * 61_000).toISOString(),
    items: Array.from({ length: 1 + number % 3 }, (_, i) => ({
      article: `A-${(number * 31 + i * 977) % 9973}`,
      price: ((number * 17 + i * 131) % 20_000) / 100,
    })),
    remark: Array.from({ length: 12 }, (_, i) => pick(WORDS, number, 13 + 2 * i)).join(" "),
    ...changed(number, revision),
  };
}

/** The fields of an order that its revision tells apart: what a partial update sends. */
export function changed(number: number, revision: number): Record<string, unknown> {
  return {
    status: STATES[(number + revision) % STATES.length],
    pieces: (number * 7 + revision) % 500,
    revision,
  };
}

const FIRST_ORDER = Date.UTC(2024, 0, 1);
const STATES = ["open", "paid", "packed", "sent", "returned"];
const CITIES = ["Aachen", "Bergen", "Cadiz", "Delft", "Evora", "Funchal", "Ghent", "Hull"];
const NAMES = [
  ...["Ada", "Bela", "Cora", "Dario", "Edda", "Femi", "Gitta", "Hugo", "Ines", "Jannis", "Kaja"],
  ...["Lund", "Moreau", "Novak", "Olsen", "Peters", "Quist", "Rossi", "Silva", "Tanaka", "Urban"],
];
const WORDS = [
  ...["please", "deliver", "after", "noon", "to", "the", "back", "door", "and", "leave", "parcel"],
  ...["with", "neighbour", "ring", "twice", "fragile", "gift", "wrap", "invoice", "by", "mail"],
  ...["urgent", "call", "before", "weekend", "only", "second", "floor", "left", "garden", "gate"],
];

/** Values repeat in another rhythm for each factor. */
function pick(values: readonly string[], number: number, factor: number): string {
  return values[(number * factor + Math.floor(number / values.length)) % values.length]!;
}
