/** Something with offers: a connection, a target or a session. */
export interface Offering {
  readonly offers: Offers;
}

export type Offers = readonly Offer[];

interface Offer {
  readonly name: string;
}

/** The key of an offer from an engine to features, or from one feature to another. The core itself uses none. */
export interface FeatureKey<T> {
  offer(value: T): Offer;
  of(holder: Offering): T | undefined;
}

export function featureKey<T>(name: string): FeatureKey<T> {
  const values = new WeakMap<Offer, T>();
  return {
    offer(value) {
      const offer = { name };
      values.set(offer, value);
      return offer;
    },
    of({ offers }) {
      const offer = offers.findLast((one) => values.has(one));
      return offer && values.get(offer);
    },
  };
}
