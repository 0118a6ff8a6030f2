import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A certificate and its key: where they are, and their PEM text. */
export interface Certificate {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates in a folder with the `openssl` command. */
export class Certificates {
  constructor(readonly folder: string) {}

  /** A new authority. */
  authority(name: string): Promise<Certificate> {
    const extensions = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"];
    return this.#make(name, [], extensions);
  }

  /** A certificate for 127.0.0.1 and `localhost`, or for other names. */
  server(
    name: string,
    authority: Certificate,
    names: string = "IP:127.0.0.1,DNS:localhost",
  ): Promise<Certificate> {
    const extensions = ["basicConstraints=critical,CA:FALSE", `subjectAltName=${names}`];
    return this.#make(name, signedBy(authority), extensions);
  }

  /** A certificate for a client. */
  client(name: string, authority: Certificate): Promise<Certificate> {
    return this.#make(name, signedBy(authority), [
      "basicConstraints=critical,CA:FALSE",
      "extendedKeyUsage=clientAuth",
    ]);
  }

  async #make(
    name: string,
    signing: readonly string[],
    extensions: readonly string[],
  ): Promise<Certificate> {
    const [certPath, keyPath] = ["pem", "key"].map((end) => join(this.folder, `${name}.${end}`));
    await promisify(execFile)("openssl", [
      ...["req", "-x509", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
      ...["-out", certPath!, "-keyout", keyPath!, ...signing],
      ...extensions.flatMap((extension) => ["-addext", extension]),
    ]);
    const [cert, key] = await Promise.all([certPath!, keyPath!].map((path) => readFile(path)));
    return { certPath: certPath!, keyPath: keyPath!, cert: String(cert), key: String(key) };
  }
}

function signedBy({ certPath, keyPath }: Certificate): string[] {
  return ["-CA", certPath, "-CAkey", keyPath];
}
