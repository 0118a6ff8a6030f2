/** The types of the official clients as JSON Schemas, by `ts-json-schema-generator`. */
import { join } from "@std/path";
import { installed } from "../_npm.ts";
import type { Schema } from "./forms.ts";

/** The names and types that are read of each client. */
const ROOTS = {
  opensearch: `
import type * as Mapping from "@opensearch-project/opensearch/api/_types/_common.mapping.js";
import type * as Indices from "@opensearch-project/opensearch/api/_types/indices._common.js";
import type * as Ingest from "@opensearch-project/opensearch/api/_types/ingest._common.js";
import type * as Search from "@opensearch-project/opensearch/api/_types/search_pipeline._common.js";
import type * as Security from "@opensearch-project/opensearch/api/_types/security._common.js";
import type * as Snapshots from "@opensearch-project/opensearch/api/_types/sm._common.js";
export interface Roots {
  field: Mapping.Property;
  mappings: Mapping.TypeMapping;
  settings: Indices.IndexSettings;
  analysis: Indices.IndexSettingsAnalysis;
  processor: Ingest.ProcessorContainer;
  requestProcessor: Search.RequestProcessor;
  responseProcessor: Search.ResponseProcessor;
  phaseResultsProcessor: Search.PhaseResultsProcessor;
  role: Security.Role;
  roleMapping: Security.RoleMapping;
  actionGroup: Security.ActionGroup;
  tenant: Security.Tenant;
  user: Security.User;
  snapshotPolicy: Snapshots.CreateUpdatePolicyRequest;
}`,
  elasticsearch: `
import type { estypes } from "@elastic/elasticsearch";
export interface Roots {
  field: estypes.MappingProperty;
  mappings: estypes.MappingTypeMapping;
  settings: estypes.IndicesIndexSettings;
  analysis: estypes.IndicesIndexSettingsAnalysis;
  processor: estypes.IngestProcessorContainer;
  template: estypes.IndicesPutIndexTemplateRequest;
  component: estypes.ClusterPutComponentTemplateRequest;
  policy: estypes.IlmPolicy;
  role: estypes.SecurityPutRoleRequest;
  roleMapping: estypes.SecurityPutRoleMappingRequest;
  user: estypes.SecurityPutUserRequest;
  snapshotLifecycle: estypes.SlmPutLifecycleRequest;
}`,
};

const PACKAGES = [
  "@opensearch-project/opensearch@3.9.0",
  "@elastic/elasticsearch@9.5.1",
  "ts-json-schema-generator@2.10.0",
];

export interface Clients {
  readonly opensearch: ClientTypes;
  readonly elasticsearch: ClientTypes;
}

export async function clients(): Promise<Clients> {
  const folder = await installed("schemas", PACKAGES);
  const [opensearch, elasticsearch] = await Promise.all([
    typesOf(folder, "opensearch"),
    typesOf(folder, "elasticsearch"),
  ]);
  return { opensearch, elasticsearch };
}

async function typesOf(folder: string, client: keyof typeof ROOTS): Promise<ClientTypes> {
  const path = join(folder, `${client}.ts`);
  await Deno.writeTextFile(path, ROOTS[client]);
  const options = { path, type: "Roots", skipTypeCheck: true, topRef: false, jsDoc: "none" };
  const script = `import { createGenerator } from "ts-json-schema-generator";
    const generator = createGenerator(${JSON.stringify(options)});
    process.stdout.write(JSON.stringify(generator.createSchema("Roots")));`;
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: ["--input-type=module", "--eval", script],
    cwd: folder,
    stdin: "null",
  }).output();
  if (!success) throw new Error(`ts-json-schema-generator: ${new TextDecoder().decode(stderr)}`);
  return new ClientTypes(JSON.parse(new TextDecoder().decode(stdout)));
}

/** A schema as the generator writes it. */
export interface TypeSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TypeSchema[];
  readonly allOf?: readonly TypeSchema[];
  readonly items?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly additionalProperties?: boolean | TypeSchema;
}

export type TypeMembers = Readonly<Record<string, TypeSchema>>;

export class ClientTypes {
  readonly #roots: TypeMembers;
  readonly #definitions: TypeMembers;

  constructor({ properties, definitions }: Schema) {
    this.#roots = properties as TypeMembers;
    this.#definitions = definitions as TypeMembers;
  }

  root(name: string): TypeSchema {
    const found = this.#roots[name];
    if (found === undefined) throw new Error(`The client has no type for '${name}'`);
    return found;
  }

  /** The name of a type, without that of its module: `MappingProperty`. */
  definitionName({ $ref }: TypeSchema): string | undefined {
    return $ref && decodeURIComponent($ref.replace("#/definitions/", ""));
  }

  resolved(schema: TypeSchema): TypeSchema {
    const name = this.definitionName(schema);
    return name === undefined ? schema : this.resolved(this.#definitions[name]!);
  }

  /** The members of an object, those of all of its variants together. */
  members(schema: TypeSchema): TypeMembers {
    const { anyOf = [], allOf = [], properties = {} } = this.resolved(schema);
    return Object.assign({}, ...[...anyOf, ...allOf].map((one) => this.members(one)), properties);
  }

  /** The members of variants by their `type`. */
  variants(schema: TypeSchema): ReadonlyMap<string, TypeMembers> {
    const found = new Map<string, TypeMembers>();
    for (const one of this.resolved(schema).anyOf ?? []) {
      if (this.resolved(one).anyOf) {
        for (const [name, members] of this.variants(one)) found.set(name, members);
        continue;
      }
      const { type = {}, ...members } = this.members(one);
      const tag = this.resolved(type);
      for (const name of tag.enum ?? [tag.const]) {
        if (typeof name === "string") found.set(name, { ...found.get(name), ...members });
      }
    }
    return found;
  }
}
