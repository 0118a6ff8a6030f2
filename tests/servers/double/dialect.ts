export type Version = "2.19.4" | "3.4.0";

/** The differences between the clusters that the double can imitate. */
export interface Dialect {
  /** Whether index state management is installed. */
  readonly plugin: boolean;
  readonly flavour: "opensearch" | "elasticsearch";
  readonly number: string;
  /** `version.created` of an index. */
  readonly created: string;
  /** How a setting that is not known is refused. */
  readonly settingsError: string;
  /** `schema_version` of a policy that is read. */
  readonly policySchema: number;
  /** Whether `"ism_template": []` is taken. */
  readonly emptyTemplates: boolean;
  /** Whether `auto_manage: false` keeps a new index from its policy. */
  readonly autoManage: boolean;
  /** Whether a snapshot policy without a creation is refused, and the pattern of its deletion lost. */
  readonly needsCreation: boolean;
}

const OPENSEARCH_2 = {
  flavour: "opensearch" as const,
  number: "2.19.4",
  created: "136408227",
  settingsError: "illegal_argument_exception",
  policySchema: 21,
  emptyTemplates: true,
  autoManage: false,
  needsCreation: true,
};

export const DIALECTS: Record<Version | "elasticsearch", Omit<Dialect, "plugin">> = {
  "2.19.4": OPENSEARCH_2,
  "3.4.0": {
    ...OPENSEARCH_2,
    number: "3.4.0",
    created: "137257827",
    settingsError: "settings_exception",
    policySchema: 25,
    emptyTemplates: false,
    autoManage: true,
    needsCreation: false,
  },
  elasticsearch: {
    ...OPENSEARCH_2,
    flavour: "elasticsearch",
    number: "7.17.29",
    created: "7172999",
  },
};
