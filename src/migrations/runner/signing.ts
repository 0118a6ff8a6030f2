/** How requests to a server are signed, by a feature. */
export interface Signer {
  /** Signs for one attempt, because a signature is valid for five minutes. */
  sign(request: UnsignedRequest): Promise<SignedRequest>;
  redact(text: string): string;
  explain(refusal: string): string | undefined;
}

interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export type SignedRequest = Pick<UnsignedRequest, "url" | "headers">;

/** Keys that sign requests to Amazon OpenSearch Service, as providers of the AWS SDK give them. */
export interface AwsCredentials {
  /** `AKIA…`, or `ASIA…` of temporary ones. */
  readonly accessKeyId: string;
  /** It signs requests, and is never sent. */
  readonly secretAccessKey: string;
  /** Only temporary credentials have it. */
  readonly sessionToken?: string | undefined;
  /** When they expire. @default the credentials do not expire */
  readonly expiration?: Date | undefined;
}

/** Gives credentials. It is called again shortly before they expire. */
export type AwsCredentialsProvider = () => AwsCredentials | Promise<AwsCredentials>;

export interface SignerOptions {
  /** @default the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` */
  readonly credentials?: AwsCredentialsProvider | undefined;
  readonly variable?: (name: string) => string | undefined;
  readonly timeoutMs: number;
  readonly now?: () => number;
}
