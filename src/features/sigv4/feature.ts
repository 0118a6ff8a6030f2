import { type MigrationFeature, refuseUnknownNames } from "../../migrations/runner/mod.ts";
import { PLACE } from "../../migrations/search/offers.ts";
import { AWS, awsOf } from "./settings.ts";

/** Signs the requests of connections with `auth: { type: aws }`, for Amazon OpenSearch Service. */
export const feature: MigrationFeature = {
  name: "sigv4",
  settings: {
    search: {
      keys: ["auth"],
      read(section, engine) {
        const settings = awsOf(section, PLACE.of(engine)!.hosts);
        return { offers: settings ? [AWS.offer(settings)] : [] };
      },
    },
  },
  targets(targets, { config, credentials = {} }) {
    refuseUnknownNames(config, ["search", "search connection"], "credentials", credentials);
    return targets;
  },
  async signer(connection, options) {
    const settings = AWS.of(connection);
    if (settings === undefined) return undefined;
    return await (await import("./sign.ts")).awsSigner(settings, options);
  },
};
