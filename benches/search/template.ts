/** An index template of twenty fields, for indices whose names begin with `id`. */
export function template(id: string): unknown {
  const fields = Array.from({ length: 20 }, (_, i) => [`field_${i}`, { type: "keyword" }]);
  return {
    index_patterns: [`${id}-*`],
    template: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { properties: Object.fromEntries(fields) },
    },
  };
}
