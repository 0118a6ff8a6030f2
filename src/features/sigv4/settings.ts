import type { Config } from "../../config/mod.ts";
import { checkKeys, choiceOf, type FeatureKey, featureKey } from "../../migrations/runner/mod.ts";
import type { Host } from "../../migrations/search/types.ts";

export interface AwsSettings {
  /** @default the environment variable `AWS_REGION` or `AWS_DEFAULT_REGION` */
  readonly region?: string;
  readonly service: "es";
  readonly error: (message: string) => Error;
}

export const AWS: FeatureKey<AwsSettings> = featureKey("aws");

export function awsOf(section: Config, hosts: readonly Host[]): AwsSettings | undefined {
  checkKeys(section, "auth", ["type", "region", "service"]);
  const auth = section.section("auth");
  if (auth === undefined) return undefined;
  if (auth.string("type") === undefined) {
    throw auth.error("type", "Expected 'aws', found nothing");
  }
  choiceOf(auth, "type", ["aws"], "aws");
  const other = ["username", "password", "api_key", "bearer_token"]
    .find((key) => section.string(key) !== undefined);
  if (other !== undefined) {
    throw section.error(other, "Expected no other credentials, because 'auth' signs requests");
  }
  const withUser = hosts.findIndex(({ credentials }) => credentials !== undefined);
  if (withUser >= 0) {
    const message = "Expected a URL without credentials, because 'auth' signs requests";
    throw section.error(`hosts[${withUser}]`, message);
  }
  if (auth.string("service") === "aoss") {
    const message = "Amazon OpenSearch Serverless ('aoss') is not supported: expected 'es'";
    throw auth.error("service", message);
  }
  const region = auth.string("region");
  if (region !== undefined && !isRegion(region)) {
    throw auth.error("region", `Expected a region, such as eu-central-1, found '${region}'`);
  }
  return {
    service: choiceOf(auth, "service", ["es"], "es"),
    ...(region !== undefined && { region }),
    error: (message) => section.error("auth", message),
  };
}

export function isRegion(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text);
}
